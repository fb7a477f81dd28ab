//! Queries for refunds, with the lines of their orders.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::compute::range::ResolvedRange;
use crate::database::{self, FromRow, Tx};
use crate::reports::SoldBy;

/// A line of a refunded order; one for each refund.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct ReturnedLine {
    pub(crate) refund_id: String,
    /// The refunded amount for goods, without tax and shipping.
    pub(crate) goods_minor: i64,
    /// The grouping key of the line; none for lines without a product.
    pub key: Option<String>,
    /// The value of the returned units.
    pub(crate) returned_minor: i64,
    /// The sales value of all units, without tax.
    pub(crate) net_minor: i64,
}

/// Returns the refunds in a range with all lines of their orders, each with its product or variant as the key.
pub(crate) fn lines(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: SoldBy,
) -> Result<Vec<ReturnedLine>, database::Error> {
    let key = match by {
        SoldBy::Product | SoldBy::Category => "l.product_id",
        SoldBy::Variant => "l.variant_id",
    };
    tx.sql(&format!(
        "select t.id as refund_id,
           coalesce(t.tax_minor, 0) + coalesce(t.shipping_minor, 0) - t.amount_minor as goods_minor,
           {key} as key, l.refunded_minor as returned_minor, l.subtotal_minor - l.discount_subtotal_minor as net_minor
         from order_transaction t indexed by order_transaction_refunds join orders o on o.id = t.order_id
           join order_line l on l.order_id = o.id
         where t.amount_minor < 0 and t.created_at >= :start and t.created_at < :end
           and o.status not in ('draft', 'canceled') and o.currency = :currency
           and (:channel is null or o.sales_channel_id = :channel)
           and (:region is null or o.region_id = :region) and (:country is null or o.country = :country)
         order by t.created_at, t.id, l.position, l.id"
    ))
    .all(
        &*range.parameters(named_params! { ":start": range.start, ":end": range.until }),
        ReturnedLine::from_row,
    )
}

/// Returns whether there are refunds between two instants, whichever comes first.
pub(crate) fn is_any_between(
    tx: &Tx<'_>,
    one: Timestamp,
    other: Timestamp,
) -> Result<bool, database::Error> {
    tx.sql(
        "select 1 from order_transaction indexed by order_transaction_refunds
          where amount_minor < 0 and created_at >= :from and created_at < :to",
    )
    .exists(named_params! { ":from": one.min(other), ":to": one.max(other) })
}
