//! Saved test cards. Their references name the card, so that the sandbox needs no state for them either.

use serde_json::{Value, json};

use super::{Card, invalid, named_card, reference, refuse_cards};
use crate::payments::provider::{Data, ProviderError, SavedMethod};

/// The prefix of references of saved cards.
const METHOD_PREFIX: &str = "sbxpm_";

/// The prefix of tokens that stand for a shopper's confirmation.
const TOKEN_PREFIX: &str = "ctoken_";

/// The expiry of every test card.
const EXPIRY: (u8, u16) = (12, 2034);

/// Saves the card named in the data.
pub(super) fn save(holder: &str, data: &Data) -> Result<SavedMethod, ProviderError> {
    refuse_cards(data)?;
    let card = data.get("payment_method").filter(|value| !value.is_null());
    let card = named_card(card.unwrap_or(&Value::from(Card::Visa.token())))?;
    let word = card.token().trim_start_matches("pm_");
    let owner = reference(&format!("{holder}_{word}"));
    let last4: String = card.number().chars().skip(12).collect();
    let (exp_month, exp_year) = EXPIRY;
    Ok(SavedMethod {
        reference: format!("{METHOD_PREFIX}{owner}_{word}"),
        card: Some(json!({
            "brand": "visa", "last4": last4, "exp_month": exp_month, "exp_year": exp_year,
        })),
        fingerprint: Some(word.to_owned()),
    })
}

pub(super) fn card_of(reference: &str) -> Result<Card, ProviderError> {
    let named = |card: &Card| reference.ends_with(card.token().trim_start_matches("pm_"));
    Card::ALL
        .into_iter()
        .find(|card| {
            reference == card.token() || (reference.starts_with(METHOD_PREFIX) && named(card))
        })
        .ok_or_else(|| invalid("the sandbox knows no such payment method".to_owned()))
}

/// Returns the card of a confirmation token, such as `ctoken_card_visa`.
pub(super) fn card_of_token(token: &str) -> Result<Card, ProviderError> {
    let word = token.strip_prefix(TOKEN_PREFIX).map(|word| format!("pm_{word}"));
    word.and_then(|word| Card::of(&word))
        .ok_or_else(|| invalid("the sandbox knows no such confirmation token".to_owned()))
}
