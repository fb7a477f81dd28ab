//! The e-mail provider: in record mode, an event is joined to one of our e-mails immediately.

use serde::Serialize;
use serde_json::Value;

use super::{ReceiveError, keep_signed};
use crate::http::ToSchema;
use crate::webhooks::email;
use crate::webhooks::intake::{Incoming, Stored};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Status};

/// The response to the e-mail provider: `mode` in capture mode, otherwise one of the other members.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct EmailReceipt {
    #[schema(example = true)]
    received: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    /// It was there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate: Option<bool>,
    /// It is about an e-mail of an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    order_id: Option<String>,
    /// It is about another e-mail of this store.
    #[serde(skip_serializing_if = "Option::is_none")]
    correlated: Option<bool>,
    /// Whether it had an effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    handled: Option<bool>,
}

pub(crate) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<EmailReceipt, ReceiveError> {
    let (mode, stored) = keep_signed(&state, Receiver::EmailProvider, incoming).await?;
    let empty = EmailReceipt { received: true, ..EmailReceipt::default() };
    let Some(stored) = stored.filter(|_| mode == Mode::Record) else {
        return Ok(EmailReceipt { mode: Some(mode), ..empty });
    };
    Ok(match stored {
        Stored::Repeated(_) => EmailReceipt { duplicate: Some(true), ..empty },
        Stored::New(delivery) if delivery.status == Status::Handled => {
            match delivery.effect.get(email::ORDER).and_then(Value::as_str) {
                Some(order) => {
                    let order_id = Some(order.to_owned());
                    EmailReceipt { recorded: Some(true), order_id, ..empty }
                }
                None => EmailReceipt { correlated: Some(true), ..empty },
            }
        }
        Stored::New(_) => EmailReceipt { handled: Some(false), ..empty },
    })
}
