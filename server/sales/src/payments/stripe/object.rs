//! The processor's objects, limited to the fields that are read.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::client::StripeError;
use crate::database::Word;
use crate::payments::provider::{
    AUTHENTICATION_REQUIRED, Data, Outcome, ProviderError, SavedMethod,
};

/// The status of an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Processing,
    RequiresCapture,
    Canceled,
    Succeeded,
    /// A status of a later version of the API.
    #[serde(other)]
    Unknown,
}

impl Status {
    /// Returns whether the amount may still be changed.
    pub(super) fn is_open(self) -> bool {
        matches!(
            self,
            Self::RequiresPaymentMethod | Self::RequiresConfirmation | Self::RequiresAction
        )
    }
}

/// A `PaymentIntent`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Intent {
    pub(super) id: String,
    pub(super) status: Status,
    #[serde(deserialize_with = "whole")]
    pub(super) amount: i64,
    pub(super) currency: String,
    amount_received: Option<i64>,
    client_secret: Option<String>,
    payment_method: Option<Value>,
    latest_charge: Option<Value>,
    next_action: Option<Value>,
    last_payment_error: Option<PaymentFailure>,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
}

/// Reads a whole number, also from text, because some processors of this kind write a changed amount as
/// text.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
    .ok_or_else(|| D::Error::custom("an amount is a whole number"))
}

/// Why the last attempt to pay an intent failed.
#[derive(Debug, Clone, Deserialize)]
struct PaymentFailure {
    code: Option<String>,
    decline_code: Option<String>,
}

impl PaymentFailure {
    /// Returns the code of the card's bank, otherwise the processor's.
    fn reason(&self) -> Option<&str> {
        self.decline_code.as_deref().or(self.code.as_deref())
    }
}

impl Intent {
    /// Returns the captured amount.
    pub(super) fn received(&self) -> i64 {
        self.amount_received.unwrap_or(self.amount)
    }

    /// Returns the data to store on the session or payment. The storefront needs the client secret and the next
    /// action.
    pub(super) fn data(&self, before: &Data) -> Data {
        stored(
            before,
            [
                ("id", Some(json!(self.id))),
                ("status", Some(json!(self.status.as_str()))),
                ("client_secret", self.client_secret.clone().map(Value::from)),
                ("payment_method", self.payment_method_id().map(Value::from)),
                ("next_action", self.next_action.clone()),
            ],
        )
    }

    fn payment_method_id(&self) -> Option<&str> {
        id_of(self.payment_method.as_ref()?)
    }

    /// Returns what distinguishes one attempt to pay it from the next: its method, and the previous
    /// charge.
    pub(super) fn attempt(&self) -> String {
        let charge = self.latest_charge.as_ref().and_then(id_of);
        let parts = [self.payment_method_id(), charge];
        parts.map(Option::unwrap_or_default).join("_")
    }

    /// Returns the outcome of a charge without the shopper: a refusal for that reason is not final.
    pub(super) fn outcome_of_charge(self, before: &Data) -> Result<Outcome, ProviderError> {
        let reason = self.last_payment_error.as_ref().and_then(PaymentFailure::reason);
        let needs_shopper = reason == Some(AUTHENTICATION_REQUIRED);
        if self.status == Status::RequiresPaymentMethod && needs_shopper {
            return Ok(Outcome::RequiresMore { data: self.data(before) });
        }
        self.outcome(before)
    }

    /// Returns the outcome of the payment.
    ///
    /// # Errors
    /// [`ProviderError::Unavailable`] while the processor works on it.
    pub(super) fn outcome(self, before: &Data) -> Result<Outcome, ProviderError> {
        let data = self.data(before);
        Ok(match self.status {
            Status::RequiresCapture => Outcome::Authorized { data },
            Status::Succeeded => Outcome::Captured { data },
            Status::RequiresAction | Status::RequiresConfirmation => Outcome::RequiresMore { data },
            Status::RequiresPaymentMethod => match self.last_payment_error {
                Some(failure) => Outcome::Declined {
                    reason: failure.reason().unwrap_or("card_declined").to_owned(),
                },
                None => Outcome::RequiresMore { data },
            },
            Status::Canceled => Outcome::Declined { reason: "canceled".to_owned() },
            Status::Processing | Status::Unknown => return Err(ProviderError::Unavailable),
        })
    }
}

/// A `SetupIntent`, which saves a method for charges without the shopper.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Setup {
    id: String,
    pub(super) status: Status,
    client_secret: Option<String>,
    payment_method: Option<Value>,
    next_action: Option<Value>,
}

impl Setup {
    /// Returns the data to store on the session.
    pub(super) fn data(&self, before: &Data) -> Data {
        stored(
            before,
            [
                ("id", Some(json!(self.id))),
                ("status", Some(json!(self.status.as_str()))),
                ("client_secret", self.client_secret.clone().map(Value::from)),
                ("payment_method", self.payment_method.as_ref().and_then(id_of).map(Value::from)),
                ("next_action", self.next_action.clone()),
            ],
        )
    }
}

/// Returns data with values in the place of earlier ones.
fn stored<const N: usize>(before: &Data, values: [(&str, Option<Value>); N]) -> Data {
    let mut data = before.clone();
    for (name, value) in values {
        match value {
            Some(value) => data.insert(name.to_owned(), value),
            None => data.remove(name),
        };
    }
    data
}

/// Returns the id of an object, which is embedded in full if the request asked for it.
fn id_of(object: &Value) -> Option<&str> {
    object.as_str().or_else(|| object.get("id")?.as_str())
}

/// A page of intents, newest first.
#[derive(Debug, Deserialize)]
pub(super) struct Intents {
    data: Vec<Intent>,
    #[serde(default)]
    has_more: bool,
}

impl Intents {
    /// Returns the cursor of the next page, if there is one.
    pub(super) fn next(&self) -> Option<String> {
        self.data.last().filter(|_| self.has_more).map(|intent| intent.id.clone())
    }

    /// Returns the intent that was created under a key.
    pub(super) fn of_session(self, key: &str) -> Option<Intent> {
        let is_of = |intent: &Intent| intent.metadata.get("session_id").is_some_and(|id| id == key);
        self.data.into_iter().find(is_of)
    }
}

/// A page of refunds.
#[derive(Debug, Deserialize)]
pub(super) struct Refunds {
    data: Vec<Refund>,
}

#[derive(Debug, Deserialize)]
struct Refund {
    status: Option<String>,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
}

impl Refunds {
    /// Returns whether a refund was made under a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.data.iter().any(|refund| {
            refund.metadata.get("key").is_some_and(|stored| stored == key)
                && !matches!(refund.status.as_deref(), Some("failed" | "canceled"))
        })
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Customer {
    pub(super) id: String,
}

/// A payment method.
#[derive(Debug, Deserialize)]
pub(super) struct Method {
    id: String,
    card: Option<Card>,
}

#[derive(Debug, Deserialize)]
struct Card {
    brand: String,
    last4: String,
    exp_month: u8,
    exp_year: u16,
    fingerprint: Option<String>,
}

impl Method {
    /// Returns the stored data of the method; never a card number.
    pub(super) fn saved(self) -> SavedMethod {
        let fingerprint = self.card.as_ref().and_then(|card| card.fingerprint.clone());
        let card = self.card.map(|card| {
            json!({
                "brand": card.brand,
                "last4": card.last4,
                "exp_month": card.exp_month,
                "exp_year": card.exp_year,
            })
        });
        SavedMethod { reference: self.id, card, fingerprint }
    }
}

/// Returns an id as a part of a path.
///
/// # Errors
/// If it has characters that no id of the processor has.
pub(super) fn path_part(id: &str) -> Result<&str, StripeError> {
    let is_id = !id.is_empty()
        && id.len() <= 255
        && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_id {
        return Ok(id);
    }
    Err(StripeError::Invalid { message: "No such payment at the processor".to_owned() })
}
