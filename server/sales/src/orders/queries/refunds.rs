//! Statements on the refunds of an order and their parts.

use rusqlite::named_params;

use crate::credit::PAYING;
use crate::database::{Error, FromRow, Tx};
use crate::ids::{self, OrderId};
use crate::orders::refund_parts::{RefundParts, RefundableTotals};

/// The kind of job that repeats a refund request.
pub const REFUND: &str = "payments.refund";

#[derive(Debug, FromRow)]
pub(crate) struct RefundRow {
    /// Its row id.
    pub(crate) seq: i64,
    /// Greater than zero.
    pub(crate) amount_minor: i64,
    /// Whether its parts are computed.
    pub(crate) is_split: bool,
}

pub(crate) fn totals(tx: &Tx<'_>, order: &OrderId) -> Result<Option<RefundableTotals>, Error> {
    tx.sql(
        "select item_total_minor, item_tax_minor, shipping_total_minor, shipping_tax_minor
           from orders where id = :order",
    )
    .first(named_params! { ":order": order }, RefundableTotals::from_row)
}

/// Returns the refunds of an order, oldest first.
pub(crate) fn of_order(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<RefundRow>, Error> {
    tx.sql(
        "select rowid as seq, -amount_minor as amount_minor, tax_minor is not null as is_split from order_transaction
          where order_id = :order and amount_minor < 0
          order by rowid",
    )
    .all(named_params! { ":order": order }, RefundRow::from_row)
}

/// Returns the part of an order that was paid, by any means, and neither refunded nor promised by an unanswered refund. The
/// store credit of a canceled order has been returned.
pub(crate) fn left(tx: &Tx<'_>, order: &OrderId) -> Result<i64, Error> {
    let sql = "select o.paid_minor - o.refunded_minor
                      + (select coalesce(sum(amount_minor), 0) from order_credit_line
                          where order_id = o.id and o.canceled_at is null
                            and reference in (select value from json_each(:paying)))
                      - (select coalesce(sum(j.payload ->> 'amount_minor'), 0) from payment p
                           join job j on j.kind = :refund and j.key = p.id
                          where p.order_id = o.id)
                 from orders o where o.id = :order";
    let bound = named_params! { ":order": order, ":paying": ids::list(PAYING), ":refund": REFUND };
    tx.sql(sql).one(bound, |row| row.get(0))
}

/// Returns what credit paid for an order.
pub(crate) fn paid_by_credit(tx: &Tx<'_>, order: &OrderId) -> Result<i64, Error> {
    let sql = "select coalesce(sum(amount_minor), 0) from order_credit_line
                where order_id = :order and reference in (select value from json_each(:paying))";
    let bound = named_params! { ":order": order, ":paying": ids::list(PAYING) };
    tx.sql(sql).one(bound, |row| row.get(0))
}

/// Returns whether a part of an order was refunded to store credit.
pub(crate) fn is_credited(tx: &Tx<'_>, order: &OrderId) -> Result<bool, Error> {
    let sql = "select 1 from order_transaction where order_id = :order and reference = 'store_credit_refund'";
    tx.sql(sql).exists(named_params! { ":order": order })
}

/// Stores the tax and shipping parts of a refund.
pub(crate) fn split(tx: &Tx<'_>, seq: i64, parts: &RefundParts) -> Result<(), Error> {
    tx.sql("update order_transaction set tax_minor = -:tax, shipping_minor = -:shipping where rowid = :seq")
        .run(named_params! {
            ":tax": parts.tax_minor,
            ":shipping": parts.shipping_minor,
            ":seq": seq,
        })
}
