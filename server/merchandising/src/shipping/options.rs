//! The shipping options offered for a cart, with their prices.

use serde::Serialize;

use super::ShippingError;
use super::conditions::{Audience, Facts, NewRule, is_offered};
use super::model::{OfferProvider, ShippingOptionRule, ShippingPrice};
use super::places::Address;
use super::queries;
use crate::database::{FromRow, Tx, Word as _};
use crate::http::{Resource, ToSchema};
use crate::ids::{
    ById, CustomerGroupId, FulfillmentSetId, PriceSetId, RegionId, SalesChannelId, ServiceZoneId,
    ShippingOptionId, ShippingOptionTypeId, ShippingProfileId, StockLocationId, VariantId,
};
use crate::inventory::{self, LocationAddress};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::pricing::{self, CalculatedPrice, PriceContext, PriceView};

/// The inputs of a list of options: items, address and customer.
#[derive(Debug, Clone)]
pub struct ShippingContext {
    pub audience: Audience,
    pub is_return: bool,
    /// The two-letter country code.
    pub country: String,
    pub province: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    /// The currency of the cart.
    pub currency: Currency,
    pub region_id: Option<RegionId>,
    /// The customer's groups.
    pub customer_group_ids: Vec<CustomerGroupId>,
    /// The profiles of the items; options with other profiles are not offered.
    pub profile_ids: Vec<ShippingProfileId>,
    /// The total of the items, in minor units.
    pub item_total_minor: i64,
    pub sales_channel_id: SalesChannelId,
    /// The items to check against the locations' stock; empty to skip the check.
    pub items: Vec<(VariantId, i64)>,
}

/// An offered shipping option, as the store returns it.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "shipping option")]
pub struct Offer {
    pub id: ShippingOptionId,
    #[schema(example = "Standard")]
    pub name: String,
    /// `flat` or `calculated`.
    #[schema(example = "flat")]
    pub price_type: String,
    /// The zone that it ships to.
    pub service_zone_id: ServiceZoneId,
    /// The profile of the items that it ships.
    pub shipping_profile_id: ShippingProfileId,
    #[schema(example = "manual_manual")]
    pub provider_id: String,
    /// The provider's data.
    pub data: Metadata,
    pub metadata: Metadata,
    #[field(relation)]
    pub service_zone: OfferZone,
    #[serde(rename = "type")]
    #[field(relation)]
    pub(crate) option_type: Option<OfferType>,
    pub provider: OfferProvider,
    pub rules: Vec<OfferRule>,
    pub calculated_price: PriceView,
    /// All its prices, which [`attach_prices`] loads.
    #[field(relation)]
    pub(super) prices: Vec<ShippingPrice>,
    /// The price, in major units.
    pub amount: Amount,
    /// The price, in minor units.
    #[serde(skip)]
    pub amount_minor: i64,
    /// Whether the price includes tax.
    pub is_tax_inclusive: bool,
    /// Whether its location does not have enough of some items.
    pub insufficient_inventory: bool,
}

/// The zone of an option.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "service zone")]
pub struct OfferZone {
    #[column(name = "zone_id")]
    pub id: ServiceZoneId,
    #[column(name = "zone_name")]
    pub name: String,
    /// The fulfillment set that it belongs to.
    #[column(name = "set_id")]
    pub fulfillment_set_id: FulfillmentSetId,
    #[column(flatten)]
    #[field(relation)]
    pub fulfillment_set: OfferSet,
    /// Never present: storefronts based on Medusa's starter also request the set by this misspelled name.
    #[column(skip)]
    #[field(on_request)]
    #[schema(ignore)]
    #[serde(rename = "fulfllment_set", skip_serializing_if = "Option::is_none")]
    pub(super) misspelled_set: Option<OfferSet>,
}

/// The fulfillment set of an option.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "fulfillment set")]
pub struct OfferSet {
    #[column(name = "set_id")]
    pub id: FulfillmentSetId,
    /// `shipping` or `pickup`.
    #[column(name = "set_type")]
    #[serde(rename = "type")]
    #[schema(example = "shipping")]
    pub kind: String,
    /// The location that it ships from.
    #[column(flatten)]
    #[field(relation)]
    pub location: OfferLocation,
}

/// The location that an option ships from.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "location")]
pub struct OfferLocation {
    #[column(name = "location_id")]
    pub id: StockLocationId,
    #[column(name = "location_name")]
    pub name: String,
    #[column(flatten)]
    pub address: LocationAddress,
}

/// The type of an option.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "shipping option type")]
pub(crate) struct OfferType {
    #[column(name = "type_id")]
    pub id: ShippingOptionTypeId,
    #[schema(example = "Express")]
    pub label: String,
    pub description: Option<String>,
    /// The machine-readable name.
    #[schema(example = "express")]
    pub code: String,
}

/// A rule of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferRule {
    #[schema(example = "enabled_in_store")]
    pub attribute: String,
    #[schema(example = "eq")]
    pub operator: &'static str,
    /// The value: a text, or a list if the operator takes several.
    pub value: serde_json::Value,
}

impl From<&NewRule> for OfferRule {
    fn from(rule: &NewRule) -> Self {
        let attribute = rule.attribute.clone();
        Self { attribute, operator: rule.operator.as_str(), value: rule.value() }
    }
}

/// A loaded option that may be offered.
#[derive(Debug, Clone, FromRow)]
pub(super) struct Candidate {
    pub(super) id: ShippingOptionId,
    pub(super) name: String,
    /// `flat` or `calculated`.
    pub(super) price_type: String,
    /// The profile of the items that it ships.
    pub(super) shipping_profile_id: ShippingProfileId,
    pub(super) provider_id: String,
    pub(super) price_set_id: PriceSetId,
    /// The provider's data.
    pub(super) data: Metadata,
    pub(super) metadata: Metadata,
    #[column(flatten)]
    pub(super) zone: OfferZone,
    #[column(skip)]
    pub(super) option_type: Option<OfferType>,
}

/// Returns the options offered, oldest first: their zone covers the address, their profile is one of the items', their
/// rules hold, their location serves the channel, and they have a price in the currency.
///
/// The number of statements does not depend on the number of options.
pub fn options(tx: &Tx<'_>, context: &ShippingContext) -> Result<Vec<Offer>, ShippingError> {
    offers(tx, context, None)
}

/// Returns one of the [`options`].
///
/// # Errors
/// [`ShippingError::NotFound`] if it does not exist or is not offered here.
pub fn option(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
    context: &ShippingContext,
) -> Result<Offer, ShippingError> {
    let offer = offers(tx, context, Some(id))?.into_iter().next();
    offer.ok_or_else(|| ShippingError::not_found("Shipping option", id))
}

/// Loads all prices of offered options, which only some callers need.
pub fn attach_prices(tx: &Tx<'_>, offers: &mut [Offer]) -> Result<(), ShippingError> {
    let sets: Vec<&PriceSetId> = offers.iter().map(|offer| &offer.calculated_price.id).collect();
    for price in pricing::prices_of(tx, &sets)? {
        let owner = offers.iter_mut().find(|offer| offer.calculated_price.id == price.price_set_id);
        if let Some(offer) = owner {
            offer.prices.push(price.into());
        }
    }
    Ok(())
}

fn offers(
    tx: &Tx<'_>,
    context: &ShippingContext,
    id: Option<&ShippingOptionId>,
) -> Result<Vec<Offer>, ShippingError> {
    let mut candidates = queries::candidates(tx, context, id)?;
    let zones: Vec<&str> = candidates.iter().map(|option| option.zone.id.as_str()).collect();
    let places = queries::places_of(tx, &zones, Some(&context.country))?;
    let places = ById::grouped_by(places, |place| &place.service_zone_id);
    let address = Address {
        country: &context.country,
        province: context.province.as_deref(),
        city: context.city.as_deref(),
        postal_code: context.postal_code.as_deref(),
    };
    candidates.retain(|option| {
        places.group(&option.zone.id).iter().any(|stored| stored.place.covers(address))
    });
    let ids: Vec<&str> = candidates.iter().map(|option| option.id.as_str()).collect();
    let rules = queries::rules_of(tx, &ids)?.into_iter();
    let mut rules = ById::grouped(rules.map(ShippingOptionRule::into_rule));
    let item_total = context.currency.amount(context.item_total_minor).text();
    let (audience, is_return) = (context.audience, context.is_return);
    let facts = Facts { audience, is_return, item_total: &item_total };
    candidates.retain(|option| is_offered(rules.group(&option.id), facts));
    let price_context = PriceContext {
        currency: context.currency,
        region_id: context.region_id.clone(),
        customer_group_ids: context.customer_group_ids.clone(),
        item_total_minor: Some(context.item_total_minor),
    };
    let sets: Vec<(PriceSetId, i64)> =
        candidates.iter().map(|option| (option.price_set_id.clone(), 1)).collect();
    let prices = pricing::calculate(tx, &price_context, &sets)?;
    let locations: Vec<StockLocationId> =
        candidates.iter().map(|option| option.zone.fulfillment_set.location.id.clone()).collect();
    let short = inventory::short_locations(tx, &context.items, &locations)?;
    let mut offers = Vec::with_capacity(candidates.len());
    for (option, price) in candidates.into_iter().zip(prices) {
        let Some(price) = price else { continue };
        let rules = rules.take(&option.id);
        let is_short = short.contains(&option.zone.fulfillment_set.location.id);
        offers.push(offer(option, &rules, price, is_short));
    }
    Ok(offers)
}

fn offer(option: Candidate, rules: &[NewRule], price: CalculatedPrice, is_short: bool) -> Offer {
    let Candidate { id, name, price_type, shipping_profile_id, provider_id, .. } = option;
    let (currency, chosen) = (price.currency, &price.calculated);
    Offer {
        id,
        name,
        price_type,
        service_zone_id: option.zone.id.clone(),
        shipping_profile_id,
        provider: OfferProvider::new(&provider_id),
        provider_id,
        data: option.data,
        metadata: option.metadata,
        service_zone: option.zone,
        option_type: option.option_type,
        rules: rules.iter().map(OfferRule::from).collect(),
        amount: currency.amount(chosen.amount_minor),
        amount_minor: chosen.amount_minor,
        is_tax_inclusive: chosen.is_tax_inclusive,
        insufficient_inventory: is_short,
        calculated_price: price.into(),
        prices: Vec::new(),
    }
}
