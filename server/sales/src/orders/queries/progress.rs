//! Statements on the progress of orders: the rows that determine their statuses, and the statuses.

use rusqlite::named_params;

use crate::database::{Error, FromRow, Tx};
use crate::ids::OrderId;
use crate::statuses::{
    Collected, FulfillmentStage, FulfillmentStatus, LineProgress, OrderStatus, PaymentStatus,
};

pub(crate) fn collections(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<Collected>, Error> {
    tx.sql(
        "select amount_minor, authorized_minor, captured_minor, refunded_minor, status
           from payment_collection
          where order_id = :order
          order by id",
    )
    .all(named_params! { ":order": order }, Collected::from_row)
}

/// Returns the captured and the refunded amount, neither of them negative.
pub(crate) fn moved(tx: &Tx<'_>, order: &OrderId) -> Result<(i64, i64), Error> {
    tx.sql(
        "select coalesce(sum(max(amount_minor, 0)), 0), coalesce(sum(max(-amount_minor, 0)), 0)
           from order_transaction
          where order_id = :order",
    )
    .one(named_params! { ":order": order }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The stage of a fulfillment.
pub(crate) const STAGE: &str =
    "case when canceled_at is not null then 'canceled' when delivered_at is not null then 'delivered'
          when shipped_at is not null then 'shipped' else 'packed' end as stage";

pub(crate) fn stages(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<FulfillmentStage>, Error> {
    tx.sql(&format!("select {STAGE} from fulfillment where order_id = :order"))
        .all(named_params! { ":order": order }, |row| row.get(0))
}

pub(crate) fn lines(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<LineProgress>, Error> {
    tx.sql("select quantity, fulfilled_quantity from order_line where order_id = :order")
        .all(named_params! { ":order": order }, LineProgress::from_row)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub(crate) struct OrderProgress {
    pub(crate) payment_status: PaymentStatus,
    pub(crate) fulfillment_status: FulfillmentStatus,
    pub(crate) paid_minor: i64,
    pub(crate) refunded_minor: i64,
    /// The part of it that was not owed when it was refunded.
    pub(crate) goodwill_minor: i64,
}

pub(crate) fn find(tx: &Tx<'_>, order: &OrderId) -> Result<Option<OrderProgress>, Error> {
    tx.sql(
        "select payment_status, fulfillment_status, paid_minor, refunded_minor, goodwill_minor
           from orders where id = :order",
    )
    .first(named_params! { ":order": order }, OrderProgress::from_row)
}

pub(crate) fn total(tx: &Tx<'_>, order: &OrderId) -> Result<i64, Error> {
    tx.sql("select total_minor from orders where id = :order")
        .one(named_params! { ":order": order }, |row| row.get(0))
}

/// Returns the lines of an order with returned pieces or pieces on their way back: the total, those pieces, and the
/// quantity of each.
pub(crate) fn coming_back(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<(i64, i64, i64)>, Error> {
    tx.sql(
        "select total_minor, return_requested_quantity + return_received_quantity, quantity from order_line
          where order_id = :order and return_requested_quantity + return_received_quantity > 0",
    )
    .all(named_params! { ":order": order }, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

pub(crate) fn update(tx: &Tx<'_>, order: &OrderId, progress: &OrderProgress) -> Result<(), Error> {
    tx.sql(
        "update orders
            set payment_status = :payment, fulfillment_status = :fulfillment, paid_minor = :paid,
                refunded_minor = :refunded, goodwill_minor = :goodwill, updated_at = :now
          where id = :order",
    )
    .run(named_params! {
        ":order": order,
        ":payment": progress.payment_status.as_str(),
        ":fulfillment": progress.fulfillment_status.as_str(),
        ":paid": progress.paid_minor,
        ":refunded": progress.refunded_minor,
        ":goodwill": progress.goodwill_minor,
        ":now": tx.now(),
    })
}

pub(crate) fn status(tx: &Tx<'_>, order: &OrderId) -> Result<Option<OrderStatus>, Error> {
    tx.sql("select status from orders where id = :order")
        .first(named_params! { ":order": order }, |row| row.get(0))
}

/// Returns whether an order is canceled, be it archived since.
pub(crate) fn is_canceled(tx: &Tx<'_>, order: &OrderId) -> Result<bool, Error> {
    tx.sql("select 1 from orders where id = :order and canceled_at is not null")
        .exists(named_params! { ":order": order })
}

/// Updates an order's status, and the timestamp column of the status if there is one.
pub(crate) fn move_to(tx: &Tx<'_>, order: &OrderId, status: OrderStatus) -> Result<(), Error> {
    tx.sql(
        "update orders
            set status = :status, updated_at = :now,
                canceled_at = case when :status = 'canceled' then :now else canceled_at end,
                completed_at = case when :status = 'completed' then :now else completed_at end,
                archived_at = case when :status = 'archived' then :now else archived_at end
          where id = :order",
    )
    .run(named_params! { ":order": order, ":status": status.as_str(), ":now": tx.now() })
}

/// Deletes a draft with all its parts.
pub(crate) fn discard(tx: &Tx<'_>, order: &OrderId) -> Result<bool, Error> {
    let gone = tx
        .sql("delete from orders where id = :order and status = 'draft'")
        .execute(named_params! { ":order": order })?;
    Ok(gone > 0)
}
