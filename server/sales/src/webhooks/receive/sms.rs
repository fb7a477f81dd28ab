//! The provider of text messages: a message that came in is announced at once.

use super::{NotTaken, keep_signed};
use crate::webhooks::intake::{Incoming, Stored};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Status};

/// What the provider is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::webhooks) enum Receipt {
    /// It is kept.
    Captured,
    /// It was there already.
    Repeated,
    /// Whether it is a message, which is read.
    Handled(bool),
}

pub(in crate::webhooks) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<Receipt, NotTaken> {
    let (mode, stored) = keep_signed(&state, Receiver::SmsProvider, incoming).await?;
    Ok(match stored {
        _ if mode == Mode::Capture => Receipt::Captured,
        Stored::Repeated(_) => Receipt::Repeated,
        Stored::New(delivery) => Receipt::Handled(delivery.status == Status::Received),
    })
}
