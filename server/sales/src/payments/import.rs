//! Payments of a store whose history is written afterwards.

use super::error::PaymentError;
use super::payment::{Capture, Collection, Payment, Session};
use super::provider::Data;
use super::queries::payments::Transaction;
use super::queries::{collections, payments, sessions};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{
    CaptureId, OrderId, OrderTransactionId, PaymentCollectionId, PaymentId, PaymentSessionId,
};
use crate::money::Currency;
use crate::statuses::{CollectionStatus, SessionStatus, collection_status};

/// A payment of a store whose history is written afterwards.
#[derive(Debug, Clone)]
pub struct ImportedPayment {
    /// The order, which is there already.
    pub order_id: OrderId,
    /// What the order costs; nothing is paid of zero.
    pub amount_minor: i64,
    /// What it is in.
    pub currency: Currency,
    /// Who was asked.
    pub provider_id: &'static str,
    /// The id of its collection.
    pub collection_id: PaymentCollectionId,
    /// The id of the attempt.
    pub session_id: PaymentSessionId,
    /// The id of the payment.
    pub payment_id: PaymentId,
    /// The id of the capture and of the order's transaction; none if it was only promised.
    pub capture: Option<(CaptureId, OrderTransactionId)>,
    /// When it was promised.
    pub paid_at: Timestamp,
}

/// Keeps a payment of an imported store with five rows, and tells nobody: nothing is happening.
pub fn import(tx: &Tx<'_>, imported: &ImportedPayment) -> Result<(), PaymentError> {
    let (at, amount_minor) = (imported.paid_at, imported.amount_minor);
    let is_captured = imported.capture.is_some();
    let captured_minor = if is_captured { amount_minor } else { 0 };
    let status = collection_status(amount_minor, amount_minor, captured_minor, true);
    collections::insert(
        tx,
        &Collection {
            id: imported.collection_id.clone(),
            cart_id: None,
            order_id: Some(imported.order_id.clone()),
            currency: imported.currency,
            amount_minor,
            authorized_minor: amount_minor,
            captured_minor,
            refunded_minor: 0,
            status,
            completed_at: (status == CollectionStatus::Completed).then_some(at),
            metadata: None,
            created_at: at,
            updated_at: at,
        },
    )?;
    if amount_minor < 1 {
        return Ok(());
    }
    sessions::insert(
        tx,
        &Session {
            id: imported.session_id.clone(),
            collection_id: imported.collection_id.clone(),
            provider_id: imported.provider_id.to_owned(),
            currency: imported.currency,
            amount_minor,
            status: if is_captured { SessionStatus::Captured } else { SessionStatus::Authorized },
            data: Data::new(),
            authorized_at: Some(at),
            created_at: at,
            updated_at: at,
        },
    )?;
    insert_payment(tx, imported)
}

fn insert_payment(tx: &Tx<'_>, imported: &ImportedPayment) -> Result<(), PaymentError> {
    let (at, amount_minor) = (imported.paid_at, imported.amount_minor);
    let is_captured = imported.capture.is_some();
    let captured_minor = if is_captured { amount_minor } else { 0 };
    let payment = Payment {
        id: imported.payment_id.clone(),
        collection_id: imported.collection_id.clone(),
        session_id: imported.session_id.clone(),
        order_id: Some(imported.order_id.clone()),
        provider_id: imported.provider_id.to_owned(),
        currency: imported.currency,
        amount_minor,
        captured_minor,
        refunded_minor: 0,
        data: Data::new(),
        captured_at: is_captured.then_some(at),
        canceled_at: None,
        metadata: None,
        created_at: at,
        updated_at: at,
    };
    payments::insert(tx, &payment)?;
    if let Some((capture_id, transaction_id)) = &imported.capture {
        let capture = Capture {
            id: capture_id.clone(),
            payment_id: imported.payment_id.clone(),
            amount_minor,
            created_by: None,
            created_at: at,
        };
        payments::insert_capture(tx, &capture)?;
        payments::insert_transaction(
            tx,
            &Transaction {
                id: transaction_id.clone(),
                order_id: &imported.order_id,
                amount_minor,
                reference: "capture",
                reference_id: capture_id.as_str(),
                at,
            },
        )?;
    }
    Ok(())
}
