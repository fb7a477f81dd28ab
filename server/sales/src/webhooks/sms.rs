//! Text messages of customers: the provider sends them, and the module that texts customers decides what
//! they mean.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::delivery::{Delivery, Effect};
use super::error::WebhookError;
use super::queries;
use super::vocabulary::Status;
use crate::clock::Timestamp;
use crate::database::{self, Table as _, Tx};
use crate::events;
use crate::ids::WebhookDeliveryId;

/// The event of an incoming text message, and its type at the provider. The event contains neither the sender nor the
/// text.
pub const RECEIVED: &str = "sms.received";

/// An incoming text message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The number of the sender, with its country code.
    pub from: String,
    pub text: String,
    /// When it was sent according to the provider, at most when it arrived.
    pub sent_at: Timestamp,
    /// Whether it has had no effect yet.
    pub is_new: bool,
}

/// A message as the provider delivers it.
#[derive(Debug, Default, Deserialize)]
struct Body {
    data: Data,
}

#[derive(Debug, Default, Deserialize)]
struct Data {
    from: String,
    text: String,
    sent_at: Option<String>,
}

/// Announces a message; other news of the provider have no effect.
pub(super) fn announce(tx: &Tx<'_>, delivery: &Delivery) -> Result<Effect, WebhookError> {
    if delivery.event.as_deref() != Some(RECEIVED) {
        return Ok(Effect::Skipped("unhandled_type".to_owned()));
    }
    events::record(tx, RECEIVED, &json!({ "webhook_id": delivery.id }))?;
    Ok(Effect::Announced)
}

/// Returns the message of a delivery; none if it is no longer stored. An unreadable one is empty.
pub fn message(tx: &Tx<'_>, id: &WebhookDeliveryId) -> Result<Option<Message>, database::Error> {
    let (Some(delivery), Some(body)) = (Delivery::find(tx, id)?, queries::body(tx, id)?) else {
        return Ok(None);
    };
    let Body { data } = serde_json::from_slice(&body).unwrap_or_default();
    let sent_at = data.sent_at.and_then(|text| text.parse::<Timestamp>().ok());
    Ok(Some(Message {
        from: data.from,
        text: data.text,
        sent_at: sent_at.unwrap_or(delivery.received_at).min(delivery.received_at),
        is_new: delivery.status == Status::Received,
    }))
}

/// Records the effect of a message, or why it had none.
pub fn took_effect(
    tx: &Tx<'_>,
    id: &WebhookDeliveryId,
    effect: Result<Map<String, Value>, &'static str>,
) -> Result<(), database::Error> {
    let Some(mut delivery) = Delivery::find(tx, id)? else { return Ok(()) };
    match effect {
        Ok(effect) => {
            delivery.effect.extend(effect);
            delivery.end(Status::Handled, None, tx.now());
        }
        Err(reason) => delivery.end(Status::Skipped, Some(reason.to_owned()), tx.now()),
    }
    delivery.update(tx)
}
