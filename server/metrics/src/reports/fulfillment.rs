//! How orders are sent: how many, how fast, from where, and which wait too long.

use serde::Serialize;
use utoipa::ToSchema;

use super::grid::Grid;
use super::queries::parcels::{self, ParcelGroup};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::compute::range::RangeView;
use crate::compute::range::ResolvedRange;
use crate::compute::view::ValueView;
use crate::dashboards::queries::unfulfilled::{self, UnfulfilledQuery};
use crate::database::Tx;
use crate::money::Amount;

/// How long a paid order may wait before it is late, in milliseconds: two days.
const LATE_MS: i64 = 2 * 24 * 60 * 60 * 1_000;

/// Lead time on average, its middle, its 95th percentile, and the part of those with a promise that came in time.
const FORMULAS: &[&str] = &[
    "lead_time",
    "median(fulfillments.shipped_at - fulfillments.order.created_at)",
    "lead_time_p95",
    "count(fulfillments where delivered_at <= promised_at) / count(fulfillments where delivered_at is not null and promised_at is not null)",
];

/// Parcels that are alike.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ParcelRow {
    /// A state, a location's id, or a carrier; null where it is not known.
    key: Option<String>,
    /// A location's name.
    name: Option<String>,
    /// How many.
    count: i64,
    /// How many of them have left.
    shipped: i64,
    /// How many of them have come.
    delivered: i64,
}

/// From the order to the parcel leaving, in seconds; null when none left.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LeadTime {
    /// On average.
    average: ValueView,
    /// Half of them were faster.
    p50: ValueView,
    /// All but one in twenty were faster.
    p95: ValueView,
}

/// A paid order that has waited too long.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LateOrder {
    /// Its id.
    id: String,
    /// Its number.
    display_id: i64,
    /// When it was paid.
    paid_at: Timestamp,
    /// Pieces that are still to be sent.
    quantity: i64,
    /// What it is worth.
    total: Amount,
}

/// How orders are sent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FulfillmentReport {
    /// What it is of: parcels packed in it.
    range: RangeView,
    /// By how far they have come.
    by_status: Vec<ParcelRow>,
    /// By where they are sent from.
    by_location: Vec<ParcelRow>,
    /// By who carries them.
    by_carrier: Vec<ParcelRow>,
    /// How fast they left.
    lead_time: LeadTime,
    /// The part of the delivered parcels with a promised day that came by it; null where nothing was promised.
    on_time_rate: ValueView,
    /// Paid orders that have waited for more than two days now: a page of them, those that wait longest first.
    late: Vec<LateOrder>,
    /// How many such orders there are, on the page and behind it.
    late_count: i64,
}

pub(crate) fn read(tx: &Tx<'_>, range: &ResolvedRange) -> Result<FulfillmentReport, MetricError> {
    let grid = Grid::read(tx, range, FORMULAS, (Granularity::None, &[]))?;
    let currency = range.money()?;
    let query = UnfulfilledQuery::of(range);
    let waiting = unfulfilled::orders(tx, &query)?;
    let before = range.now.plus_ms(LATE_MS.saturating_neg());
    let late = waiting.into_iter().filter(|order| order.paid_at < before);
    let late: Vec<LateOrder> = late
        .map(|order| LateOrder {
            id: order.id,
            display_id: order.display_id,
            paid_at: order.paid_at,
            quantity: order.quantity,
            total: currency.amount(order.value_minor),
        })
        .collect();
    Ok(FulfillmentReport {
        range: RangeView::of(range),
        by_status: parcel_rows(parcels::by_status(tx, range)?),
        by_location: parcel_rows(parcels::by_location(tx, range)?),
        by_carrier: parcel_rows(parcels::by_carrier(tx, range)?),
        lead_time: LeadTime { average: grid.total(0), p50: grid.total(1), p95: grid.total(2) },
        on_time_rate: grid.total(3),
        late_count: unfulfilled::late_count(tx, &query, before)?,
        late,
    })
}

fn parcel_rows(rows: Vec<ParcelGroup>) -> Vec<ParcelRow> {
    let row = |row: ParcelGroup| ParcelRow {
        key: row.key,
        name: row.name,
        count: row.count,
        shipped: row.shipped,
        delivered: row.delivered,
    };
    rows.into_iter().map(row).collect()
}
