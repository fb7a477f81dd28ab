//! Payments, captures and refunds, and the transactions of orders that they make.

use rusqlite::{Row, named_params};

use super::stored;
use crate::clock::Timestamp;
use crate::database::{self, Stored, Tx};
use crate::ids::{OrderId, OrderTransactionId, PaymentId};
use crate::payments::payment::{Capture, Payment, Refund};
use crate::payments::provider::Data;

/// The columns that [`read`] reads, of the table under its alias `p`.
pub(in crate::payments) const COLUMNS: &str =
    "p.id, p.payment_collection_id, p.payment_session_id, p.order_id, p.provider_id, p.currency,
     p.amount_minor, p.data, p.captured_at, p.canceled_at, p.metadata, p.created_at, p.updated_at,
     (select coalesce(sum(amount_minor), 0) from capture where payment_id = p.id) as captured_minor,
     (select coalesce(sum(amount_minor), 0) from refund where payment_id = p.id) as refunded_minor";

/// Writes a payment as it is; its captures and refunds are rows of their own.
pub(in crate::payments) fn insert(tx: &Tx<'_>, payment: &Payment) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into payment
           (id, payment_collection_id, payment_session_id, order_id, provider_id, currency, amount_minor, data,
            captured_at, created_at, updated_at)
         values (:id, :collection, :session, :order, :provider, :currency, :amount, :data, :captured, :created,
                 :updated)",
    )?
    .execute(named_params! {
        ":id": payment.id,
        ":collection": payment.collection_id,
        ":session": payment.session_id,
        ":order": payment.order_id,
        ":provider": payment.provider_id,
        ":currency": payment.currency,
        ":amount": payment.amount_minor,
        ":data": Stored(&payment.data),
        ":captured": payment.captured_at,
        ":created": payment.created_at,
        ":updated": payment.updated_at,
    })?;
    Ok(())
}

/// A payment.
pub(in crate::payments) fn find(
    tx: &Tx<'_>,
    id: &PaymentId,
) -> Result<Option<Payment>, database::Error> {
    let sql = format!("select {COLUMNS} from payment p where p.id = :id");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query_map(named_params! { ":id": id }, read)?;
    Ok(rows.next().transpose()?)
}

/// The payments of an order, the oldest first.
pub(in crate::payments) fn of_order(
    tx: &Tx<'_>,
    order: &OrderId,
) -> Result<Vec<Payment>, database::Error> {
    let sql = format!("select {COLUMNS} from payment p where p.order_id = :order order by p.id");
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(named_params! { ":order": order }, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The payments of a list of collections, the oldest first.
pub(in crate::payments) fn of_collections(
    tx: &Tx<'_>,
    collections: &str,
) -> Result<Vec<Payment>, database::Error> {
    let sql = format!(
        "select {COLUMNS} from payment p
          where p.payment_collection_id in (select value from json_each(:collections)) order by p.id"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(named_params! { ":collections": collections }, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Writes what became of a payment.
pub(in crate::payments) fn progress(
    tx: &Tx<'_>,
    payment: &Payment,
    data: Option<&Data>,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "update payment
            set captured_at = :captured, canceled_at = :canceled, data = coalesce(:data, data), updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": payment.id,
        ":captured": payment.captured_at,
        ":canceled": payment.canceled_at,
        ":data": data.map(Stored),
        ":now": tx.now(),
    })?;
    Ok(())
}

/// Writes a capture.
pub(in crate::payments) fn insert_capture(
    tx: &Tx<'_>,
    capture: &Capture,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into capture (id, payment_id, amount_minor, created_by, created_at)
         values (:id, :payment, :amount, :by, :at)",
    )?
    .execute(named_params! {
        ":id": capture.id,
        ":payment": capture.payment_id,
        ":amount": capture.amount_minor,
        ":by": capture.created_by,
        ":at": capture.created_at,
    })?;
    Ok(())
}

/// Writes a refund.
pub(in crate::payments) fn insert_refund(
    tx: &Tx<'_>,
    refund: &Refund,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into refund (id, payment_id, amount_minor, refund_reason_id, note, created_by, created_at)
         values (:id, :payment, :amount, :reason, :note, :by, :at)",
    )?
    .execute(named_params! {
        ":id": refund.id,
        ":payment": refund.payment_id,
        ":amount": refund.amount_minor,
        ":reason": refund.reason_id,
        ":note": refund.note,
        ":by": refund.created_by,
        ":at": refund.created_at,
    })?;
    Ok(())
}

/// The captures of a list of payments, the oldest first.
pub(in crate::payments) fn captures(
    tx: &Tx<'_>,
    payments: &str,
) -> Result<Vec<Capture>, database::Error> {
    let mut statement = tx.prepare_cached(
        "select id, payment_id, amount_minor, created_by, created_at from capture
          where payment_id in (select value from json_each(:payments)) order by created_at, id",
    )?;
    let rows = statement.query_map(named_params! { ":payments": payments }, |row| {
        Ok(Capture {
            id: row.get("id")?,
            payment_id: row.get("payment_id")?,
            amount_minor: row.get("amount_minor")?,
            created_by: row.get("created_by")?,
            created_at: row.get("created_at")?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The refunds of a list of payments, the oldest first.
pub(in crate::payments) fn refunds(
    tx: &Tx<'_>,
    payments: &str,
) -> Result<Vec<Refund>, database::Error> {
    let mut statement = tx.prepare_cached(
        "select id, payment_id, amount_minor, refund_reason_id, note, created_by, created_at from refund
          where payment_id in (select value from json_each(:payments)) order by created_at, id",
    )?;
    let rows = statement.query_map(named_params! { ":payments": payments }, |row| {
        Ok(Refund {
            id: row.get("id")?,
            payment_id: row.get("payment_id")?,
            amount_minor: row.get("amount_minor")?,
            reason_id: row.get("refund_reason_id")?,
            note: row.get("note")?,
            created_by: row.get("created_by")?,
            created_at: row.get("created_at")?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Writes that money moved on an order: in with a capture, out with a refund.
pub(in crate::payments) fn insert_transaction(
    tx: &Tx<'_>,
    transaction: &Transaction<'_>,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into order_transaction (id, order_id, amount_minor, reference, reference_id, created_at)
         values (:id, :order, :amount, :reference, :reference_id, :at)",
    )?
    .execute(named_params! {
        ":id": transaction.id,
        ":order": transaction.order_id,
        ":amount": transaction.amount_minor,
        ":reference": transaction.reference,
        ":reference_id": transaction.reference_id,
        ":at": transaction.at,
    })?;
    Ok(())
}

/// Money that moved on an order.
#[derive(Debug)]
pub(in crate::payments) struct Transaction<'a> {
    pub(in crate::payments) id: OrderTransactionId,
    pub(in crate::payments) order_id: &'a OrderId,
    /// More than zero for what came in, less for what went back.
    pub(in crate::payments) amount_minor: i64,
    /// `capture` or `refund`.
    pub(in crate::payments) reference: &'static str,
    pub(in crate::payments) reference_id: &'a str,
    pub(in crate::payments) at: Timestamp,
}

/// Reads a row of [`COLUMNS`].
pub(in crate::payments) fn read(row: &Row<'_>) -> rusqlite::Result<Payment> {
    Ok(Payment {
        id: row.get("id")?,
        collection_id: row.get("payment_collection_id")?,
        session_id: row.get("payment_session_id")?,
        order_id: row.get("order_id")?,
        provider_id: row.get("provider_id")?,
        currency: row.get("currency")?,
        amount_minor: row.get("amount_minor")?,
        captured_minor: row.get("captured_minor")?,
        refunded_minor: row.get("refunded_minor")?,
        data: stored(row, "data")?.unwrap_or_default(),
        captured_at: row.get("captured_at")?,
        canceled_at: row.get("canceled_at")?,
        metadata: stored(row, "metadata")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
