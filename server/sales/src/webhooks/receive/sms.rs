//! The SMS provider: an incoming message is announced immediately.

use serde::Serialize;

use super::{ReceiveError, keep_signed};
use crate::http::ToSchema;
use crate::webhooks::intake::{Incoming, Stored};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Status};

/// The response to the SMS provider: `mode` in capture mode, otherwise one of the other members.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct SmsReceipt {
    #[schema(example = true)]
    received: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    /// It was there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate: Option<bool>,
    /// Whether it is a message, which is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    handled: Option<bool>,
}

pub(crate) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<SmsReceipt, ReceiveError> {
    let (mode, stored) = keep_signed(&state, Receiver::SmsProvider, incoming).await?;
    let empty = SmsReceipt { received: true, ..SmsReceipt::default() };
    let Some(stored) = stored.filter(|_| mode == Mode::Record) else {
        return Ok(SmsReceipt { mode: Some(mode), ..empty });
    };
    Ok(match stored {
        Stored::Repeated(_) => SmsReceipt { duplicate: Some(true), ..empty },
        Stored::New(delivery) => {
            SmsReceipt { handled: Some(delivery.status == Status::Received), ..empty }
        }
    })
}
