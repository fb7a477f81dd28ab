//! The bodies of requests on offers.

use super::landing;
use super::offer::{Attribution, Offer, RateKind, RenewalRule};
use crate::clock::Timestamp;
use crate::commission::{Override, Rate};
use crate::database::Tx;
use crate::error::PartnerError;
use crate::http::{AssignTo as _, Patch, Text, request};
use crate::ids::{CategoryId, PartnerId, PartnerOfferId, ProductId};
use crate::metadata::MetadataPatch;
use crate::money::{Currency, Major};
use crate::proportion::PPM;
use crate::regions;
use crate::taxes::rates::from_percent;

/// Limit: overrides of an offer.
const MAX_OVERRIDES: usize = 100;

/// Limit: promotion codes of an offer.
const MAX_PROMO_CODES: usize = 100;

/// What goods earn.
#[request]
#[derive(Clone, Copy)]
#[schema(as = PartnerCommissionRequest, example = json!({ "type": "percent", "value": 7.5 }))]
pub(super) struct RateRequest {
    #[serde(rename = "type")]
    kind: RateKind,
    /// A percentage of the base with at most four decimals, or an amount in the offer's currency.
    value: Major,
}

/// A different rate for a product, or for the products of a category.
#[request]
#[derive(Clone)]
#[schema(as = PartnerOverrideRequest)]
pub(super) struct OverrideRequest {
    product_id: Option<ProductId>,
    category_id: Option<CategoryId>,
    commission: RateRequest,
}

/// A new offer.
#[request]
#[schema(example = json!({
    "code": "MOUNTAIN", "landing_url": "/spring", "commission": { "type": "percent", "value": 7.5 },
}))]
pub(super) struct CreateOfferRequest {
    /// 3 to 64 letters, digits, `_` and `-`. Codes are case-insensitive and never reused.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9_-]{3,64}$")]
    code: String,
    /// A path on this site, or an `https` URL.
    landing_url: Text<2000>,
    /// How many days after a click an order is still credited to it. Defaults to 30.
    #[schema(minimum = 1, maximum = 365)]
    window_days: Option<i64>,
    /// Defaults to `last`.
    attribution: Option<Attribution>,
    commission: RateRequest,
    /// The currency of amounts. Defaults to the store's.
    currency_code: Option<Currency>,
    /// The first one that matches a line applies.
    overrides: Option<Vec<OverrideRequest>>,
    /// Whether only a customer's first order counts. Defaults to false.
    new_customers_only: Option<bool>,
    /// Defaults to `none`.
    renewals: Option<RenewalRule>,
    /// The renewals that count, for `first_n`.
    #[schema(minimum = 1, maximum = 1000)]
    renewal_count: Option<i64>,
    /// The number of days before a commission is approved. Defaults to 30.
    #[schema(minimum = 0, maximum = 365)]
    hold_days: Option<i64>,
    /// The maximum per order; absent for no limit.
    cap_per_order: Option<Major>,
    /// Promotion codes that attribute an order to this offer if no click does.
    promo_codes: Option<Vec<Text<100>>>,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
    metadata: Option<MetadataPatch>,
}

/// The fields of an offer to change. Conversions keep the terms with which they were recorded.
#[request]
#[schema(example = json!({ "commission": { "type": "percent", "value": 10 } }))]
pub(super) struct UpdateOfferRequest {
    landing_url: Option<Text<2000>>,
    #[schema(minimum = 1, maximum = 365)]
    window_days: Option<i64>,
    attribution: Option<Attribution>,
    commission: Option<RateRequest>,
    overrides: Option<Vec<OverrideRequest>>,
    new_customers_only: Option<bool>,
    renewals: Option<RenewalRule>,
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    renewal_count: Patch<i64>,
    #[schema(minimum = 0, maximum = 365)]
    hold_days: Option<i64>,
    #[schema(value_type = Option<Major>)]
    cap_per_order: Patch<Major>,
    promo_codes: Option<Vec<Text<100>>>,
    #[schema(value_type = Option<Timestamp>)]
    starts_at: Patch<Timestamp>,
    #[schema(value_type = Option<Timestamp>)]
    ends_at: Patch<Timestamp>,
    metadata: Option<MetadataPatch>,
}

impl CreateOfferRequest {
    pub(super) fn into_offer(
        self,
        tx: &Tx<'_>,
        partner_id: PartnerId,
    ) -> Result<Offer, PartnerError> {
        if !is_code(&self.code) {
            return Err(invalid("`code` must have 3 to 64 letters, digits, `_` and `-`"));
        }
        let currency = regions::currency_or_default(tx, self.currency_code)?;
        let cap =
            self.cap_per_order.map(|cap| amount("cap_per_order", cap, currency)).transpose()?;
        let mut offer = Offer {
            id: PartnerOfferId::new(),
            partner_id,
            code_key: self.code.to_ascii_lowercase(),
            code: self.code,
            landing_url: landing_url(&self.landing_url)?,
            window_days: self.window_days.unwrap_or(30),
            attribution: self.attribution.unwrap_or(Attribution::Last),
            commission_type: RateKind::Percent,
            commission_value: 0,
            currency,
            overrides: overrides(self.overrides.unwrap_or_default(), currency)?,
            new_customers_only: self.new_customers_only.unwrap_or(false),
            renewals: self.renewals.unwrap_or(RenewalRule::None),
            renewal_count: self.renewal_count,
            hold_days: self.hold_days.unwrap_or(30),
            cap_per_order_minor: cap,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            promo_codes: codes(self.promo_codes.unwrap_or_default()),
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
            deleted_at: None,
        };
        offer.set_rate(rate("commission", self.commission, currency)?);
        check(&offer)?;
        Ok(offer)
    }
}

impl UpdateOfferRequest {
    pub(super) fn apply(self, offer: &mut Offer) -> Result<(), PartnerError> {
        let currency = offer.currency;
        if let Some(address) = &self.landing_url {
            offer.landing_url = landing_url(address)?;
        }
        crate::assign!(self => offer:
            window_days, attribution, new_customers_only, renewals, renewal_count, hold_days,
            starts_at, ends_at
        );
        if let Some(commission) = self.commission {
            offer.set_rate(rate("commission", commission, currency)?);
        }
        if let Some(others) = self.overrides {
            offer.overrides = overrides(others, currency)?;
        }
        let cap = self.cap_per_order.try_map(|cap| amount("cap_per_order", cap, currency))?;
        cap.assign_to(&mut offer.cap_per_order_minor);
        self.promo_codes.map(codes).assign_to(&mut offer.promo_codes);
        offer.metadata.merge(self.metadata)?;
        check(offer)
    }
}

fn invalid(message: impl Into<String>) -> PartnerError {
    PartnerError::Invalid(message.into())
}

/// Returns whether a text has the form of a code.
pub(crate) fn is_code(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (3..=64).contains(&text.len()) && text.bytes().all(fits)
}

fn check(offer: &Offer) -> Result<(), PartnerError> {
    for (field, value, (least, most)) in [
        ("window_days", offer.window_days, (1, 365)),
        ("hold_days", offer.hold_days, (0, 365)),
        ("renewal_count", offer.renewal_count.unwrap_or(1), (1, 1_000)),
    ] {
        if !(least..=most).contains(&value) {
            return Err(invalid(format!("`{field}` must be from {least} to {most}, not {value}")));
        }
    }
    match (offer.renewals == RenewalRule::FirstN, offer.renewal_count) {
        (true, None) => return Err(invalid("`first_n` needs `renewal_count`")),
        (false, Some(_)) => {
            return Err(invalid("`renewal_count` belongs to `renewals` of `first_n`"));
        }
        (true, Some(_)) | (false, None) => {}
    }
    if offer.promo_codes.len() > MAX_PROMO_CODES {
        return Err(invalid(format!("an offer has at most {MAX_PROMO_CODES} promotion codes")));
    }
    match (offer.starts_at, offer.ends_at) {
        (Some(start), Some(end)) if end <= start => {
            Err(invalid("`ends_at` must be after `starts_at`"))
        }
        _ => Ok(()),
    }
}

fn landing_url(text: &Text<2000>) -> Result<String, PartnerError> {
    landing::parse(text.as_str()).ok_or_else(|| {
        invalid("`landing_url` must be a path of this site, or an address with https and no user")
    })
}

fn amount(field: &str, value: Major, currency: Currency) -> Result<i64, PartnerError> {
    let minor = value.minor(currency)?;
    if minor < 0 {
        return Err(invalid(format!("`{field}` must not be below zero")));
    }
    Ok(minor)
}

fn rate(field: &str, request: RateRequest, currency: Currency) -> Result<Rate, PartnerError> {
    match request.kind {
        RateKind::Fixed => Ok(Rate::Fixed(amount(field, request.value, currency)?)),
        RateKind::Percent => from_percent(request.value.decimal())
            .ok()
            .filter(|share| *share <= PPM)
            .map(Rate::Percent)
            .ok_or_else(|| {
                invalid(format!("`{field}.value` must be from 0 to 100 with at most four decimals"))
            }),
    }
}

fn overrides(
    requests: Vec<OverrideRequest>,
    currency: Currency,
) -> Result<Vec<Override>, PartnerError> {
    if requests.len() > MAX_OVERRIDES {
        return Err(invalid(format!("an offer has at most {MAX_OVERRIDES} overrides")));
    }
    let of_one = |request: OverrideRequest| {
        if request.product_id.is_some() == request.category_id.is_some() {
            return Err(invalid("an override has either a `product_id` or a `category_id`"));
        }
        let rate = rate("overrides.commission", request.commission, currency)?;
        Ok(Override { product_id: request.product_id, category_id: request.category_id, rate })
    };
    requests.into_iter().map(of_one).collect()
}

/// Returns the codes sorted, without duplicates, in the form in which they are stored.
fn codes(codes: Vec<Text<100>>) -> Vec<String> {
    let mut codes: Vec<String> = codes.into_iter().map(String::from).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}
