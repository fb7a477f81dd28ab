//! Statements on payment collections, and on the amounts due of orders.

use rusqlite::named_params;

use crate::database::{Error, Record, Tx};
use crate::ids::{CartId, OrderId, PaymentCollectionId};
use crate::money::Currency;
use crate::payments::payment::Collection;
use crate::statuses::{CollectionStatus, OrderStatus};

pub fn of_cart(tx: &Tx<'_>, cart: &CartId) -> Result<Option<Collection>, Error> {
    Collection::select_one(tx, "where c.cart_id = :cart", named_params! { ":cart": cart })
}

pub(crate) fn of_orders(tx: &Tx<'_>, orders: &str) -> Result<Vec<Collection>, Error> {
    let rest = "where c.order_id in (select value from json_each(:orders)) order by c.id";
    Collection::select(tx, rest, named_params! { ":orders": orders })
}

/// Sets the amount due now for a cart and the deferred amount; returns the collection if the amount
/// changed.
pub(crate) fn set_parts(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    now_minor: i64,
    later_minor: i64,
) -> Result<Option<PaymentCollectionId>, Error> {
    tx.sql(
        "update payment_collection
            set amount_minor = :amount, later_minor = :later, status = 'not_paid', updated_at = :now
          where id = :id and order_id is null and (amount_minor <> :amount or later_minor <> :later)
         returning id",
    )
    .first(
        named_params! {
            ":id": id, ":amount": now_minor, ":later": later_minor, ":now": tx.now(),
        },
        |row| row.get(0),
    )
}

/// Sets the amount due for a cart, all of it now, unless its total is unchanged; returns the collection if it
/// changed.
pub(crate) fn set_amount(
    tx: &Tx<'_>,
    cart: &CartId,
    currency: Currency,
    amount_minor: i64,
) -> Result<Option<PaymentCollectionId>, Error> {
    tx.sql(
        "update payment_collection
            set currency = :currency, amount_minor = :amount, later_minor = 0, status = 'not_paid', updated_at = :now
          where cart_id = :cart and order_id is null
            and (currency <> :currency or amount_minor + later_minor <> :amount)
         returning id",
    )
    .first(
        named_params! {
            ":cart": cart, ":currency": currency, ":amount": amount_minor, ":now": tx.now(),
        },
        |row| row.get(0),
    )
}

/// Assigns a collection to the order that its cart became.
pub(crate) fn give_to(tx: &Tx<'_>, id: &PaymentCollectionId, order: &OrderId) -> Result<(), Error> {
    tx.sql("update payment_collection set order_id = :order, updated_at = :now where id = :id")
        .run(named_params! { ":id": id, ":order": order, ":now": tx.now() })
}

/// Returns the state of a cart's completion, in progress or done.
pub(crate) fn completion(tx: &Tx<'_>, cart: &CartId) -> Result<Option<String>, Error> {
    tx.sql("select state from cart_completion where cart_id = :cart")
        .first(named_params! { ":cart": cart }, |row| row.get(0))
}

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
    /// The value of the returned pieces.
    #[column(
        sql = "(select coalesce(sum(refunded_minor), 0) from order_line where order_id = o.id)"
    )]
    pub(crate) returned_minor: i64,
}

pub(crate) fn set_amount_due(
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
