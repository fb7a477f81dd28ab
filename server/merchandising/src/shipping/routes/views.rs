//! Shipping with what belongs to it, loaded for a whole page at once.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::Selection;
use crate::ids::{
    FulfillmentSetId, PriceId, PriceSetId, ServiceZoneId, ShippingOptionId, ShippingOptionRuleId,
};
use crate::money::{Amount, Currency};
use crate::pricing::{self, StoredPrice};
use crate::shipping::ShippingError;
use crate::shipping::options::OfferProvider;
use crate::shipping::queries::admin;
use crate::shipping::stored::{
    self, FulfillmentSet, ServiceZone, ShippingOptionType, ShippingProfile, StoredOption,
    StoredPlace, StoredRule,
};

/// A shipping option with what belongs to it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingOptionView {
    /// The option.
    #[serde(flatten)]
    option: StoredOption,
    /// When it is offered.
    rules: Vec<ShippingOptionRuleView>,
    /// Its type.
    #[serde(rename = "type")]
    option_type: Option<ShippingOptionType>,
    /// The zone it is for.
    service_zone: Option<ServiceZoneView>,
    /// What it can carry.
    shipping_profile: Option<ShippingProfile>,
    /// Who carries it.
    provider: OfferProvider,
    /// What it costs.
    prices: Vec<ShippingPriceView>,
}

/// A rule of a shipping option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ShippingOptionRuleView {
    /// Its id.
    pub(super) id: ShippingOptionRuleId,
    /// What it looks at.
    #[schema(example = "enabled_in_store")]
    attribute: String,
    /// How it compares.
    #[schema(example = "eq")]
    operator: &'static str,
    /// With what: a text, or a list where the operator takes several.
    value: serde_json::Value,
    /// The option.
    shipping_option_id: ShippingOptionId,
}

impl From<StoredRule> for ShippingOptionRuleView {
    fn from(stored: StoredRule) -> Self {
        let StoredRule { id, option_id: shipping_option_id, rule } = stored;
        let (operator, value) = (rule.operator.word(), rule.value());
        Self { id, attribute: rule.attribute, operator, value, shipping_option_id }
    }
}

/// A price of a shipping option.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingPriceView {
    /// Its id.
    id: PriceId,
    /// A name for people.
    title: Option<String>,
    /// Its currency.
    currency_code: Currency,
    /// In major units.
    amount: Amount,
    /// From this quantity on.
    min_quantity: Option<i64>,
    /// Up to this quantity, included.
    max_quantity: Option<i64>,
    /// The prices of the option.
    price_set_id: PriceSetId,
    /// Always null: shipping has no price lists.
    price_list_id: Option<String>,
    /// How many conditions it has.
    rules_count: usize,
    /// When it applies.
    price_rules: Vec<ShippingPriceRuleView>,
    /// When it was made.
    created_at: Timestamp,
    /// When it was changed last.
    updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    deleted_at: Option<Timestamp>,
}

/// A condition of a price.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingPriceRuleView {
    /// `region_id` or `item_total`.
    #[schema(example = "item_total")]
    attribute: String,
    /// How it compares.
    #[schema(example = "gte")]
    operator: &'static str,
    /// With what.
    value: String,
}

impl From<StoredPrice> for ShippingPriceView {
    fn from(price: StoredPrice) -> Self {
        let rules = price.conditions.into_iter().map(|condition| ShippingPriceRuleView {
            attribute: condition.attribute,
            operator: condition.comparison.word(),
            value: condition.value,
        });
        let price_rules: Vec<_> = rules.collect();
        Self {
            id: price.id,
            title: price.title,
            currency_code: price.currency,
            amount: price.currency.amount(price.amount_minor),
            min_quantity: price.min_quantity,
            max_quantity: price.max_quantity,
            price_set_id: price.price_set_id,
            price_list_id: None,
            rules_count: price_rules.len(),
            price_rules,
            created_at: price.created_at,
            updated_at: price.updated_at,
            deleted_at: None,
        }
    }
}

/// A service zone with its places.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ServiceZoneView {
    /// The zone.
    #[serde(flatten)]
    zone: ServiceZone,
    /// The places it covers.
    geo_zones: Vec<StoredPlace>,
}

/// A fulfillment set with its zones.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FulfillmentSetView {
    /// The set.
    #[serde(flatten)]
    set: FulfillmentSet,
    /// Its zones.
    service_zones: Vec<ServiceZoneView>,
}

/// Profiles have nothing beside them.
#[expect(clippy::unnecessary_wraps, reason = "loads as the other resources do")]
pub(super) fn load_profiles(
    _tx: &Tx<'_>,
    profiles: Vec<ShippingProfile>,
    _selection: &Selection,
) -> Result<Vec<ShippingProfile>, ShippingError> {
    Ok(profiles)
}

/// Types have nothing beside them.
#[expect(clippy::unnecessary_wraps, reason = "loads as the other resources do")]
pub(super) fn load_types(
    _tx: &Tx<'_>,
    types: Vec<ShippingOptionType>,
    _selection: &Selection,
) -> Result<Vec<ShippingOptionType>, ShippingError> {
    Ok(types)
}

/// Options with what is asked for.
pub(super) fn load_options(
    tx: &Tx<'_>,
    options: Vec<StoredOption>,
    selection: &Selection,
) -> Result<Vec<ShippingOptionView>, ShippingError> {
    let ids: Vec<&str> = options.iter().map(|option| option.id.as_str()).collect();
    let mut rules: BTreeMap<ShippingOptionId, Vec<_>> = BTreeMap::new();
    if selection.wants("rules") {
        for rule in admin::rules_of(tx, &ids)? {
            rules.entry(rule.option_id.clone()).or_default().push(rule.into());
        }
    }
    let mut prices: BTreeMap<PriceSetId, Vec<_>> = BTreeMap::new();
    if selection.wants("prices") {
        let sets: Vec<&PriceSetId> = options.iter().map(|option| &option.price_set_id).collect();
        for price in pricing::prices_of(tx, &sets)? {
            prices.entry(price.price_set_id.clone()).or_default().push(price.into());
        }
    }
    let (mut types, mut profiles, mut zones) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    if selection.wants("type") {
        let ids = options.iter().filter_map(|option| option.shipping_option_type_id.as_ref());
        let ids: Vec<&str> = ids.map(crate::ids::ShippingOptionTypeId::as_str).collect();
        types.extend(admin::types_by_ids(tx, &ids)?.into_iter().map(|row| (row.id.clone(), row)));
    }
    if selection.wants("shipping_profile") {
        let ids = options.iter().filter_map(|option| option.shipping_profile_id.as_ref());
        let ids: Vec<&str> = ids.map(crate::ids::ShippingProfileId::as_str).collect();
        let found = admin::profiles_by_ids(tx, &ids)?;
        profiles.extend(found.into_iter().map(|row| (row.id.clone(), row)));
    }
    if selection.wants("service_zone") {
        let ids: Vec<&str> = options.iter().map(|option| option.service_zone_id.as_str()).collect();
        let found = admin::zones_by_ids(tx, &ids)?;
        zones = zones_with_places(tx, found, selection.wants("service_zone.geo_zones"))?;
    }
    let view = |option: StoredOption| ShippingOptionView {
        rules: rules.remove(&option.id).unwrap_or_default(),
        option_type: option.shipping_option_type_id.as_ref().and_then(|id| types.get(id).cloned()),
        service_zone: zones.get(&option.service_zone_id).cloned(),
        shipping_profile: option
            .shipping_profile_id
            .as_ref()
            .and_then(|id| profiles.get(id).cloned()),
        provider: OfferProvider::new(&option.provider_id),
        prices: prices.remove(&option.price_set_id).unwrap_or_default(),
        option,
    };
    Ok(options.into_iter().map(view).collect())
}

fn zones_with_places(
    tx: &Tx<'_>,
    zones: Vec<ServiceZone>,
    are_wanted: bool,
) -> Result<BTreeMap<ServiceZoneId, ServiceZoneView>, ShippingError> {
    let mut places: BTreeMap<ServiceZoneId, Vec<StoredPlace>> = BTreeMap::new();
    if are_wanted {
        let ids: Vec<&str> = zones.iter().map(|zone| zone.id.as_str()).collect();
        for place in admin::places_of(tx, &ids)? {
            places.entry(place.service_zone_id.clone()).or_default().push(place);
        }
    }
    let view = |zone: ServiceZone| {
        let geo_zones = places.remove(&zone.id).unwrap_or_default();
        (zone.id.clone(), ServiceZoneView { zone, geo_zones })
    };
    Ok(zones.into_iter().map(view).collect())
}

/// A set with its zones and their places.
pub(super) fn load_set(
    tx: &Tx<'_>,
    id: &FulfillmentSetId,
) -> Result<FulfillmentSetView, ShippingError> {
    let set = stored::find_set(tx, id)?;
    let zones = zones_with_places(tx, admin::zones_of(tx, id)?, true)?;
    Ok(FulfillmentSetView { set, service_zones: zones.into_values().collect() })
}

/// A zone with its places.
pub(super) fn load_zone(
    tx: &Tx<'_>,
    set_id: &FulfillmentSetId,
    id: &ServiceZoneId,
) -> Result<ServiceZoneView, ShippingError> {
    let zone = stored::find_zone(tx, set_id, id)?;
    let zones = zones_with_places(tx, vec![zone], true)?;
    zones.into_values().next().ok_or_else(|| ShippingError::not_found("Service zone", id))
}
