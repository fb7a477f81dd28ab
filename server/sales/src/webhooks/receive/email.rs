//! The e-mail provider: what is kept in record is joined to an e-mail of ours at once.

use serde_json::Value;

use super::{NotTaken, keep_signed};
use crate::webhooks::email;
use crate::webhooks::intake::{Incoming, Stored};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Status};

/// What the provider is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::webhooks) enum Receipt {
    /// It is kept.
    Captured,
    /// It was there already.
    Repeated,
    /// It is about an e-mail of this order.
    Recorded(String),
    /// It is about another e-mail of ours.
    Correlated,
    /// Whether it had an effect.
    Handled(bool),
}

pub(in crate::webhooks) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<Receipt, NotTaken> {
    let (mode, stored) = keep_signed(&state, Receiver::EmailProvider, incoming).await?;
    Ok(match stored {
        _ if mode == Mode::Capture => Receipt::Captured,
        Stored::Repeated(_) => Receipt::Repeated,
        Stored::New(delivery) if delivery.status == Status::Handled => {
            match delivery.effect.get(email::ORDER).and_then(Value::as_str) {
                Some(order) => Receipt::Recorded(order.to_owned()),
                None => Receipt::Correlated,
            }
        }
        Stored::New(_) => Receipt::Handled(false),
    })
}
