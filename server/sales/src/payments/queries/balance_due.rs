//! Statements on the amounts due of orders.

use rusqlite::named_params;

use crate::database::{Error, Record, Tx};
use crate::ids::{OrderId, PaymentCollectionId};
use crate::money::Currency;
use crate::statuses::{CollectionStatus, OrderStatus};

/// The total of an order, and the part of it that collections cover.
#[derive(Debug, Record)]
#[record(table = "orders o", title = "Order")]
pub(crate) struct OrderBalance {
    id: OrderId,
    /// Also `canceled` if the order was archived after its cancellation.
    #[column(sql = "case when o.canceled_at is null then o.status else 'canceled' end")]
    pub(crate) status: OrderStatus,
    pub(crate) currency: Currency,
    pub(crate) total_minor: i64,
    /// The amount of its collections, without canceled ones.
    #[column(sql = "(select coalesce(sum(amount_minor), 0) from payment_collection
                      where order_id = o.id and status <> 'canceled')")]
    pub(crate) collected_minor: i64,
    /// The value of the pieces that came back.
    #[column(
        sql = "(select coalesce(sum(refunded_minor), 0) from order_line where order_id = o.id)"
    )]
    pub(crate) returned_minor: i64,
}

pub(crate) fn set_amount(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    amount_minor: i64,
    status: CollectionStatus,
) -> Result<(), Error> {
    tx.sql(
        "update payment_collection
            set amount_minor = :amount, status = :status, updated_at = :now,
                completed_at = case when :status = 'completed' then :now else completed_at end
          where id = :id",
    )
    .run(named_params! {
        ":id": id, ":amount": amount_minor, ":status": status, ":now": tx.now(),
    })
}
