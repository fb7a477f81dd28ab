//! Payment collections.

use rusqlite::{Row, named_params};

use super::{stored, word};
use crate::database::{self, Tx};
use crate::ids::{CartId, OrderId, PaymentCollectionId};
use crate::money::Currency;
use crate::payments::payment::Collection;
use crate::statuses::CollectionStatus;

const COLUMNS: &str =
    "id, cart_id, order_id, currency, amount_minor, authorized_minor, captured_minor, refunded_minor, status,
     completed_at, metadata, created_at, updated_at";

/// Writes a collection as it is.
pub(in crate::payments) fn insert(
    tx: &Tx<'_>,
    collection: &Collection,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into payment_collection
           (id, cart_id, order_id, currency, amount_minor, authorized_minor, captured_minor, refunded_minor, status,
            completed_at, created_at, updated_at)
         values (:id, :cart, :order, :currency, :amount, :authorized, :captured, :refunded, :status, :completed,
                 :created, :updated)",
    )?
    .execute(named_params! {
        ":id": collection.id,
        ":cart": collection.cart_id,
        ":order": collection.order_id,
        ":currency": collection.currency,
        ":amount": collection.amount_minor,
        ":authorized": collection.authorized_minor,
        ":captured": collection.captured_minor,
        ":refunded": collection.refunded_minor,
        ":status": collection.status.as_str(),
        ":completed": collection.completed_at,
        ":created": collection.created_at,
        ":updated": collection.updated_at,
    })?;
    Ok(())
}

/// A collection.
pub(in crate::payments) fn find(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
) -> Result<Option<Collection>, database::Error> {
    let sql = format!("select {COLUMNS} from payment_collection where id = :id");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query_map(named_params! { ":id": id }, read)?;
    Ok(rows.next().transpose()?)
}

/// The collection of a cart.
pub(in crate::payments) fn of_cart(
    tx: &Tx<'_>,
    cart: &CartId,
) -> Result<Option<Collection>, database::Error> {
    let sql = format!("select {COLUMNS} from payment_collection where cart_id = :cart");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query_map(named_params! { ":cart": cart }, read)?;
    Ok(rows.next().transpose()?)
}

/// The collections of a list of orders.
pub(in crate::payments) fn of_orders(
    tx: &Tx<'_>,
    orders: &str,
) -> Result<Vec<Collection>, database::Error> {
    let sql = format!(
        "select {COLUMNS} from payment_collection
          where order_id in (select value from json_each(:orders)) order by id"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(named_params! { ":orders": orders }, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Sets what is to be paid for a cart; gives the collection if that is another amount than before.
pub(in crate::payments) fn set_amount(
    tx: &Tx<'_>,
    cart: &CartId,
    currency: Currency,
    amount_minor: i64,
) -> Result<Option<PaymentCollectionId>, database::Error> {
    let mut statement = tx.prepare_cached(
        "update payment_collection
            set currency = :currency, amount_minor = :amount, status = 'not_paid', updated_at = :now
          where cart_id = :cart and order_id is null and (currency <> :currency or amount_minor <> :amount)
         returning id",
    )?;
    let mut rows = statement.query_map(
        named_params! { ":cart": cart, ":currency": currency, ":amount": amount_minor, ":now": tx.now() },
        |row| row.get(0),
    )?;
    Ok(rows.next().transpose()?)
}

/// Gives a collection to the order that its cart became.
pub(in crate::payments) fn give_to(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    order: &OrderId,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "update payment_collection set order_id = :order, updated_at = :now where id = :id",
    )?
    .execute(named_params! { ":id": id, ":order": order, ":now": tx.now() })?;
    Ok(())
}

/// Writes how far a collection has come.
pub(in crate::payments) fn progress(
    tx: &Tx<'_>,
    collection: &Collection,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "update payment_collection
            set authorized_minor = :authorized, captured_minor = :captured, refunded_minor = :refunded,
                status = :status, completed_at = :completed, updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": collection.id,
        ":authorized": collection.authorized_minor,
        ":captured": collection.captured_minor,
        ":refunded": collection.refunded_minor,
        ":status": collection.status.as_str(),
        ":completed": collection.completed_at,
        ":now": tx.now(),
    })?;
    Ok(())
}

/// Where the completion of a cart stands: whether it is under way, and whether it is done.
pub(in crate::payments) fn completion(
    tx: &Tx<'_>,
    cart: &CartId,
) -> Result<Option<String>, database::Error> {
    let mut statement =
        tx.prepare_cached("select state from cart_completion where cart_id = :cart")?;
    let mut rows = statement.query_map(named_params! { ":cart": cart }, |row| row.get(0))?;
    Ok(rows.next().transpose()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Collection> {
    Ok(Collection {
        id: row.get("id")?,
        cart_id: row.get("cart_id")?,
        order_id: row.get("order_id")?,
        currency: row.get("currency")?,
        amount_minor: row.get("amount_minor")?,
        authorized_minor: row.get("authorized_minor")?,
        captured_minor: row.get("captured_minor")?,
        refunded_minor: row.get("refunded_minor")?,
        status: word(row, "status", CollectionStatus::parse)?,
        completed_at: row.get("completed_at")?,
        metadata: stored(row, "metadata")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
