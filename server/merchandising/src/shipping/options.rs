//! The options that can be chosen for a cart, with what they cost.

use serde::Serialize;
use utoipa::ToSchema;

use super::conditions::{Audience, Facts, NewRule, is_offered};
use super::places::Address;
use super::queries::offers as queries;
use super::{PROVIDERS, ShippingError};
use crate::database::Tx;
use crate::database::Word as _;
use crate::http::Resource;
use crate::ids::{
    CustomerGroupId, FulfillmentSetId, PriceId, PriceSetId, RegionId, SalesChannelId,
    ServiceZoneId, ShippingOptionId, ShippingOptionTypeId, ShippingProfileId, StockLocationId,
    VariantId,
};
use crate::inventory::{self, LocationAddress};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::pricing::{self, CalculatedPrice, PriceContext};

/// What is to be sent, where to, and for whom.
#[derive(Debug, Clone)]
pub struct ShippingContext {
    /// For whom options are looked up.
    pub audience: Audience,
    /// Whether something comes back.
    pub is_return: bool,
    /// The country by two letters.
    pub country: String,
    pub province: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    /// What is paid in.
    pub currency: Currency,
    pub region_id: Option<RegionId>,
    /// The groups that the customer is in.
    pub customer_group_ids: Vec<CustomerGroupId>,
    /// The profiles of the items; options of other profiles are not offered.
    pub profile_ids: Vec<ShippingProfileId>,
    /// What the items cost, in minor units.
    pub item_total_minor: i64,
    /// Where it is sold.
    pub sales_channel_id: SalesChannelId,
    /// What is to be sent, to see which locations have it; empty where nobody asks.
    pub items: Vec<(VariantId, i64)>,
}

/// An option that can be chosen, as the store shows it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Offer {
    pub id: ShippingOptionId,
    #[schema(example = "Standard")]
    pub name: String,
    /// `flat` or `calculated`.
    #[schema(example = "flat")]
    pub price_type: String,
    /// The zone it is for.
    pub service_zone_id: ServiceZoneId,
    /// What it can carry.
    pub shipping_profile_id: ShippingProfileId,
    /// Who carries it.
    #[schema(example = "manual_manual")]
    pub provider_id: String,
    /// What the provider keeps with it.
    pub data: Metadata,
    pub metadata: Metadata,
    pub service_zone: OfferZone,
    #[serde(rename = "type")]
    pub(crate) option_type: Option<OfferType>,
    /// Who carries it.
    pub provider: OfferProvider,
    /// When it is offered.
    pub rules: Vec<OfferRule>,
    /// What it costs, with how that came about.
    pub calculated_price: OfferPrice,
    /// What it costs, in major units.
    pub amount: Amount,
    /// The same in minor units.
    #[serde(skip)]
    pub amount_minor: i64,
    /// Whether the amount includes tax.
    pub is_tax_inclusive: bool,
    /// Whether its location lacks some of the items.
    pub insufficient_inventory: bool,
}

/// The zone of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferZone {
    pub id: ServiceZoneId,
    pub name: String,
    /// The set it is in.
    pub fulfillment_set_id: FulfillmentSetId,
    pub fulfillment_set: OfferSet,
}

/// The fulfillment set of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferSet {
    pub id: FulfillmentSetId,
    /// `shipping` or `pickup`.
    #[serde(rename = "type")]
    #[schema(example = "shipping")]
    pub kind: String,
    /// Where it is sent from.
    pub location: OfferLocation,
}

/// Where an option is sent from.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferLocation {
    pub id: StockLocationId,
    pub name: String,
    /// Where it is.
    pub address: LocationAddress,
}

/// The type of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct OfferType {
    pub id: ShippingOptionTypeId,
    #[schema(example = "Express")]
    pub label: String,
    /// What it is.
    pub description: Option<String>,
    /// What programs call it.
    #[schema(example = "express")]
    pub code: String,
}

/// Who carries it.
#[derive(Debug, Clone, Default, Serialize, ToSchema, Resource)]
#[resource(name = "fulfillment provider")]
pub struct OfferProvider {
    #[schema(example = "manual_manual")]
    pub id: String,
    /// Whether it can be used.
    pub is_enabled: bool,
}

impl OfferProvider {
    /// The provider of this id.
    pub(super) fn new(id: &str) -> Self {
        Self { id: id.to_owned(), is_enabled: PROVIDERS.contains(&id) }
    }
}

/// A rule of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferRule {
    /// What it looks at.
    #[schema(example = "enabled_in_store")]
    pub attribute: String,
    /// How it compares.
    #[schema(example = "eq")]
    pub operator: &'static str,
    /// With what: a text, or a list where the operator takes several.
    pub value: serde_json::Value,
}

impl From<&NewRule> for OfferRule {
    fn from(rule: &NewRule) -> Self {
        let attribute = rule.attribute.clone();
        Self { attribute, operator: rule.operator.as_str(), value: rule.value() }
    }
}

/// What an option costs, as prices are shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the names are those of the API")]
pub struct OfferPrice {
    /// The option's prices.
    pub id: PriceSetId,
    /// Whether it is from a price list.
    pub(crate) is_calculated_price_price_list: bool,
    /// Whether it includes tax.
    pub is_calculated_price_tax_inclusive: bool,
    /// What is paid.
    pub calculated_amount: Amount,
    /// Whether the original is from a price list.
    pub(crate) is_original_price_price_list: bool,
    /// Whether the original includes tax.
    pub(crate) is_original_price_tax_inclusive: bool,
    /// What it would be without a sale.
    pub original_amount: Amount,
    /// What is paid in.
    pub currency_code: Currency,
    /// The price that is paid.
    pub calculated_price: OfferPriceSource,
    /// The price without a sale.
    pub original_price: OfferPriceSource,
}

/// Which price it is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferPriceSource {
    pub id: PriceId,
    /// Always null: shipping has no price lists.
    pub price_list_id: Option<String>,
    /// Always null.
    pub(crate) price_list_type: Option<String>,
    /// Always null: shipping has no tiers.
    pub min_quantity: Option<i64>,
    /// Always null.
    pub max_quantity: Option<i64>,
}

impl From<CalculatedPrice> for OfferPrice {
    fn from(price: CalculatedPrice) -> Self {
        let CalculatedPrice { price_set_id: id, currency, calculated, original } = price;
        let source = |id| OfferPriceSource {
            id,
            price_list_id: None,
            price_list_type: None,
            min_quantity: None,
            max_quantity: None,
        };
        Self {
            id,
            is_calculated_price_price_list: false,
            is_calculated_price_tax_inclusive: calculated.is_tax_inclusive,
            calculated_amount: currency.amount(calculated.amount_minor),
            is_original_price_price_list: false,
            is_original_price_tax_inclusive: original.is_tax_inclusive,
            original_amount: currency.amount(original.amount_minor),
            currency_code: currency,
            calculated_price: source(calculated.id),
            original_price: source(original.id),
        }
    }
}

/// An option as it is loaded to be offered.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) id: ShippingOptionId,
    pub(super) name: String,
    /// `flat` or `calculated`.
    pub(super) price_type: String,
    /// What it can carry.
    pub(super) shipping_profile_id: ShippingProfileId,
    /// Who carries it.
    pub(super) provider_id: String,
    pub(super) price_set_id: PriceSetId,
    /// What the provider keeps with it.
    pub(super) data: Metadata,
    pub(super) metadata: Metadata,
    pub(super) zone: OfferZone,
    pub(super) option_type: Option<OfferType>,
}

/// The options that can be chosen, in the order they were made: their zone covers the address, their profile is one of
/// the items', their rules hold, their location serves the channel, and they have a price in the currency.
///
/// The number of statements does not depend on that of the options.
pub fn options(tx: &Tx<'_>, context: &ShippingContext) -> Result<Vec<Offer>, ShippingError> {
    offers(tx, context, None)
}

/// One of [`options`].
///
/// # Errors
/// [`ShippingError::NotFound`] when it does not exist or cannot be chosen here.
pub fn option(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
    context: &ShippingContext,
) -> Result<Offer, ShippingError> {
    let offer = offers(tx, context, Some(id))?.into_iter().next();
    offer.ok_or_else(|| ShippingError::not_found("Shipping option", id))
}

fn offers(
    tx: &Tx<'_>,
    context: &ShippingContext,
    id: Option<&ShippingOptionId>,
) -> Result<Vec<Offer>, ShippingError> {
    let mut candidates = queries::candidates(tx, context, id)?;
    let zones: Vec<&str> = candidates.iter().map(|option| option.zone.id.as_str()).collect();
    let places = queries::places(tx, &zones, &context.country)?;
    let address = Address {
        country: &context.country,
        province: context.province.as_deref(),
        city: context.city.as_deref(),
        postal_code: context.postal_code.as_deref(),
    };
    candidates.retain(|option| {
        let places = places.get(&option.zone.id).map(Vec::as_slice).unwrap_or_default();
        places.iter().any(|place| place.covers(address))
    });
    let ids: Vec<&str> = candidates.iter().map(|option| option.id.as_str()).collect();
    let mut rules = queries::rules(tx, &ids)?;
    let item_total = context.currency.amount(context.item_total_minor).text();
    let (audience, is_return) = (context.audience, context.is_return);
    let facts = Facts { audience, is_return, item_total: &item_total };
    candidates.retain(|option| is_offered(rules.get(&option.id).map_or(&[], Vec::as_slice), facts));
    let prices = prices(tx, context, &candidates)?;
    let locations: Vec<StockLocationId> =
        candidates.iter().map(|option| option.zone.fulfillment_set.location.id.clone()).collect();
    let short = inventory::short_locations(tx, &context.items, &locations)?;
    let mut offers = Vec::with_capacity(candidates.len());
    for (option, price) in candidates.into_iter().zip(prices) {
        let Some(price) = price else { continue };
        let rules = rules.remove(&option.id).unwrap_or_default();
        let is_short = short.contains(&option.zone.fulfillment_set.location.id);
        offers.push(offer(option, &rules, price, is_short));
    }
    Ok(offers)
}

fn prices(
    tx: &Tx<'_>,
    context: &ShippingContext,
    candidates: &[Candidate],
) -> Result<Vec<Option<CalculatedPrice>>, ShippingError> {
    let asked = PriceContext {
        currency: context.currency,
        region_id: context.region_id.clone(),
        customer_group_ids: context.customer_group_ids.clone(),
        item_total_minor: Some(context.item_total_minor),
    };
    let sets: Vec<(PriceSetId, i64)> =
        candidates.iter().map(|option| (option.price_set_id.clone(), 1)).collect();
    Ok(pricing::calculate(tx, &asked, &sets)?)
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
    }
}
