//! The view of offers.

use serde::Serialize;

use super::offer::{Attribution, Offer, RateKind, RenewalRule};
use crate::clock::Timestamp;
use crate::commission::{Override, Rate};
use crate::error::PartnerError;
use crate::http::{Resource, ToSchema};
use crate::ids::{CategoryId, PartnerId, PartnerOfferId, ProductId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::taxes::rates::to_percent;

/// What goods earn.
#[derive(Debug, Clone, Copy, Serialize, ToSchema, Resource)]
#[resource(name = "partner commission")]
#[schema(as = PartnerCommission)]
pub(super) struct RateView {
    #[serde(rename = "type")]
    kind: RateKind,
    /// A percentage of the base, or an amount in the offer's currency.
    value: Amount,
}

/// A different rate for a product, or for the products of a category.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "partner override")]
#[schema(as = PartnerOverride)]
pub(super) struct OverrideView {
    product_id: Option<ProductId>,
    category_id: Option<CategoryId>,
    #[schema(value_type = RateView)]
    commission: RateView,
}

/// A code, the target of its link, and what an order that it brings earns.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "partner offer", key = "partner_offer", rows = Offer, error = PartnerError)]
#[schema(as = PartnerOffer)]
pub(super) struct OfferView {
    id: PartnerOfferId,
    partner_id: PartnerId,
    #[schema(example = "MOUNTAIN")]
    code: String,
    #[schema(example = "/spring")]
    landing_url: String,
    /// How many days after a click an order is still credited to it.
    window_days: i64,
    attribution: Attribution,
    #[schema(value_type = RateView)]
    commission: RateView,
    /// The currency of amounts. Orders in other currencies earn only percentages, and nothing under
    /// a cap.
    currency_code: Currency,
    /// The first one that matches a line applies.
    #[schema(value_type = Vec<OverrideView>)]
    overrides: Vec<OverrideView>,
    /// Whether only a customer's first order counts.
    new_customers_only: bool,
    renewals: RenewalRule,
    renewal_count: Option<i64>,
    /// The number of days before a commission is approved.
    hold_days: i64,
    /// The maximum per order; null for no limit.
    cap_per_order: Option<Amount>,
    /// Promotion codes that attribute an order to this offer if no click does.
    promo_codes: Vec<String>,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
}

fn view_of(rate: Rate, currency: Currency) -> RateView {
    match rate {
        Rate::Percent(share) => {
            RateView { kind: RateKind::Percent, value: to_percent(share).into() }
        }
        Rate::Fixed(minor) => RateView { kind: RateKind::Fixed, value: currency.amount(minor) },
    }
}

impl From<Offer> for OfferView {
    fn from(offer: Offer) -> Self {
        let currency = offer.currency;
        let of_one = |one: Override| OverrideView {
            product_id: one.product_id,
            category_id: one.category_id,
            commission: view_of(one.rate, currency),
        };
        Self {
            commission: view_of(offer.rate(), currency),
            id: offer.id,
            partner_id: offer.partner_id,
            code: offer.code,
            landing_url: offer.landing_url,
            window_days: offer.window_days,
            attribution: offer.attribution,
            currency_code: currency,
            overrides: offer.overrides.into_iter().map(of_one).collect(),
            new_customers_only: offer.new_customers_only,
            renewals: offer.renewals,
            renewal_count: offer.renewal_count,
            hold_days: offer.hold_days,
            cap_per_order: offer.cap_per_order_minor.map(|minor| currency.amount(minor)),
            promo_codes: offer.promo_codes,
            starts_at: offer.starts_at,
            ends_at: offer.ends_at,
            metadata: offer.metadata,
            created_at: offer.created_at,
            updated_at: offer.updated_at,
        }
    }
}
