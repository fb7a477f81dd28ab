//! Queries for tiers and for the facts that their conditions read.

use rusqlite::named_params;

use super::condition::OrderRow;
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::CustomerId;
use crate::money::Currency;

/// Returns a customer's uncanceled orders in one currency.
pub(super) fn orders(
    tx: &Tx<'_>,
    customer: &CustomerId,
    currency: Currency,
) -> Result<Vec<OrderRow>, Error> {
    tx.sql(
        "select o.id, o.created_at, o.sales_channel, o.region, o.country, o.promo_code, o.total, o.subtotal,
                o.tax_total, o.discount_total, o.shipping_total,
                (select coalesce(sum(r.amount), 0) from metric_refunds r where r.order_id = o.id), o.quantity
           from metric_orders o
          where o.customer_id = :customer and o.currency_code = :currency and o.status <> 'canceled'",
    )
    .all(named_params! { ":customer": customer, ":currency": currency }, |row| {
        let text = |at| Ok::<_, rusqlite::Error>(row.get::<_, Option<String>>(at)?.unwrap_or_default());
        let money = |at| Ok::<_, rusqlite::Error>(currency.amount(row.get(at)?).text());
        Ok([
            text(0)?,
            row.get::<_, Timestamp>(1)?.to_string(),
            text(2)?,
            text(3)?,
            text(4)?,
            text(5)?,
            money(6)?,
            money(7)?,
            money(8)?,
            money(9)?,
            money(10)?,
            money(11)?,
            row.get::<_, i64>(12)?.to_string(),
        ])
    })
}
