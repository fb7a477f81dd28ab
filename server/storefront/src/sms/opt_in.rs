//! Opting in: the consent is stored first, then the provider is called; and confirming it by a code.

use super::consent::{ConsentStatus, SmsConsent};
use super::error::SmsError;
use super::gateway::Register;
use super::phone::Phone;
use super::queries;
use super::sync::{self, digest_of};
use crate::auth::{Email, Shop};
use crate::clock::DAY_MS;
use crate::database::{Table as _, Tx};
use crate::http::{OptionalText, Text, request};
use crate::ids::{CartId, SmsConsentId};
use quotient_sales::cart::{self, contents::Cart};

/// Limit: wrong codes per consent.
const MAX_ATTEMPTS: i64 = 5;

/// Limit: consents of one number per day that are reported to the provider.
const MAX_PER_DAY: i64 = 3;

/// A consent to text messages.
#[request]
#[schema(example = json!({
    "phone": "0151 12345678", "country_code": "de", "consent": true,
    "consent_text": "I agree to text messages about offers.", "locale": "de-DE",
}))]
pub(super) struct SmsOptInRequest {
    /// With its country code, or as dialled nationally.
    phone: Text<40>,
    /// Whether the shopper agrees.
    pub(super) consent: bool,
    pub(super) cart_id: Option<CartId>,
    email: Option<Email>,
    /// The number's country; defaults to the cart's.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z]{2}$")]
    country_code: Option<Text<2>>,
    /// The text that the shopper agrees to.
    consent_text: Option<OptionalText<1000>>,
    locale: Option<OptionalText<35>>,
}

/// A consent to be reported to the provider.
#[derive(Debug, Clone)]
pub(super) struct Begun {
    pub(super) id: SmsConsentId,
    pub(super) phone: Phone,
    /// Whether this cart and this customer had no consent before.
    pub(super) is_new: bool,
    /// Whether nothing is sent, because the number has received too many messages, or is blocked.
    pub(super) is_quiet: bool,
}

/// Writes a consent; none if the provider has already accepted this number for the cart or the
/// customer, and it is confirmed or its code can still be entered. A second request for a number to which nothing is sent
/// gets none as well, so that it does not tell these numbers from others.
///
/// # Errors
/// [`SmsError::Phone`] if the number is invalid; [`SmsError::Cart`] if the cart is unknown or somebody
/// else's.
pub(super) fn begin(
    tx: &Tx<'_>,
    shop: &Shop,
    request: SmsOptInRequest,
    register: &Register,
) -> Result<Option<Begun>, SmsError> {
    let cart = request.cart_id.as_ref().map(|id| cart::load_for(tx, id, shop)).transpose()?;
    let country = match request.country_code {
        Some(country) => Some(country.as_str().to_ascii_lowercase()),
        None => country_of(tx, cart.as_ref())?,
    };
    let phone = Phone::read(request.phone.as_str(), country.as_deref())?;
    // Not the cart's customer: a guest is found by an address that anyone can enter.
    let customer_id = shop.customer_id.clone();
    let before = queries::of_holder(tx, request.cart_id.as_ref(), customer_id.as_ref())?;
    let day_ago = tx.now().minus_ms(DAY_MS);
    // Without a new consent, a number whose code is used up could never be confirmed.
    let is_open = |consent: &SmsConsent| {
        consent.status == ConsentStatus::Confirmed
            || (consent.created_at > day_ago && consent.code_attempts < MAX_ATTEMPTS)
    };
    let same = before.iter().find(|consent| consent.phone == phone && is_open(consent));
    let number = register.number(phone.clone());
    let count = queries::count_since(tx, &phone, day_ago)?;
    let is_blocked = queries::is_blocked(tx, number.digest)?;
    if let Some(consent) = same {
        if consent.synced_at.is_some() || is_blocked || count > MAX_PER_DAY {
            return Ok(None);
        }
        let is_new = before.len() == 1;
        return Ok(Some(Begun { id: consent.id.clone(), phone, is_new, is_quiet: false }));
    }
    let is_new = before.is_empty();
    let consent = SmsConsent {
        email: request.email.map(|email| email.to_string()),
        cart_id: request.cart_id,
        customer_id,
        consent_text: request.consent_text.and_then(OptionalText::into_option),
        locale: request.locale.and_then(OptionalText::into_option),
        ..SmsConsent::new(number, register.provider_id, tx.now())
    };
    consent.insert(tx)?;
    let is_quiet = is_blocked || count >= MAX_PER_DAY;
    Ok(Some(Begun { id: consent.id, phone, is_new, is_quiet }))
}

/// Returns the country of a cart: from its address, or the only one of its region.
fn country_of(tx: &Tx<'_>, cart: Option<&Cart>) -> Result<Option<String>, SmsError> {
    let Some(cart) = cart else { return Ok(None) };
    let address = cart.shipping_address.as_ref();
    if let Some(country) = address.and_then(|address| address.country_code.clone()) {
        return Ok(Some(country));
    }
    match &cart.region_id {
        Some(region_id) => Ok(queries::only_country(tx, region_id)?),
        None => Ok(None),
    }
}

/// Confirms the consent of the number to which this code was sent; returns whether there was one. A wrong code is
/// counted. A code is valid for a day.
pub(super) fn confirm(tx: &Tx<'_>, phone: &Phone, code: &str) -> Result<bool, SmsError> {
    for mut consent in queries::awaiting(tx, phone, tx.now().minus_ms(DAY_MS))? {
        if consent.code_attempts >= MAX_ATTEMPTS {
            continue;
        }
        if consent.code_digest == Some(digest_of(&consent.id, code)) {
            sync::later(tx, &consent.id, 0)?;
            sync::confirm(tx, consent)?;
            return Ok(true);
        }
        consent.code_attempts = consent.code_attempts.saturating_add(1);
        consent.update(tx)?;
    }
    Ok(false)
}
