//! The stock at the end of each day, at cost: taken by a job when the day is over, and whenever somebody asks.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use super::queries::stock;
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::range::RangeView;
use crate::compute::range::ResolvedRange;
use crate::database::Tx;
use crate::money::{Amount, Currency};
use crate::registry::queries::stamp;
use crate::routes::paging::page;

/// The day that days are counted from.
const FIRST_DAY: Date = jiff::civil::date(1970, 1, 1);

/// A day's stock.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "date": "2026-11-20", "units": 2010, "value": 8040.5, "variants": 3, "missing_cost": 1, "is_final": true,
    "taken_at": "2026-11-21T00:12:00.000Z"
}))]
pub(crate) struct StockSnapshot {
    /// The day.
    date: String,
    /// Pieces in stock.
    units: i64,
    /// What they cost; pieces without a known cost add nothing.
    value: Amount,
    /// Variants whose stock is counted.
    variants: i64,
    /// Variants of these whose cost was not known.
    missing_cost: i64,
    /// Whether it was taken when the day was over.
    is_final: bool,
    /// When it was taken.
    taken_at: Timestamp,
}

/// The stock of days.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SnapshotReport {
    /// What it is of.
    range: RangeView,
    /// A page by day; days that were never looked at are not there.
    snapshots: Vec<StockSnapshot>,
    /// How many days there are on all pages.
    count: usize,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

pub fn read(tx: &Tx<'_>, range: &ResolvedRange) -> Result<SnapshotReport, MetricError> {
    let (first, last) = range.days;
    let days = stock::days(tx, (number(first), number(last)), &range.currency_code())?;
    let currency = range.money()?;
    let snapshots = page(&days, range.page).iter();
    let snapshots = snapshots.map(|day| stock_snapshot(day, currency, &range.timezone)).collect();
    let (limit, offset) = range.page;
    Ok(SnapshotReport { range: RangeView::of(range), snapshots, count: days.len(), offset, limit })
}

fn stock_snapshot(taken: &stock::DayStock, currency: Currency, zone: &str) -> StockSnapshot {
    let date = date(taken.day);
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    StockSnapshot {
        date: date.to_string(),
        units: taken.units,
        value: currency.amount(taken.value_minor),
        variants: taken.variants,
        missing_cost: taken.missing_cost,
        is_final: end(date, &zone).is_some_and(|end| taken.taken_at >= end),
        taken_at: taken.taken_at,
    }
}

fn number(day: Date) -> i64 {
    i64::from(day.since(FIRST_DAY).map_or(0, |span| span.get_days()))
}

fn date(number: i64) -> Date {
    jiff::Span::new().try_days(number).map_or(FIRST_DAY, |span| FIRST_DAY.saturating_add(span))
}

fn end(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    let after = day.tomorrow().ok()?;
    zone.to_zoned(after.at(0, 0, 0, 0)).ok().map(|zoned| zoned.timestamp().into())
}

/// Takes today's stock as it is now, over what was taken of today before.
pub(crate) fn take_today(tx: &Tx<'_>) -> Result<(), MetricError> {
    let stamp = stamp::read(tx)?;
    let zone = TimeZone::get(&stamp.zone).unwrap_or(TimeZone::UTC);
    let today = tx.now().to_jiff().to_zoned(zone).date();
    // One past the present: what moved in this very instant is in it.
    stock::take(tx, (number(today), tx.now().plus_ms(1)), &stamp.currency)?;
    Ok(())
}

/// Takes yesterday's stock as it was at the day's end, unless that was done.
///
/// # Errors
/// A database error.
pub fn take_yesterday(tx: &Tx<'_>) -> Result<(), crate::database::Error> {
    let stamp = stamp::read(tx)?;
    let zone = TimeZone::get(&stamp.zone).unwrap_or(TimeZone::UTC);
    let today = tx.now().to_jiff().to_zoned(zone.clone()).date();
    let Ok(yesterday) = today.yesterday() else { return Ok(()) };
    let Some(end) = end(yesterday, &zone) else { return Ok(()) };
    if stock::is_taken(tx, number(yesterday), end)? {
        return Ok(());
    }
    stock::take(tx, (number(yesterday), end), &stamp.currency)
}
