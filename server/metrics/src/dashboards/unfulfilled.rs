//! Paid orders that are unfulfilled, and their products.

use serde::Serialize;

use super::queries::{self, BUCKETS, UnfulfilledProductView};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::money::Amount;

/// Unfulfilled orders of similar age.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({ "key": "1_2_days", "label": "1–2 days", "count": 3, "value": 120.5 }))]
pub(crate) struct BucketView {
    key: &'static str,
    label: &'static str,
    /// The number of orders.
    count: i64,
    /// The total value of the orders.
    value: Amount,
}

/// An unfulfilled order.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct UnfulfilledOrderView {
    #[schema(example = "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    id: String,
    /// The order number.
    display_id: i64,
    /// The customer's e-mail address.
    email: Option<String>,
    /// The order's value.
    total: Amount,
    /// Units not yet fulfilled.
    quantity: i64,
    payment_status: String,
    fulfillment_status: String,
    /// When the order was placed.
    placed_at: Timestamp,
    /// When the order was last paid.
    paid_at: Timestamp,
}

/// Paid orders that are unfulfilled.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct UnfulfilledOrdersSection {
    /// The range; its days are ignored.
    range: RangeView,
    /// Orders by age since payment, the youngest first.
    buckets: Vec<BucketView>,
    /// The number of orders.
    pub total: i64,
    /// The total value of the orders.
    total_value: Amount,
    /// When the oldest of them was paid.
    oldest_paid_at: Option<Timestamp>,
    /// A page of the orders, the oldest payment first.
    orders: Vec<UnfulfilledOrderView>,
    /// The number of orders on all pages.
    count: i64,
    /// The number of orders before the page.
    offset: u32,
    /// The maximum number of orders on the page.
    limit: u32,
}

/// The unfulfilled variants of paid orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct UnfulfilledProductsSection {
    /// The range; its days are ignored.
    range: RangeView,
    /// A page of the variants, the largest quantity first.
    products: Vec<UnfulfilledProductView>,
    /// The number of variants on all pages.
    count: i64,
    /// The number of variants before the page.
    offset: u32,
    /// The maximum number of variants on the page.
    limit: u32,
}

/// Reads the paid orders that are unfulfilled now, by age; the days of the range are ignored.
pub(super) fn orders(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<UnfulfilledOrdersSection, MetricError> {
    let currency = range.money()?;
    let rows = queries::buckets(tx, range)?;
    let mut buckets = Vec::with_capacity(BUCKETS.len());
    for (at, (key, label)) in (0_i64..).zip(BUCKETS) {
        let own = rows.iter().find(|bucket| bucket.place == at);
        let (count, value) = own.map_or((0, 0), |own| (own.count, own.value_minor));
        buckets.push(BucketView { key, label, count, value: currency.amount(value) });
    }
    let total = rows.iter().map(|bucket| bucket.count).fold(0, i64::saturating_add);
    let value = rows.iter().map(|bucket| bucket.value_minor).fold(0, i64::saturating_add);
    let orders = queries::orders(tx, range)?;
    let orders = orders.into_iter().map(|row| UnfulfilledOrderView {
        id: row.id,
        display_id: row.display_id,
        email: row.email,
        total: currency.amount(row.value_minor),
        quantity: row.quantity,
        payment_status: row.payment_status,
        fulfillment_status: row.fulfillment_status,
        placed_at: row.placed_at,
        paid_at: row.paid_at,
    });
    let (limit, offset) = range.page;
    Ok(UnfulfilledOrdersSection {
        range: RangeView::of(range),
        buckets,
        total,
        total_value: currency.amount(value),
        oldest_paid_at: rows.iter().map(|bucket| bucket.oldest_paid_at).min(),
        orders: orders.collect(),
        count: total,
        offset,
        limit,
    })
}

/// Reads the unfulfilled variants of paid orders, with their stock; the days of the range are ignored.
pub(super) fn products(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<UnfulfilledProductsSection, MetricError> {
    let count = queries::product_count(tx, range)?;
    let mut products = queries::products(tx, range)?;
    for row in &mut products {
        row.short =
            row.available.map_or(0, |available| row.quantity.saturating_sub(available).max(0));
    }
    let (limit, offset) = range.page;
    Ok(UnfulfilledProductsSection { range: RangeView::of(range), products, count, offset, limit })
}
