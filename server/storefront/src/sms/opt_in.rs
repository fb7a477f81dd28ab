//! Opting in: the consent is stored first, then the provider is called.

use super::consent::SmsConsent;
use super::error::SmsError;
use super::gateway::Register;
use super::phone::Phone;
use super::queries;
use crate::auth::Shop;
use crate::database::{Table as _, Tx};
use crate::ids::{CartId, SmsConsentId};
use quotient_sales::cart::{self, contents::Cart};

/// Limit: consents of one number per day that are reported to the provider.
const MAX_PER_DAY: i64 = 3;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Who agrees to what.
#[derive(Debug, Clone)]
pub(super) struct OptIn {
    pub(super) phone: String,
    pub(super) cart_id: Option<CartId>,
    pub(super) email: Option<String>,
    /// A two-letter code, in lower case.
    pub(super) country: Option<String>,
    pub(super) consent_text: Option<String>,
    pub(super) locale: Option<String>,
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
/// customer.
///
/// # Errors
/// [`SmsError::Phone`] if the number is invalid; [`SmsError::Cart`] if the cart is unknown or somebody
/// else's.
pub(super) fn begin(
    tx: &Tx<'_>,
    shop: &Shop,
    request: OptIn,
    register: &Register,
) -> Result<Option<Begun>, SmsError> {
    let cart = request.cart_id.as_ref().map(|id| cart::load_for(tx, id, shop)).transpose()?;
    let country = match request.country.clone() {
        Some(country) => Some(country),
        None => country_of(tx, cart.as_ref())?,
    };
    let phone = Phone::read(&request.phone, country.as_deref())?;
    // Not the cart's customer: a guest is found by an address that anyone can enter.
    let customer_id = shop.customer_id.clone();
    let before = queries::of_holder(tx, request.cart_id.as_ref(), customer_id.as_ref())?;
    let same = before.iter().find(|consent| consent.phone == phone);
    if same.is_some_and(|consent| consent.synced_at.is_some()) {
        return Ok(None);
    }
    let is_new = before.iter().all(|consent| consent.phone == phone);
    let number = register.number(phone.clone());
    let count = queries::count_since(tx, &phone, tx.now().plus_ms(-DAY_MS))?;
    let is_blocked = queries::is_blocked(tx, number.digest)?;
    if let Some(SmsConsent { id, .. }) = same.cloned() {
        let is_quiet = is_blocked || count > MAX_PER_DAY;
        return Ok(Some(Begun { id, phone, is_new, is_quiet }));
    }
    let consent = SmsConsent {
        email: request.email,
        cart_id: request.cart_id,
        customer_id,
        consent_text: request.consent_text,
        locale: request.locale,
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
