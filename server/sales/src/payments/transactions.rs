//! Records authorizations, captures and refunds in the caller's transaction, after the provider was called. The caller
//! settles the order afterwards.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::error::PaymentError;
use super::payment::{Capture, Collection, Payment, Refund, Session};
use super::provider::Data;
use super::queries::payments::{self, Transaction};
use super::queries::{collections, sessions};
use super::report;
use crate::database::{Table as _, Tx};
use crate::events;
use crate::ids::{
    self, CaptureId, CreditEntryId, OrderId, OrderTransactionId, PaymentCollectionId, PaymentId,
    PaymentSessionId, RefundId, RefundReasonId,
};
use crate::money::Currency;
use crate::proportion::{add, subtract};
use crate::statuses::{CollectionStatus, SessionStatus};

/// Records that a session was authorized for an order, and captured if the provider did so. The session and its
/// collection are assigned to the order.
///
/// # Errors
/// [`PaymentError::NotFound`]; a database error if the session already has a payment.
pub fn authorized(
    tx: &Tx<'_>,
    order: &OrderId,
    session: &PaymentSessionId,
    data: &Data,
    is_captured: bool,
) -> Result<PaymentId, PaymentError> {
    let mut session = Session::require::<PaymentError>(tx, session)?;
    let status = if is_captured { SessionStatus::Captured } else { SessionStatus::Authorized };
    sessions::progress(tx, &session.id, status, Some(data))?;
    collections::give_to(tx, &session.collection_id, order)?;
    session.data.clone_from(data);
    let payment = Payment::new(session, order.clone(), tx.now());
    payment.insert(tx)?;
    add_to_collection(tx, &payment.collection_id, |collection| {
        collection.authorized_minor = add(collection.authorized_minor, payment.amount_minor)?;
        Ok(())
    })?;
    if is_captured {
        capture(tx, &payment.id, None, None)?;
    }
    // The processor may have reported the payment before it was an order's.
    report::apply(tx, &payment.session_id)?;
    Ok(payment.id)
}

/// Counts the authorization of a canceled payment again.
pub(super) fn authorize_again(tx: &Tx<'_>, payment: &Payment) -> Result<(), PaymentError> {
    add_to_collection(tx, &payment.collection_id, |collection| {
        collection.authorized_minor = add(collection.authorized_minor, payment.amount_minor)?;
        collection.status = CollectionStatus::Authorized;
        Ok(())
    })
}

/// Records the capture of a payment, in full or in part; defaults to the remainder.
pub fn capture(
    tx: &Tx<'_>,
    id: &PaymentId,
    amount_minor: Option<i64>,
    created_by: Option<&str>,
) -> Result<CaptureId, PaymentError> {
    let mut payment = find(tx, id)?;
    let amount_minor = capturable(&payment, amount_minor)?;
    let capture = Capture {
        id: CaptureId::new(),
        payment_id: id.clone(),
        amount_minor,
        created_by: created_by.map(str::to_owned),
        created_at: tx.now(),
    };
    capture.insert(tx)?;
    payment.captured_minor = add(payment.captured_minor, amount_minor)?;
    if payment.captured_minor == payment.amount_minor {
        payment.captured_at = Some(tx.now());
    }
    payment.update(tx)?;
    add_to_collection(tx, &payment.collection_id, |collection| {
        collection.captured_minor = add(collection.captured_minor, amount_minor)?;
        Ok(())
    })?;
    let order_id = payment.order_id.as_ref();
    record_transaction(tx, order_id, amount_minor, "capture", capture.id.as_str())?;
    record_event(tx, "payment.captured", &payment)?;
    Ok(capture.id)
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct NewRefund {
    /// Defaults to the remainder.
    pub amount_minor: Option<i64>,
    pub reason_id: Option<RefundReasonId>,
    pub note: Option<String>,
    pub created_by: Option<String>,
}

/// Records the refund of a captured payment, in full or in part.
pub fn refund(tx: &Tx<'_>, id: &PaymentId, new: NewRefund) -> Result<RefundId, PaymentError> {
    let payment = find(tx, id)?;
    let amount_minor = refundable(&payment, new.amount_minor)?;
    let refund = Refund {
        id: RefundId::new(),
        payment_id: id.clone(),
        amount_minor,
        reason_id: new.reason_id,
        note: new.note,
        created_by: new.created_by,
        created_at: tx.now(),
    };
    refund.insert(tx)?;
    payment.update(tx)?;
    add_to_collection(tx, &payment.collection_id, |collection| {
        collection.refunded_minor = add(collection.refunded_minor, amount_minor)?;
        Ok(())
    })?;
    let taken_minor = subtract(0, amount_minor)?;
    record_transaction(tx, payment.order_id.as_ref(), taken_minor, "refund", refund.id.as_str())?;
    record_event(tx, "payment.refunded", &payment)?;
    Ok(refund.id)
}

/// Records the cancellation of a payment of which nothing was captured. Idempotent.
///
/// # Errors
/// [`PaymentError::Captured`] if a part of it was captured, [`PaymentError::NotFound`].
pub fn cancel(tx: &Tx<'_>, id: &PaymentId) -> Result<(), PaymentError> {
    let mut payment = find(tx, id)?;
    if payment.captured_minor > 0 {
        return Err(PaymentError::Captured(id.clone()));
    }
    if payment.canceled_at.is_some() {
        return Ok(());
    }
    payment.canceled_at = Some(tx.now());
    payment.update(tx)?;
    sessions::progress(tx, &payment.session_id, SessionStatus::Canceled, None)?;
    add_to_collection(tx, &payment.collection_id, |collection| {
        collection.authorized_minor = subtract(collection.authorized_minor, payment.amount_minor)?;
        if collection.authorized_minor == 0 {
            collection.status = CollectionStatus::Canceled;
        }
        Ok(())
    })
}

/// Cancels the collections of a canceled order that have no authorization.
pub fn cancel_open(tx: &Tx<'_>, order: &OrderId) -> Result<(), PaymentError> {
    for collection in collections::of_orders(tx, &ids::list([order]))? {
        if collection.authorized_minor == 0 {
            let canceled = Collection { status: CollectionStatus::Canceled, ..collection };
            canceled.update(tx)?;
        }
    }
    Ok(())
}

/// Records that the remainder of a collection was paid outside of the providers.
///
/// # Errors
/// [`PaymentError::NotFound`], [`PaymentError::OfAnotherOrder`]; [`PaymentError::NothingToPay`] if it is paid.
pub fn mark_as_paid(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    order: &OrderId,
    created_by: &str,
) -> Result<PaymentId, PaymentError> {
    let collection = Collection::require::<PaymentError>(tx, id)?;
    if collection.order_id.as_ref() != Some(order) {
        return Err(PaymentError::OfAnotherOrder { collection: id.clone(), order: order.clone() });
    }
    let left_minor = subtract(collection.amount_minor, collection.authorized_minor)?;
    if left_minor < 1 || collection.status == CollectionStatus::Canceled {
        return Err(PaymentError::NothingToPay);
    }
    let provider_id = super::manual::ID.to_owned();
    let session =
        Session { amount_minor: left_minor, ..Session::new(&collection, provider_id, tx.now()) };
    session.insert(tx)?;
    let payment = authorized(tx, order, &session.id, &Data::new(), false)?;
    capture(tx, &payment, None, Some(created_by))?;
    Ok(payment)
}

/// Returns the amount to capture, checked against the remainder of the payment.
pub fn capturable(payment: &Payment, amount_minor: Option<i64>) -> Result<i64, PaymentError> {
    if payment.canceled_at.is_some() {
        return Err(PaymentError::Canceled(payment.id.clone()));
    }
    let left_minor = subtract(payment.amount_minor, payment.captured_minor)?;
    part_of(payment.currency, "capture", left_minor, amount_minor)
}

/// Returns the amount to refund, checked against the captured amount.
pub fn refundable(payment: &Payment, amount_minor: Option<i64>) -> Result<i64, PaymentError> {
    let left_minor = subtract(payment.captured_minor, payment.refunded_minor)?;
    part_of(payment.currency, "refund", left_minor, amount_minor)
}

fn part_of(
    currency: Currency,
    verb: &'static str,
    left_minor: i64,
    requested_minor: Option<i64>,
) -> Result<i64, PaymentError> {
    let amount_minor = requested_minor.unwrap_or(left_minor);
    if requested_minor.is_some_and(|requested| requested < 1) {
        return Err(PaymentError::NotPositive { verb });
    }
    if left_minor < 1 {
        return Err(PaymentError::NothingLeft { verb });
    }
    if amount_minor > left_minor {
        let (requested, left) = (currency.amount(amount_minor), currency.amount(left_minor));
        return Err(PaymentError::AboveRemainder { verb, requested, left });
    }
    Ok(amount_minor)
}

pub fn find(tx: &Tx<'_>, id: &PaymentId) -> Result<Payment, PaymentError> {
    Payment::require(tx, id)
}

/// Returns the payments of a collection, oldest first.
pub fn of_collection(tx: &Tx<'_>, id: &PaymentCollectionId) -> Result<Vec<Payment>, PaymentError> {
    Ok(payments::of_collections(tx, &ids::list([id]))?)
}

/// Changes the sums of a collection and updates its status.
fn add_to_collection(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    change: impl FnOnce(&mut Collection) -> Result<(), PaymentError>,
) -> Result<(), PaymentError> {
    let mut collection = Collection::require::<PaymentError>(tx, id)?;
    change(&mut collection)?;
    if collection.status != CollectionStatus::Canceled {
        collection.status = collection.implied_status();
    }
    if collection.status == CollectionStatus::Completed && collection.completed_at.is_none() {
        collection.completed_at = Some(tx.now());
    }
    Ok(collection.update(tx)?)
}

/// Records the refund of a part of an order to store credit.
pub(crate) fn refunded_to_credit(
    tx: &Tx<'_>,
    order_id: &OrderId,
    amount_minor: i64,
    entry: &CreditEntryId,
) -> Result<(), PaymentError> {
    let taken_minor = subtract(0, amount_minor)?;
    record_transaction(tx, Some(order_id), taken_minor, "store_credit_refund", entry.as_str())
}

fn record_transaction(
    tx: &Tx<'_>,
    order_id: Option<&OrderId>,
    amount_minor: i64,
    reference: &'static str,
    reference_id: &str,
) -> Result<(), PaymentError> {
    let Some(order_id) = order_id else { return Ok(()) };
    let transaction = Transaction {
        id: OrderTransactionId::new(),
        order_id: order_id.clone(),
        amount_minor,
        reference: reference.to_owned(),
        reference_id: reference_id.to_owned(),
        created_at: tx.now(),
    };
    Ok(transaction.insert(tx)?)
}

fn record_event(tx: &Tx<'_>, name: &'static str, payment: &Payment) -> Result<(), PaymentError> {
    let event = json!({ "id": payment.id, "order_id": payment.order_id });
    Ok(events::record(tx, name, &event)?)
}
