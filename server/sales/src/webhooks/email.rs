//! The e-mail provider's events: the delivery states of our e-mails.

use serde_json::{Map, Value, json};

use super::delivery::Effect;
use super::error::WebhookError;
use crate::database::Tx;
use crate::mail::sent::{self, MailState};

/// The member of an effect with the order of an e-mail.
pub(super) const ORDER: &str = "order_id";

pub(super) fn apply(tx: &Tx<'_>, body: &[u8]) -> Result<Effect, WebhookError> {
    let skipped = |reason: &str| Ok(Effect::Skipped(reason.to_owned()));
    let Ok(event) = serde_json::from_slice::<Map<String, Value>>(body) else {
        return skipped("it is no JSON object");
    };
    let Some(state) = event.get("type").and_then(Value::as_str).and_then(state) else {
        return skipped("unhandled_type");
    };
    let data = event.get("data").and_then(Value::as_object);
    let text = |name: &str| data.and_then(|data| data.get(name)).and_then(Value::as_str);
    for id in ["email_id", "message_id"].into_iter().filter_map(text) {
        if let Some(mail) = sent::report(tx, id, state)? {
            let message_id = ("message_id", json!(mail.id));
            return Ok(Effect::done([message_id, (ORDER, json!(mail.order_id))]));
        }
    }
    skipped("unknown_message")
}

fn state(kind: &str) -> Option<MailState> {
    Some(match kind.strip_prefix("email.")? {
        "sent" => MailState::Sent,
        "delivered" => MailState::Delivered,
        "opened" => MailState::Opened,
        "clicked" => MailState::Clicked,
        "failed" => MailState::Failed,
        "bounced" => MailState::Bounced,
        "complained" => MailState::Complained,
        _ => return None,
    })
}
