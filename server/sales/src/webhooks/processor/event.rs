//! The card processor's events, parsed into reports. Pure functions.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::payments::provider::SavedMethod;
use crate::payments::report::{ReportedEvent, ReportedState};
use crate::payments::stripe;

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Captured,
    Authorized,
    #[serde(rename = "requires_action")]
    ShopperRequired,
    Failed,
    Canceled,
    Refunded,
    Disputed,
    MethodSaved,
    MethodFailed,
    MethodChanged,
    /// Nothing here follows from it.
    NotSupported,
}

impl Action {
    fn of(kind: &str) -> Self {
        match kind {
            "payment_intent.succeeded" => Self::Captured,
            "payment_intent.amount_capturable_updated" => Self::Authorized,
            "payment_intent.requires_action" => Self::ShopperRequired,
            "payment_intent.payment_failed" => Self::Failed,
            "payment_intent.canceled" => Self::Canceled,
            "charge.refunded" => Self::Refunded,
            "setup_intent.succeeded" => Self::MethodSaved,
            "setup_intent.setup_failed" => Self::MethodFailed,
            other if other.starts_with("charge.dispute.") => Self::Disputed,
            other if other.starts_with("payment_method.") => Self::MethodChanged,
            _ => Self::NotSupported,
        }
    }

    /// Returns whether money has moved, or will, so that staff must be notified of an event without a payment.
    pub(crate) const fn is_of_money(self) -> bool {
        matches!(self, Self::Captured | Self::Authorized | Self::Refunded | Self::Disputed)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessorEvent {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) action: Action,
    pub(crate) created_at_s: i64,
    pub(crate) is_live: Option<bool>,
    /// The processor's id of the payment.
    pub(crate) intent: Option<String>,
    /// The session in the payment's metadata.
    pub(crate) session: Option<String>,
    /// The subscription cycle in the payment's metadata.
    pub(crate) cycle: Option<String>,
    /// The amount and the currency that the payment is for, if it is about a payment as a whole.
    pub(crate) price: Option<(i64, String)>,
    pub(crate) method: Option<SavedMethod>,
    /// The processor's id of the customer whose method it is about.
    pub(crate) holder: Option<String>,
    /// Why a method was not saved: codes and a message, never card data.
    pub(crate) failure: Option<Value>,
    pub(crate) received_minor: i64,
    refunded_minor: i64,
    pub(crate) dispute: Option<String>,
}

#[derive(Deserialize)]
struct Envelope {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    created: i64,
    livemode: Option<bool>,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    object: Map<String, Value>,
}

impl ProcessorEvent {
    /// Reads an event; none if it is not one.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let Envelope { id, kind, created, livemode, data } = serde_json::from_slice(body).ok()?;
        if id.is_empty() {
            return None;
        }
        let object = data.object;
        let action = Action::of(&kind);
        let is_intent = kind.starts_with("payment_intent.");
        let intent_key = if is_intent { "id" } else { "payment_intent" };
        let metadata = object.get("metadata").and_then(Value::as_object);
        let named = |key| metadata.and_then(|metadata| text(metadata, key));
        let price = text(&object, "currency").filter(|_| is_intent);
        Some(Self {
            action,
            created_at_s: created,
            is_live: livemode,
            intent: reference(&object, intent_key),
            session: named("session_id"),
            cycle: named("cycle_id"),
            price: price.and_then(|currency| Some((amount(&object, "amount")?, currency))),
            received_minor: received(action, &object),
            refunded_minor: amount(&object, "amount_refunded").unwrap_or_default(),
            method: saved_method(action, &object),
            holder: reference(&object, "customer"),
            failure: failure(&object).filter(|_| action == Action::MethodFailed),
            dispute: text(&object, "status").filter(|_| action == Action::Disputed),
            id,
            kind,
        })
    }

    /// Returns its report about the payment.
    pub(crate) fn reported(&self) -> ReportedEvent {
        ReportedEvent {
            intent_id: self.intent.clone(),
            state: match self.action {
                Action::Captured => ReportedState::Captured,
                Action::Authorized => ReportedState::Authorized,
                Action::ShopperRequired => ReportedState::RequiresAction,
                Action::Failed => ReportedState::Failed,
                Action::Canceled => ReportedState::Canceled,
                // A refunded amount was captured before.
                Action::Refunded if self.received_minor > 0 => ReportedState::Captured,
                Action::Refunded
                | Action::Disputed
                | Action::MethodSaved
                | Action::MethodFailed
                | Action::MethodChanged
                | Action::NotSupported => ReportedState::Pending,
            },
            received_minor: self.received_minor,
            refunded_minor: self.refunded_minor,
            is_disputed: self.action == Action::Disputed,
            created_at_s: self.created_at_s,
            event_id: self.id.clone(),
        }
    }
}

/// Returns a saved method, with only the card data that may be stored.
fn method(object: &Map<String, Value>) -> Option<SavedMethod> {
    let card = object.get("card").and_then(Value::as_object);
    let stored = card.map(|card| {
        let stored = ["brand", "last4", "exp_month", "exp_year"].map(|name| (name, card.get(name)));
        stored.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
    });
    Some(SavedMethod {
        reference: text(object, "id")?,
        card: stored,
        fingerprint: card.and_then(|card| text(card, "fingerprint")),
    })
}

/// Returns the method that an event is about.
fn saved_method(action: Action, object: &Map<String, Value>) -> Option<SavedMethod> {
    if action == Action::MethodChanged {
        return method(object);
    }
    if action != Action::MethodSaved {
        return None;
    }
    // A `SetupIntent` has its method whole or by its id.
    match object.get("payment_method").and_then(Value::as_object) {
        Some(whole) => method(whole),
        None => Some(SavedMethod {
            reference: text(object, "payment_method")?,
            card: None,
            fingerprint: None,
        }),
    }
}

/// Returns why a `SetupIntent` has failed.
fn failure(intent: &Map<String, Value>) -> Option<Value> {
    let error = intent.get("last_setup_error")?.as_object()?;
    let named = |name: &str| Some((name.to_owned(), json!(text(error, name)?)));
    Some(["code", "decline_code", "message"].into_iter().filter_map(named).collect())
}

/// Returns the captured total that an event reports.
fn received(action: Action, object: &Map<String, Value>) -> i64 {
    let key = match action {
        Action::Captured => "amount_received",
        Action::Refunded => "amount_captured",
        Action::Authorized
        | Action::ShopperRequired
        | Action::Failed
        | Action::Canceled
        | Action::Disputed
        | Action::MethodSaved
        | Action::MethodFailed
        | Action::MethodChanged
        | Action::NotSupported => return 0,
    };
    amount(object, key).or_else(|| amount(object, "amount")).unwrap_or_default()
}

/// Returns an amount in minor units of the object's currency.
fn amount(object: &Map<String, Value>, key: &str) -> Option<i64> {
    let amount = object.get(key)?.as_i64().filter(|amount| *amount >= 0)?;
    Some(stripe::to_minor(amount, &text(object, "currency").unwrap_or_default()))
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Returns the id of an object, which is given in full or by its id.
fn reference(object: &Map<String, Value>, key: &str) -> Option<String> {
    text(object, key).or_else(|| text(object.get(key)?.as_object()?, "id"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: &str, object: &Value) -> ProcessorEvent {
        let body = json!({ "id": "evt_1", "type": kind, "created": 7, "livemode": false, "data": { "object": object } });
        ProcessorEvent::read(body.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn an_event_states_its_payment_and_the_progress() {
        let intent = json!({ "id": "pi_1", "amount": 1_000, "amount_received": 700, "currency": "gbp",
            "metadata": { "session_id": "payses_1" } });
        for (kind, state, received_minor) in [
            ("payment_intent.succeeded", ReportedState::Captured, 700),
            ("payment_intent.amount_capturable_updated", ReportedState::Authorized, 0),
            ("payment_intent.requires_action", ReportedState::RequiresAction, 0),
            ("payment_intent.payment_failed", ReportedState::Failed, 0),
            ("payment_intent.canceled", ReportedState::Canceled, 0),
        ] {
            let event = read(kind, &intent);
            let reported = event.reported();
            assert_eq!(
                (reported.state, reported.received_minor),
                (state, received_minor),
                "{kind}"
            );
            assert_eq!(event.intent.as_deref(), Some("pi_1"), "{kind}");
            assert_eq!(event.session.as_deref(), Some("payses_1"), "{kind}");
            assert_eq!(event.price, Some((1_000, "gbp".to_owned())), "{kind}");
        }
    }

    #[test]
    fn a_refund_says_that_and_how_much_was_captured() {
        let charge = json!({ "id": "ch_1", "amount": 1_000, "amount_captured": 1_000, "amount_refunded": 300,
            "currency": "gbp", "payment_intent": { "id": "pi_1" } });
        let event = read("charge.refunded", &charge);
        let reported = event.reported();
        assert_eq!(reported.state, ReportedState::Captured);
        assert_eq!((reported.received_minor, reported.refunded_minor), (1_000, 300));
        assert_eq!((event.intent.as_deref(), event.price), (Some("pi_1"), None));
    }

    #[test]
    fn amounts_are_read_in_minor_units_where_the_processor_counts_in_others() {
        let intent = json!({ "id": "pi_1", "amount": 125_000, "amount_received": 100_000, "currency": "isk" });
        let event = read("payment_intent.succeeded", &intent);
        assert_eq!(event.price, Some((1_250, "isk".to_owned())));
        assert_eq!(event.reported().received_minor, 1_000);
        let charge =
            json!({ "id": "ch_1", "amount_captured": 12, "amount_refunded": 7, "currency": "mga" });
        let reported = read("charge.refunded", &charge).reported();
        assert_eq!((reported.received_minor, reported.refunded_minor), (1_200, 700));
    }

    #[test]
    fn other_types_do_nothing() {
        for (kind, action) in [
            ("charge.dispute.created", Action::Disputed),
            ("setup_intent.succeeded", Action::MethodSaved),
            ("setup_intent.setup_failed", Action::MethodFailed),
            ("payment_method.attached", Action::MethodChanged),
            ("payment_intent.created", Action::NotSupported),
            ("invoice.paid", Action::NotSupported),
        ] {
            assert_eq!(read(kind, &json!({})).action, action, "{kind}");
        }
        for body in [&b""[..], b"{}", b"[]", br#"{"id": "", "type": "x", "data": {"object": {}}}"#]
        {
            assert_eq!(ProcessorEvent::read(body), None);
        }
    }
}
