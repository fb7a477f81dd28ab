//! The last step of a completion: one write turns the draft into the order, or releases everything.

use super::claim::{self, PendingOrder};
use super::error::CheckoutError;
use super::queries;
use crate::database::Tx;
use crate::ids::{OrderId, PaymentMethodId};
use crate::payments::provider::{Data, Outcome};
use crate::statuses::SessionStatus;
use crate::{cart, orders, payments};

/// The result of a completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    Placed(OrderId),
    /// The cart is still a cart, and nothing was charged or reserved.
    Refused {
        /// Whether the shopper has to act before another attempt.
        requires_more: bool,
        /// The reason, for the shopper.
        message: String,
    },
}

/// Records the provider's result of a pending order, with the method saved for renewals. If another request has already
/// settled it, its result stands.
pub(super) fn settle(
    tx: &Tx<'_>,
    pending: &PendingOrder,
    outcome: &Outcome,
    method_id: Option<PaymentMethodId>,
) -> Result<Completion, CheckoutError> {
    let PendingOrder { cart_id, order_id, session, .. } = pending;
    match queries::completion(tx, cart_id)? {
        Some(row) if row.order_id == *order_id && !row.is_done => {}
        Some(row) if row.is_done => return Ok(Completion::Placed(row.order_id)),
        Some(_) | None => return Ok(refusal(outcome)),
    }
    let (data, is_captured) = match outcome {
        Outcome::Authorized { data } => (data, false),
        Outcome::Captured { data } => (data, true),
        Outcome::RequiresMore { data } => {
            give_back(tx, pending, SessionStatus::RequiresMore, Some(data))?;
            return Ok(refusal(outcome));
        }
        Outcome::Declined { .. } => {
            give_back(tx, pending, SessionStatus::Error, None)?;
            return Ok(refusal(outcome));
        }
    };
    payments::authorized(tx, order_id, &session.id, data, is_captured)?;
    claim::confirm(tx, cart_id, order_id, method_id)?;
    Ok(Completion::Placed(order_id.clone()))
}

/// Releases everything that the claim took.
fn give_back(
    tx: &Tx<'_>,
    pending: &PendingOrder,
    status: SessionStatus,
    data: Option<&Data>,
) -> Result<(), CheckoutError> {
    let PendingOrder { cart_id, order_id, session, .. } = pending;
    let cart = cart::load(tx, cart_id)?;
    orders::discard_draft(tx, order_id)?;
    claim::refund_credit(tx, &cart)?;
    queries::unclaim(tx, cart_id)?;
    Ok(payments::not_authorized(tx, &session.id, status, data)?)
}

/// The shopper has to act at the provider first.
pub(super) fn awaits_shopper() -> Completion {
    let message = "More information is required for payment".to_owned();
    Completion::Refused { requires_more: true, message }
}

fn refusal(outcome: &Outcome) -> Completion {
    match outcome {
        Outcome::Declined { reason } => Completion::Refused {
            requires_more: false,
            message: format!("Payment authorization failed: {reason}"),
        },
        Outcome::RequiresMore { .. } => awaits_shopper(),
        // In the meantime, another request released everything, so this payment is not used.
        Outcome::Authorized { .. } | Outcome::Captured { .. } => Completion::Refused {
            requires_more: false,
            message: "The payment was given up by another request".to_owned(),
        },
    }
}
