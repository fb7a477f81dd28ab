//! A payment provider that moves no money and runs in process: test cards determine the outcome.
//!
//! Every answer depends only on the key and the card, so it survives a restart and the sandbox needs no state; it can write every
//! movement of money to a file. Without a card, the payment is captured immediately, as with `pm_card_visa`, so that a shop
//! can be tried without setup.
//!
//! Only the token of a test card is stored. A listed test number is accepted and stored as its token; anything else
//! that looks like a card number is rejected, wherever it occurs in the data.

mod methods;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::provider::{
    Answer, Data, HolderRequest, Moved, Outcome, PRESENT, Provider, ProviderError, Request,
    SavedMethod, check, is_present, ready,
};

pub const ID: &str = "pp_sandbox";

/// The minimum number of digits of a card number.
const LEAST_CARD_DIGITS: usize = 12;

/// Limit: levels of lists and objects in the data.
const MAX_DATA_DEPTH: usize = 8;

/// Characters of a payment's reference after its prefix.
const REFERENCE_LENGTH: usize = 24;

/// The test cards and what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Card {
    /// Is captured at once.
    Visa,
    /// Is authorized, and captured by an admin.
    AuthorizeOnly,
    Declined,
    /// Requires an action of the shopper; is captured when called again with `action_completed: true`.
    RequiresAction,
    /// Is authorized, but its capture fails.
    FailsLate,
}

impl Card {
    pub const ALL: [Self; 5] =
        [Self::Visa, Self::AuthorizeOnly, Self::Declined, Self::RequiresAction, Self::FailsLate];

    /// Returns the token to send as `payment_method` or `card`.
    pub fn token(self) -> &'static str {
        match self {
            Self::Visa => "pm_card_visa",
            Self::AuthorizeOnly => "pm_card_authorize_only",
            Self::Declined => "pm_card_declined",
            Self::RequiresAction => "pm_card_requires_action",
            Self::FailsLate => "pm_card_fails_late",
        }
    }

    /// Returns the test number of the card.
    pub fn number(self) -> &'static str {
        match self {
            Self::Visa => "4242424242424242",
            Self::AuthorizeOnly => "4000000000000077",
            Self::Declined => "4000000000000002",
            Self::RequiresAction => "4000002500003155",
            Self::FailsLate => "4000000000000341",
        }
    }

    fn of(text: &str) -> Option<Self> {
        let digits = digits_of(text);
        Self::ALL.into_iter().find(|card| card.token() == text || card.number() == digits)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Sandbox {
    /// A file with a line for every movement of money that a real provider would have made.
    ledger: Option<PathBuf>,
}

impl Sandbox {
    /// Returns a sandbox that appends every movement of money to a file, if one is given.
    pub(crate) fn new(ledger: Option<PathBuf>) -> Self {
        Self { ledger }
    }

    fn pay(&self, request: &Request<'_>, card: Card) -> Result<Outcome, ProviderError> {
        let outcome = Payment { card, ..read(request)? }.authorize();
        if let Outcome::Captured { .. } = outcome {
            self.note("capture", request)?;
        }
        Ok(outcome)
    }

    /// Charges a saved card with a present shopper: the first answer is what the shopper must do, and the next one is the
    /// payment.
    fn ask_shopper(&self, request: &Request<'_>, card: Card) -> Result<Outcome, ProviderError> {
        let is_action_completed = request.data.contains_key("next_action");
        let payment = Payment { card, is_action_completed, ..read(request)? };
        let Outcome::RequiresMore { mut data } = payment.authorize() else {
            self.note("capture", request)?;
            return Ok(Outcome::Captured { data: payment.data("captured") });
        };
        let secret = format!("{}_secret", payment.reference);
        data.insert("client_secret".to_owned(), secret.into());
        data.insert(PRESENT.to_owned(), true.into());
        Ok(Outcome::RequiresMore { data })
    }

    /// Charges a saved card without a present shopper: the answer is what the shopper must do
    /// later.
    fn leave_to_shopper(request: &Request<'_>, card: Card) -> Result<Outcome, ProviderError> {
        let payment = Payment { card, is_action_completed: false, ..read(request)? };
        let mut data = payment.data("requires_action");
        data.insert("client_secret".to_owned(), format!("{}_secret", payment.reference).into());
        Ok(Outcome::RequiresMore { data })
    }

    /// Appends a movement of money to the ledger, if there is one: the kind, the idempotency key, the amount in minor
    /// units and the currency, separated by tabs. A key that occurs twice is one movement.
    fn note(&self, kind: &str, request: &Request<'_>) -> Result<(), ProviderError> {
        let Some(path) = &self.ledger else { return Ok(()) };
        let Request { idempotency_key, amount_minor, currency, .. } = request;
        let line = format!("{kind}\t{idempotency_key}\t{amount_minor}\t{currency}\n");
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| {
            tracing::error!(%error, "the sandbox cannot write its ledger");
            ProviderError::Unavailable
        })
    }
}

impl Provider for Sandbox {
    fn id(&self) -> &'static str {
        ID
    }

    fn initiate<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        ready(read(&request).map(|payment| payment.data("pending")))
    }

    fn authorize<'a>(&'a self, request: Request<'a>) -> Answer<'a, Outcome> {
        ready(read(&request).and_then(|payment| self.pay(&request, payment.card)))
    }

    fn capture<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        ready(read(&request).and_then(|payment| match payment.card {
            Card::FailsLate => Ok(Moved::Failed { reason: "capture_failed".to_owned() }),
            Card::Declined => Ok(Moved::Failed { reason: "card_declined".to_owned() }),
            Card::Visa | Card::AuthorizeOnly | Card::RequiresAction => {
                self.note("capture", &request)?;
                Ok(Moved::Done)
            }
        }))
    }

    fn refund<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        ready(read(&request).and_then(|_payment| {
            self.note("refund", &request)?;
            Ok(Moved::Done)
        }))
    }

    fn cancel<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        let status = request.data.get("status").and_then(Value::as_str);
        ready(read(&request).and_then(|_payment| {
            match status {
                Some("captured") => {
                    return Ok(Moved::Failed { reason: "already_captured".to_owned() });
                }
                // Only this releases what was held.
                Some("authorized") => self.note("cancel", &request)?,
                Some(_) | None => {}
            }
            Ok(Moved::Done)
        }))
    }

    fn update_amount<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        ready(read(&request).map(|payment| payment.data("pending")))
    }

    fn confirm<'a>(&'a self, request: Request<'a>, token: &'a str) -> Answer<'a, Outcome> {
        ready(methods::card_of_token(token).and_then(|card| self.pay(&request, card)))
    }

    fn confirm_setup<'a>(&'a self, request: Request<'a>, token: &'a str) -> Answer<'a, Outcome> {
        ready(methods::card_of_token(token).and_then(|card| {
            let payment = Payment { card, ..read(&request)? };
            Ok(match payment.authorize() {
                // Nothing is taken, so nothing is refunded when the session ends.
                Outcome::Captured { .. } | Outcome::Authorized { .. } => {
                    Outcome::Captured { data: payment.data("kept") }
                }
                other @ (Outcome::RequiresMore { .. } | Outcome::Declined { .. }) => other,
            })
        }))
    }

    fn charge<'a>(
        &'a self,
        request: Request<'a>,
        _holder: &'a str,
        method: &'a str,
    ) -> Answer<'a, Outcome> {
        ready(methods::card_of(method).and_then(|card| match card {
            Card::RequiresAction if is_present(request.data) => self.ask_shopper(&request, card),
            // Nobody is present to act: the shopper may do so later.
            Card::RequiresAction => Self::leave_to_shopper(&request, card),
            Card::Visa | Card::AuthorizeOnly | Card::Declined | Card::FailsLate => {
                self.pay(&request, card)
            }
        }))
    }

    fn create_holder<'a>(&'a self, request: HolderRequest<'a>) -> Answer<'a, String> {
        ready(Ok(reference(request.customer_id)))
    }

    fn save_method<'a>(&'a self, holder: &'a str, data: &'a Data) -> Answer<'a, SavedMethod> {
        ready(methods::save(holder, data))
    }

    fn delete_method<'a>(&'a self, _reference: &'a str) -> Answer<'a, ()> {
        ready(Ok(()))
    }
}

/// The inputs of an answer.
struct Payment {
    reference: String,
    card: Card,
    is_action_completed: bool,
    future_usage: Option<&'static str>,
}

impl Payment {
    fn authorize(&self) -> Outcome {
        match self.card {
            Card::Visa => Outcome::Captured { data: self.data("captured") },
            Card::AuthorizeOnly | Card::FailsLate => {
                Outcome::Authorized { data: self.data("authorized") }
            }
            Card::Declined => Outcome::Declined { reason: "card_declined".to_owned() },
            Card::RequiresAction if self.is_action_completed => {
                Outcome::Captured { data: self.data("captured") }
            }
            Card::RequiresAction => {
                let mut data = self.data("requires_action");
                data.insert("next_action".to_owned(), Value::from("confirm"));
                Outcome::RequiresMore { data }
            }
        }
    }

    fn data(&self, status: &str) -> Data {
        let mut data = Data::new();
        data.insert("id".to_owned(), Value::from(self.reference.as_str()));
        data.insert("payment_method".to_owned(), Value::from(self.card.token()));
        data.insert("status".to_owned(), Value::from(status));
        if self.is_action_completed {
            data.insert("action_completed".to_owned(), Value::from(true));
        }
        if let Some(usage) = self.future_usage {
            data.insert("setup_future_usage".to_owned(), Value::from(usage));
        }
        data
    }
}

fn read(request: &Request<'_>) -> Result<Payment, ProviderError> {
    check(request)?;
    refuse_cards(request.data)?;
    let named = |name: &str| request.data.get(name).filter(|value| !value.is_null());
    let card = match named("payment_method").or_else(|| named("card")) {
        None => Card::Visa,
        Some(value) => named_card(value)?,
    };
    let reference = match request.data.get("id").and_then(Value::as_str) {
        Some(stored) if is_reference(stored) => stored.to_owned(),
        Some(_) | None => reference(request.idempotency_key),
    };
    let usage = request.data.get("setup_future_usage").and_then(Value::as_str);
    Ok(Payment {
        reference,
        card,
        is_action_completed: request.data.get("action_completed") == Some(&Value::Bool(true)),
        future_usage: ["off_session", "on_session"].into_iter().find(|known| usage == Some(known)),
    })
}

fn named_card(value: &Value) -> Result<Card, ProviderError> {
    let text = match value {
        Value::String(text) => Some(text.as_str()),
        Value::Object(card) => card.get("number").and_then(Value::as_str),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    };
    text.and_then(Card::of).ok_or_else(|| {
        let known = Card::ALL.map(Card::token).join(", ");
        invalid(format!("the sandbox knows no such card; it knows {known}"))
    })
}

/// Rejects data with card numbers other than test numbers, for every provider: a storefront must never send one.
pub(super) fn refuse_cards(data: &Data) -> Result<(), ProviderError> {
    data.iter().try_for_each(|(name, value)| refuse_card_numbers(name, value, 0))
}

/// Rejects anything that looks like a card number and is not a listed test number. The message does not contain the
/// number.
fn refuse_card_numbers(name: &str, value: &Value, depth: usize) -> Result<(), ProviderError> {
    if depth > MAX_DATA_DEPTH {
        return Err(invalid("payment data is nested too deeply".to_owned()));
    }
    let deeper = depth.saturating_add(1);
    refuse_number(name)?;
    match value {
        Value::Null | Value::Bool(_) => Ok(()),
        Value::Number(number) => refuse_number(&number.to_string()),
        Value::String(text) => refuse_number(text),
        Value::Array(values) => {
            values.iter().try_for_each(|value| refuse_card_numbers("", value, deeper))
        }
        Value::Object(fields) => {
            fields.iter().try_for_each(|(name, value)| refuse_card_numbers(name, value, deeper))
        }
    }
}

fn refuse_number(text: &str) -> Result<(), ProviderError> {
    let is_test_number = Card::ALL.iter().any(|card| card.number() == digits_of(text));
    if is_test_number || longest_digit_run(text) < LEAST_CARD_DIGITS {
        return Ok(());
    }
    Err(invalid("card numbers are not accepted, except the test numbers of the sandbox".to_owned()))
}

/// Returns the digits of a text that has only digits, blanks and dashes, otherwise the text itself.
fn digits_of(text: &str) -> String {
    let digits: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    if digits.chars().all(|letter| letter.is_ascii_digit()) { digits } else { text.to_owned() }
}

/// Returns the length of the longest run of digits, ignoring blanks and dashes between them.
fn longest_digit_run(text: &str) -> usize {
    let (mut longest, mut run) = (0_usize, 0_usize);
    for letter in text.chars() {
        match letter {
            '0'..='9' => run = run.saturating_add(1),
            ' ' | '-' => {}
            _ => run = 0,
        }
        longest = longest.max(run);
    }
    longest
}

const REFERENCE_PREFIX: &str = "sbx_";

/// Returns a reference derived from the key. It has no digits, so that nothing derived from it looks like a card
/// number.
fn reference(idempotency_key: &str) -> String {
    let digest = Sha256::digest(idempotency_key.as_bytes());
    let letters = digest.iter().map(|byte| char::from(b'a'.saturating_add(byte % 26)));
    REFERENCE_PREFIX.chars().chain(letters.take(REFERENCE_LENGTH)).collect()
}

fn is_reference(text: &str) -> bool {
    text.strip_prefix(REFERENCE_PREFIX).is_some_and(|letters| {
        letters.len() == REFERENCE_LENGTH
            && letters.chars().all(|letter| letter.is_ascii_lowercase())
    })
}

fn invalid(reason: String) -> ProviderError {
    ProviderError::Invalid { reason }
}

#[cfg(test)]
mod tests;
