//! Paid orders that wait to be sent, and what they wait for.

use serde::Serialize;
use utoipa::ToSchema;

use super::queries::unfulfilled::{self, BUCKETS, UnfulfilledQuery};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::database::Tx;
use crate::money::Amount;

/// Orders that have waited about as long.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({ "key": "1_2_days", "label": "1–2 days", "count": 3, "value": 120.5 }))]
pub(crate) struct BucketView {
    /// Its name for programs.
    key: &'static str,
    /// Its name for people.
    label: &'static str,
    /// How many orders.
    count: i64,
    /// What they are worth.
    value: Amount,
}

/// An order that waits.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct UnfulfilledOrderView {
    /// Its id.
    #[schema(example = "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    id: String,
    /// Its number.
    display_id: i64,
    /// The buyer's address.
    email: Option<String>,
    /// What it is worth.
    total: Amount,
    /// Pieces that are still to be sent.
    quantity: i64,
    /// How far it is paid.
    payment_status: String,
    /// How far it is sent.
    fulfillment_status: String,
    /// When it was placed.
    placed_at: Timestamp,
    /// When it was paid.
    paid_at: Timestamp,
}

/// Paid orders that wait.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct UnfulfilledOrdersSection {
    /// What was asked; orders wait now, whatever days it names.
    range: RangeView,
    /// By age since payment, the youngest first.
    buckets: Vec<BucketView>,
    /// How many there are.
    pub total: i64,
    /// What they are worth.
    total_value: Amount,
    /// When the one that waits longest was paid.
    oldest_paid_at: Option<Timestamp>,
    /// A page of them, those that wait longest first.
    orders: Vec<UnfulfilledOrderView>,
    /// How many there are on all pages.
    count: i64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// What is waited for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "title": "Mug", "sku": "MUG", "quantity": 5, "orders": 2, "available": 3, "short": 2
}))]
pub(super) struct UnfulfilledProductView {
    /// The variant; null for lines of none.
    variant_id: Option<String>,
    /// Its product.
    product_id: Option<String>,
    /// What the orders call it.
    title: String,
    /// Its number in the warehouse.
    sku: Option<String>,
    /// Pieces that are still to be sent.
    quantity: i64,
    /// Orders that wait for it.
    orders: i64,
    /// Pieces in stock, those that are kept for these orders with them; null where stock is not counted.
    available: Option<i64>,
    /// Pieces that are missing.
    short: i64,
}

/// What paid orders wait for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct UnfulfilledProductsSection {
    /// What was asked; orders wait now, whatever days it names.
    range: RangeView,
    /// A page of it, what most pieces are waited for of first.
    products: Vec<UnfulfilledProductView>,
    /// How many there are on all pages.
    count: i64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

pub(super) fn orders(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<UnfulfilledOrdersSection, MetricError> {
    let (query, currency) = (UnfulfilledQuery::of(range), range.money()?);
    let found = unfulfilled::buckets(tx, &query)?;
    let mut buckets = Vec::with_capacity(BUCKETS.len());
    for (at, (key, label)) in (0_i64..).zip(BUCKETS) {
        let own = found.iter().find(|bucket| bucket.place == at);
        let (count, value) = own.map_or((0, 0), |own| (own.count, own.value_minor));
        buckets.push(BucketView { key, label, count, value: currency.amount(value) });
    }
    let total = found.iter().map(|bucket| bucket.count).fold(0, i64::saturating_add);
    let value = found.iter().map(|bucket| bucket.value_minor).fold(0, i64::saturating_add);
    let rows = unfulfilled::orders(tx, &query)?;
    let orders = rows.into_iter().map(|row| UnfulfilledOrderView {
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
        oldest_paid_at: found.iter().map(|bucket| bucket.oldest_paid_at).min(),
        orders: orders.collect(),
        count: total,
        offset,
        limit,
    })
}

pub(super) fn products(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<UnfulfilledProductsSection, MetricError> {
    let query = UnfulfilledQuery::of(range);
    let count = unfulfilled::product_count(tx, &query)?;
    let rows = unfulfilled::products(tx, &query)?;
    let products = rows.into_iter().map(|row| UnfulfilledProductView {
        short: row.available.map_or(0, |available| row.quantity.saturating_sub(available).max(0)),
        variant_id: row.variant_id,
        product_id: row.product_id,
        title: row.title,
        sku: row.sku,
        quantity: row.quantity,
        orders: row.orders,
        available: row.available,
    });
    let (limit, offset) = range.page;
    let products = products.collect();
    Ok(UnfulfilledProductsSection { range: RangeView::of(range), products, count, offset, limit })
}
