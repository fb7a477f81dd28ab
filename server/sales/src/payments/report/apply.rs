//! Updates the stored state of a payment to the processor's report.

use serde_json::json;

use super::{Report, ReportedState, rank};
use crate::database::{Table as _, Tx};
use crate::events;
use crate::ids::{CartId, OrderId, PaymentId, PaymentSessionId};
use crate::payments::PaymentError;
use crate::payments::payment::{Collection, Payment, Session};
use crate::payments::queries::{payments, sessions};
use crate::payments::transactions::{self, NewRefund};
use crate::proportion::subtract;

/// The note on refunds made at the processor.
const REFUND_NOTE: &str = "reported by the processor";

/// The subject of a report, and what the caller has to do.
#[derive(Debug, Clone, Default)]
pub struct Applied {
    /// The payment, if the session was paid.
    pub payment_id: Option<PaymentId>,
    /// The order to settle.
    pub order_id: Option<OrderId>,
    /// The cart whose money has arrived and which is not an order yet.
    pub paid_cart_id: Option<CartId>,
    /// The session whose money has arrived although its purpose was abandoned.
    pub late: Option<Session>,
}

/// Applies the report of a session, if there is one. The caller settles the order.
///
/// # Errors
/// [`PaymentError::NotFound`] if there is no such session.
pub fn apply(tx: &Tx<'_>, session: &PaymentSessionId) -> Result<Applied, PaymentError> {
    let Some(report) = Report::find(tx, session)? else { return Ok(Applied::default()) };
    let session = Session::require::<PaymentError>(tx, session)?;
    let reported = report.state.status();
    if rank(session.status) <= rank(reported) && session.status != reported {
        sessions::progress(tx, &session.id, reported, None)?;
    }
    let Some(payment) = payments::payment_of(tx, &session.id)? else {
        let is_paid = matches!(report.state, ReportedState::Authorized | ReportedState::Captured);
        let collection = Collection::require::<PaymentError>(tx, &session.collection_id)?;
        let is_given_up = collection.cart_id.is_none() && collection.order_id.is_none();
        let paid_cart_id = collection.cart_id.filter(|_| is_paid);
        let late = Some(session).filter(|_| is_paid && is_given_up);
        return Ok(Applied { paid_cart_id, late, ..Applied::default() });
    };
    let applied = Applied {
        payment_id: Some(payment.id.clone()),
        order_id: payment.order_id.clone(),
        ..Applied::default()
    };
    apply_to_payment(tx, &payment, &report)?;
    Ok(applied)
}

fn apply_to_payment(tx: &Tx<'_>, payment: &Payment, report: &Report) -> Result<(), PaymentError> {
    // More than the amount was never requested; the difference is visible to anybody who looks at the
    // report.
    let received_minor = report.received_minor.min(payment.amount_minor);
    if report.state == ReportedState::Captured && received_minor > payment.captured_minor {
        if payment.canceled_at.is_some() {
            revive(tx, payment)?;
        }
        let left_minor = subtract(received_minor, payment.captured_minor)?;
        transactions::capture(tx, &payment.id, Some(left_minor), None)?;
    }
    let is_open = payment.captured_minor == 0 && payment.canceled_at.is_none();
    if report.state == ReportedState::Canceled && is_open {
        transactions::cancel(tx, &payment.id)?;
    }
    let payment = transactions::find(tx, &payment.id)?;
    let refunded_minor = report.refunded_minor.min(payment.captured_minor);
    if refunded_minor > payment.refunded_minor {
        let left_minor = subtract(refunded_minor, payment.refunded_minor)?;
        let note = Some(REFUND_NOTE.to_owned());
        let new = NewRefund { amount_minor: Some(left_minor), note, ..NewRefund::default() };
        transactions::refund(tx, &payment.id, new)?;
    }
    Ok(())
}

/// Reverts a cancellation: the money is valid, and staff are notified.
fn revive(tx: &Tx<'_>, payment: &Payment) -> Result<(), PaymentError> {
    payments::revive(tx, &payment.id)?;
    transactions::authorize_again(tx, payment)?;
    let event = json!({ "id": payment.id, "order_id": payment.order_id });
    Ok(events::record(tx, "alert.payment_captured_after_cancel", &event)?)
}
