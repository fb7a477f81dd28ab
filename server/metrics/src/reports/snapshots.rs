//! Daily stock at cost: recorded by a job when a day is over, and on request.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::queries::stock;
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::money::{Amount, Currency};
use crate::registry::queries::stamp;
use crate::routes::day;
use crate::routes::paging::page;

/// A day's stock.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "date": "2026-11-20", "units": 2010, "value": 8040.5, "variants": 3, "missing_cost": 1, "is_final": true,
    "taken_at": "2026-11-21T00:12:00.000Z"
}))]
pub(crate) struct StockSnapshot {
    /// The day.
    date: String,
    units: i64,
    /// The value at cost; units without a known cost add nothing.
    value: Amount,
    /// Variants with tracked stock.
    variants: i64,
    /// Those of the variants without a known cost.
    missing_cost: i64,
    /// Whether it was taken after the day was over.
    is_final: bool,
    /// When it was taken.
    taken_at: Timestamp,
}

/// Daily stock.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SnapshotReport {
    range: RangeView,
    /// A page of days; days without a snapshot are absent.
    snapshots: Vec<StockSnapshot>,
    /// The number of days on all pages.
    count: usize,
    /// The number of days before the page.
    offset: u32,
    /// The maximum number of days on the page.
    limit: u32,
}

pub fn read(tx: &Tx<'_>, range: &ResolvedRange) -> Result<SnapshotReport, MetricError> {
    let days = stock::days(tx, numbers(range), &range.currency_code)?;
    let currency = range.money()?;
    // Days are those of the store, whatever the time zone of the request.
    let zone = stamp::read(tx)?.zone;
    let snapshots = page(&days, range.page).iter();
    let snapshots = snapshots.map(|day| stock_snapshot(day, currency, &zone)).collect();
    let (limit, offset) = range.page;
    Ok(SnapshotReport { range: RangeView::of(range), snapshots, count: days.len(), offset, limit })
}

fn stock_snapshot(snapshot: &stock::DayStock, currency: Currency, zone: &str) -> StockSnapshot {
    let date = day::of_number(snapshot.day);
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    StockSnapshot {
        date: date.to_string(),
        units: snapshot.units,
        value: currency.amount(snapshot.value_minor),
        variants: snapshot.variants,
        missing_cost: snapshot.missing_cost,
        is_final: end(date, &zone).is_some_and(|end| snapshot.taken_at >= end),
        taken_at: snapshot.taken_at,
    }
}

/// Returns the numbers of the first and the last day.
pub(super) fn numbers(range: &ResolvedRange) -> (i64, i64) {
    (day::number(range.asked.days.0), day::number(range.asked.days.1))
}

fn end(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    day::start(day.tomorrow().ok()?, zone)
}

/// Records today's current stock, replacing an earlier snapshot of today.
pub(crate) fn take_today(tx: &Tx<'_>) -> Result<(), MetricError> {
    let stamp = stamp::read(tx)?;
    let zone = TimeZone::get(&stamp.zone).unwrap_or(TimeZone::UTC);
    let today = tx.now().to_jiff().to_zoned(zone).date();
    // One millisecond later, so that movements at this very instant are included.
    stock::take(tx, (day::number(today), tx.now().plus_ms(1)), &stamp.currency)?;
    Ok(())
}

/// Records yesterday's stock as of the end of the day, unless that was done before.
pub fn take_yesterday(tx: &Tx<'_>) -> Result<(), crate::database::Error> {
    let stamp = stamp::read(tx)?;
    let zone = TimeZone::get(&stamp.zone).unwrap_or(TimeZone::UTC);
    let today = tx.now().to_jiff().to_zoned(zone.clone()).date();
    let Ok(yesterday) = today.yesterday() else { return Ok(()) };
    let Some(end) = end(yesterday, &zone) else { return Ok(()) };
    if stock::is_taken(tx, day::number(yesterday), end)? {
        return Ok(());
    }
    stock::take(tx, (day::number(yesterday), end), &stamp.currency)
}
