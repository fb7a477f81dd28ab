//! Queries of dashboards. Paid, unfulfilled orders are in a partial index, which stays small.

use rusqlite::named_params;
use serde::Serialize;

use crate::clock::Timestamp;
use crate::compute::range::ResolvedRange;
use crate::database::{self, FromRow, Tx};
use crate::http::ToSchema;

#[derive(Debug, Clone, FromRow)]
pub(crate) struct ChannelRow {
    pub id: String,
    pub name: String,
    pub(crate) is_deleted: bool,
}

/// Returns every sales channel by name, including deleted ones.
pub(crate) fn sales_channels(tx: &Tx<'_>) -> Result<Vec<ChannelRow>, database::Error> {
    tx.sql("select id, name, deleted_at is not null as is_deleted from sales_channel order by name, id")
        .all([], ChannelRow::from_row)
}

/// The buckets by age since payment: key and label.
pub(crate) const BUCKETS: [(&str, &str); 5] = [
    ("under_24_hours", "Under 24 hours"),
    ("1_2_days", "1–2 days"),
    ("3_5_days", "3–5 days"),
    ("6_10_days", "6–10 days"),
    ("over_10_days", "Over 10 days"),
];

/// The orders with pieces still to be sent, with the time of their last payment.
macro_rules! unfulfilled_orders {
    ($rest:literal) => {
        concat!(
            "with waiting as (
               select o.id, o.display_id, o.email, o.payment_status, o.fulfillment_status, o.placed_at,
                 o.total_minor + o.credit_line_minor as value_minor,
                 coalesce((select max(t.created_at) from order_transaction t
                   where t.order_id = o.id and t.amount_minor > 0), o.placed_at) as paid_at
               from orders o indexed by orders_paid_unfulfilled
               where o.payment_status in ('captured', 'partially_refunded')
                 and o.fulfillment_status in
                   ('not_fulfilled', 'partially_fulfilled', 'partially_shipped', 'partially_delivered', 'canceled')
                 and exists (select 1 from order_line l where l.order_id = o.id and l.quantity > l.fulfilled_quantity)
                 and o.status in ('pending', 'requires_action') and o.currency = :currency
                 and (:channel is null or o.sales_channel_id = :channel)
                 and (:region is null or o.region_id = :region) and (:country is null or o.country = :country)) ",
            $rest
        )
    };
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct AgeBucket {
    /// The index in [`BUCKETS`].
    #[column(name = "bucket")]
    pub place: i64,
    #[column(name = "orders")]
    pub count: i64,
    pub(crate) value_minor: i64,
    pub oldest_paid_at: Timestamp,
}

pub(crate) fn buckets(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<AgeBucket>, database::Error> {
    tx.sql(unfulfilled_orders!(
        "select case when days < 1 then 0 when days < 3 then 1 when days < 6 then 2 when days < 11 then 3 else 4 end
           as bucket, count(*) as orders, sum(value_minor) as value_minor, min(paid_at) as oldest_paid_at
         from (select value_minor, paid_at, (:now - paid_at) / 86400000 as days from waiting)
         group by bucket order by bucket"
    ))
    .all(&*range.parameters(named_params! { ":now": range.asked.now }), AgeBucket::from_row)
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct UnfulfilledOrder {
    pub id: String,
    pub display_id: i64,
    pub email: Option<String>,
    pub(crate) value_minor: i64,
    pub quantity: i64,
    pub payment_status: String,
    pub fulfillment_status: String,
    pub placed_at: Timestamp,
    pub paid_at: Timestamp,
}

/// Returns a page of the unfulfilled orders, the oldest payment first.
pub(crate) fn orders(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<UnfulfilledOrder>, database::Error> {
    tx.sql(unfulfilled_orders!(
        "select w.*, (select coalesce(sum(max(l.quantity - l.fulfilled_quantity, 0)), 0) from order_line l
           where l.order_id = w.id) as quantity
         from waiting w order by w.paid_at, w.display_id limit :limit offset :offset"
    ))
    .all(
        &*range.parameters(named_params! { ":limit": range.page.0, ":offset": range.page.1 }),
        UnfulfilledOrder::from_row,
    )
}

/// Returns how many unfulfilled orders were paid before an instant.
pub(crate) fn late_count(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    before: Timestamp,
) -> Result<i64, database::Error> {
    tx.sql(unfulfilled_orders!("select count(*) from waiting where paid_at < :before"))
        .one(&*range.parameters(named_params! { ":before": before }), |row| row.get(0))
}

/// An unfulfilled variant.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow)]
#[schema(example = json!({
    "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "title": "Mug", "sku": "MUG", "quantity": 5, "orders": 2, "available": 3, "short": 2
}))]
pub(crate) struct UnfulfilledProductView {
    /// The variant; null for lines without one.
    variant_id: Option<String>,
    /// The variant's product.
    product_id: Option<String>,
    /// The title in the orders.
    title: String,
    sku: Option<String>,
    /// Units not yet fulfilled.
    pub(super) quantity: i64,
    /// Orders with the variant.
    orders: i64,
    /// Units in stock, including those reserved for these orders; null if stock is not tracked.
    pub(super) available: Option<i64>,
    /// Units missing.
    #[column(skip)]
    pub(super) short: i64,
}

/// Returns the number of unfulfilled variants; lines without a variant count by title.
pub(crate) fn product_count(tx: &Tx<'_>, range: &ResolvedRange) -> Result<i64, database::Error> {
    tx.sql(unfulfilled_orders!(
        "select count(*) from (select 1 from waiting w join order_line l on l.order_id = w.id
           where l.quantity > l.fulfilled_quantity group by coalesce(l.variant_id, l.title))"
    ))
    .one(&*range.parameters(&[]), |row| row.get(0))
}

/// Returns a page of the unfulfilled variants, the largest quantity first.
pub(crate) fn products(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<UnfulfilledProductView>, database::Error> {
    tx.sql(unfulfilled_orders!(
        ", wanted as (
           select l.variant_id, max(l.product_id) as product_id, max(coalesce(l.product_title, l.title)) as title,
             max(l.variant_sku) as sku, sum(l.quantity - l.fulfilled_quantity) as quantity,
             count(distinct l.order_id) as orders
           from waiting w join order_line l on l.order_id = w.id
           where l.quantity > l.fulfilled_quantity group by coalesce(l.variant_id, l.title)
           order by quantity desc, title, l.variant_id limit :limit offset :offset)
         select n.*, (select min(coalesce((select sum(v.stocked_quantity) from inventory_level v
               where v.inventory_item_id = m.inventory_item_id), 0) / m.required_quantity)
             from product_variant_inventory_item m where m.variant_id = n.variant_id) as available
         from wanted n order by n.quantity desc, n.title, n.variant_id"
    ))
    .all(
        &*range.parameters(named_params! { ":limit": range.page.0, ":offset": range.page.1 }),
        UnfulfilledProductView::from_row,
    )
}
