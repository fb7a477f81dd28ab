//! Imported payments.

use super::error::PaymentError;
use super::payment::{Capture, Collection, Payment, Session};
use super::queries::payments::Transaction;
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::ids::{
    CaptureId, OrderId, OrderTransactionId, PaymentCollectionId, PaymentId, PaymentSessionId,
};
use crate::money::Currency;
use crate::statuses::{CollectionStatus, SessionStatus, collection_status};

#[derive(Debug, Clone)]
pub struct ImportedPayment {
    /// The order, which exists already.
    pub order_id: OrderId,
    /// The order's total; zero has no payment.
    pub amount_minor: i64,
    pub currency: Currency,
    pub provider_id: &'static str,
    pub collection_id: PaymentCollectionId,
    pub session_id: PaymentSessionId,
    pub payment_id: PaymentId,
    /// The ids of the capture and of the order's transaction; none if the payment is only authorized.
    pub capture: Option<(CaptureId, OrderTransactionId)>,
    /// When it was authorized.
    pub paid_at: Timestamp,
}

/// Writes a payment with its collection, session, capture and transaction, without an event.
pub fn import(tx: &Tx<'_>, imported: &ImportedPayment) -> Result<(), PaymentError> {
    let tx = &tx.at(imported.paid_at);
    let (now, amount_minor) = (tx.now(), imported.amount_minor);
    let is_captured = imported.capture.is_some();
    let captured_minor = if is_captured { amount_minor } else { 0 };
    let status = collection_status(amount_minor, amount_minor, captured_minor, true);
    let collection = Collection {
        id: imported.collection_id.clone(),
        order_id: Some(imported.order_id.clone()),
        authorized_minor: amount_minor,
        captured_minor,
        status,
        completed_at: (status == CollectionStatus::Completed).then_some(now),
        ..Collection::new(imported.currency, amount_minor, now)
    };
    collection.insert(tx)?;
    if amount_minor < 1 {
        return Ok(());
    }
    let session = Session {
        id: imported.session_id.clone(),
        status: if is_captured { SessionStatus::Captured } else { SessionStatus::Authorized },
        authorized_at: Some(now),
        ..Session::new(&collection, imported.provider_id.to_owned(), now)
    };
    session.insert(tx)?;
    let payment = Payment {
        id: imported.payment_id.clone(),
        captured_at: is_captured.then_some(now),
        ..Payment::new(session, imported.order_id.clone(), now)
    };
    payment.insert(tx)?;
    let Some((capture_id, transaction_id)) = &imported.capture else { return Ok(()) };
    let capture = Capture {
        id: capture_id.clone(),
        payment_id: payment.id,
        amount_minor,
        created_by: None,
        created_at: now,
    };
    capture.insert(tx)?;
    let transaction = Transaction {
        id: transaction_id.clone(),
        order_id: imported.order_id.clone(),
        amount_minor,
        reference: "capture".to_owned(),
        reference_id: capture_id.to_string(),
        created_at: now,
    };
    Ok(transaction.insert(tx)?)
}
