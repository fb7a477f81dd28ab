//! Order fulfillment: numbers of parcels, speed, locations and late orders.

use serde::Serialize;

use super::queries::parcels::{self, ParcelRow};
use crate::MetricError;
use crate::clock::{DAY_MS, Timestamp};
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::StandardAnswers;
use crate::compute::view::ValueView;
use crate::dashboards::queries;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::money::Amount;

/// The time after which a paid order is late, in milliseconds: two days.
const LATE_MS: i64 = 2 * DAY_MS;

/// Average, median and 95th percentile of the lead time, and the fraction of promised deliveries that were on time.
const FORMULAS: &[&str] = &[
    "lead_time",
    "median(fulfillments.shipped_at - fulfillments.order.created_at)",
    "lead_time_p95",
    "count(fulfillments where delivered_at <= promised_at) / count(fulfillments where delivered_at is not null and promised_at is not null)",
];

/// The time from the order to the shipment, in seconds; null if none was shipped.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LeadTime {
    average: ValueView,
    /// The median.
    p50: ValueView,
    /// The 95th percentile.
    p95: ValueView,
}

/// A paid order that is late.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LateOrder {
    id: String,
    /// The order number.
    display_id: i64,
    /// When the order was last paid.
    paid_at: Timestamp,
    /// Units not yet fulfilled.
    quantity: i64,
    /// The order's value.
    total: Amount,
}

/// The fulfillment report.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FulfillmentReport {
    /// The range: parcels packed in it.
    range: RangeView,
    by_status: Vec<ParcelRow>,
    by_location: Vec<ParcelRow>,
    by_carrier: Vec<ParcelRow>,
    lead_time: LeadTime,
    /// On-time deliveries as a fraction of those with a promised day; null if nothing was promised.
    on_time_rate: ValueView,
    /// Paid orders unfulfilled for more than two days now: a page of them, the oldest payment first.
    late: Vec<LateOrder>,
    /// The number of late orders on all pages.
    late_count: i64,
}

pub(crate) fn read(tx: &Tx<'_>, range: &ResolvedRange) -> Result<FulfillmentReport, MetricError> {
    let whole = StandardAnswers::whole(tx, range, FORMULAS)?;
    let currency = range.money()?;
    let orders = queries::orders(tx, range)?;
    let before = range.asked.now.minus_ms(LATE_MS);
    let late = orders.into_iter().filter(|order| order.paid_at < before);
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
        by_status: parcels::by_status(tx, range)?,
        by_location: parcels::by_location(tx, range)?,
        by_carrier: parcels::by_carrier(tx, range)?,
        lead_time: LeadTime { average: whole.total(0), p50: whole.total(1), p95: whole.total(2) },
        on_time_rate: whole.total(3),
        late_count: queries::late_count(tx, range, before)?,
        late,
    })
}
