//! Statements on payments, and on what processors report of them.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{self, Record, Tx};
use crate::ids::{OrderId, OrderTransactionId, PaymentId, PaymentSessionId};
use crate::payments::RefundReason;
use crate::payments::payment::{Capture, Payment, Refund};

/// Returns the payments of an order, oldest first.
pub fn of_order(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<Payment>, database::Error> {
    Payment::select(
        tx,
        "where p.order_id = :order order by p.id",
        named_params! { ":order": order },
    )
}

/// Returns the payments of a list of collections, oldest first.
pub(crate) fn of_collections(
    tx: &Tx<'_>,
    collections: &str,
) -> Result<Vec<Payment>, database::Error> {
    let rest = "where p.payment_collection_id in (select value from json_each(:collections)) order by p.id";
    Payment::select(tx, rest, named_params! { ":collections": collections })
}

/// Returns the captures of a list of payments, oldest first.
pub(crate) fn captures(tx: &Tx<'_>, payments: &str) -> Result<Vec<Capture>, database::Error> {
    let rest = "where k.payment_id in (select value from json_each(:payments)) order by k.created_at, k.id";
    Capture::select(tx, rest, named_params! { ":payments": payments })
}

/// Returns the refunds of a list of payments, oldest first.
pub(crate) fn refunds(tx: &Tx<'_>, payments: &str) -> Result<Vec<Refund>, database::Error> {
    let rest = "where r.payment_id in (select value from json_each(:payments)) order by r.created_at, r.id";
    Refund::select(tx, rest, named_params! { ":payments": payments })
}

/// Returns the reasons of a list of ids, deleted ones too.
pub(crate) fn reasons(tx: &Tx<'_>, reasons: &str) -> Result<Vec<RefundReason>, database::Error> {
    let rest = "where r.id in (select value from json_each(:reasons))";
    RefundReason::select(tx, rest, named_params! { ":reasons": reasons })
}

/// A capture or a refund in the account of its order.
#[derive(Debug, Record)]
#[record(table = "order_transaction t")]
pub(crate) struct Transaction {
    pub(crate) id: OrderTransactionId,
    pub(crate) order_id: OrderId,
    /// Positive for captures, negative for refunds.
    pub(crate) amount_minor: i64,
    /// `capture`, `refund` or `store_credit_refund`.
    pub(crate) reference: String,
    pub(crate) reference_id: String,
    pub(crate) created_at: Timestamp,
}

/// Returns the transactions of a list of orders, oldest first.
pub(crate) fn transactions_of(
    tx: &Tx<'_>,
    orders: &str,
) -> Result<Vec<Transaction>, database::Error> {
    let rest =
        "where t.order_id in (select value from json_each(:orders)) order by t.created_at, t.id";
    Transaction::select(tx, rest, named_params! { ":orders": orders })
}

/// Returns the session whose payment has an id at its processor.
pub fn session_of(tx: &Tx<'_>, intent: &str) -> Result<Option<PaymentSessionId>, database::Error> {
    tx.sql(
        "select coalesce((select id from payment_session where data ->> 'id' = :intent order by id limit 1),
                         (select session_id from payment_report where intent_id = :intent order by session_id limit 1))",
    )
    .one(named_params! { ":intent": intent }, |row| row.get(0))
}

pub(crate) fn payment_of(
    tx: &Tx<'_>,
    session: &PaymentSessionId,
) -> Result<Option<Payment>, database::Error> {
    let rest = "where p.payment_session_id = :session";
    Payment::select_one(tx, rest, named_params! { ":session": session })
}

/// Takes the cancellation of a payment back, whose money has arrived nevertheless.
pub(crate) fn revive(tx: &Tx<'_>, payment: &PaymentId) -> Result<(), database::Error> {
    tx.sql("update payment set canceled_at = null, updated_at = :now where id = :payment")
        .run(named_params! { ":payment": payment, ":now": tx.now() })
}
