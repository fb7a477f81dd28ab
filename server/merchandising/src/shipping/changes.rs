//! Creates, updates and deletes profiles, types, fulfillment sets, zones and options.

use rust_decimal::Decimal;

use super::conditions::{NewRule, Operator};
use super::model::{
    FulfillmentSet, OfferProvider, ServiceZone, ShippingOption, ShippingOptionType, ShippingProfile,
};
use super::queries;
use super::{GeoZone, ShippingError};
use crate::database::{Table, Tx, Word as _};
use crate::http::text;
use crate::ids::{
    FulfillmentSetId, PriceSetId, ServiceZoneId, ShippingOptionId, ShippingOptionTypeId,
    ShippingProfileId, StockLocationId,
};
use crate::inventory::{FULFILLMENT_PROVIDERS, StockLocation};
use crate::metadata::{Metadata, MetadataPatch};
use crate::pricing::{self, NewPrice};
use crate::regions::Country;

/// Limit: places of one zone.
const MAX_PLACES: usize = 1_000;

/// Limit: postal codes of one place.
const MAX_POSTAL_CODES: usize = 1_000;

/// Limit: characters of a postal code, as in an address.
const MAX_POSTAL_CODE_CHARS: usize = 32;

/// Limit: rules of one option.
const MAX_RULES: usize = 50;

#[derive(Debug, Clone)]
pub struct NewProfile {
    pub name: String,
    /// `default`, `gift_card`, or a custom type.
    pub kind: String,
    pub metadata: Metadata,
}

impl NewProfile {
    /// Returns the default profile, for products without another one.
    pub fn default_profile() -> Self {
        let (name, kind) = ("Default Shipping Profile".to_owned(), "default".to_owned());
        Self { name, kind, metadata: Metadata::default() }
    }
}

#[derive(Debug, Clone)]
pub struct NewSet {
    pub name: String,
    /// `shipping` or `pickup`.
    pub kind: String,
    /// The location that it ships from.
    pub location_id: StockLocationId,
}

#[derive(Debug, Clone)]
pub struct NewZone {
    pub name: String,
    /// The fulfillment set that it belongs to.
    pub fulfillment_set_id: FulfillmentSetId,
    /// The places that it covers.
    pub places: Vec<GeoZone>,
    pub metadata: Metadata,
}

#[derive(Debug, Clone)]
pub struct NewOption {
    pub name: String,
    /// The zone that it ships to.
    pub service_zone_id: ServiceZoneId,
    /// The profile of the items that it ships.
    pub shipping_profile_id: ShippingProfileId,
    pub provider_id: String,
    pub type_id: Option<ShippingOptionTypeId>,
    pub prices: Vec<NewPrice>,
    /// The rules for offering it.
    pub rules: Vec<NewRule>,
    /// The provider's data.
    pub data: Metadata,
    pub metadata: Metadata,
}

pub fn create_profile(tx: &Tx<'_>, new: &NewProfile) -> Result<ShippingProfileId, ShippingError> {
    let profile = ShippingProfile {
        id: ShippingProfileId::new(),
        name: new.name.clone(),
        kind: new.kind.clone(),
        metadata: new.metadata.clone(),
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    profile.insert(tx)?;
    Ok(profile.id)
}

/// Creates a fulfillment set of a location.
///
/// # Errors
/// [`ShippingError::NotFound`] for the location.
pub fn create_set(tx: &Tx<'_>, new: &NewSet) -> Result<FulfillmentSetId, ShippingError> {
    StockLocation::require::<ShippingError>(tx, &new.location_id)?;
    let set = FulfillmentSet {
        id: FulfillmentSetId::new(),
        name: new.name.clone(),
        kind: new.kind.clone(),
        location_id: Some(new.location_id.clone()),
        metadata: Metadata::default(),
        created_at: tx.now(),
        updated_at: tx.now(),
        service_zones: Vec::new(),
    };
    set.insert(tx)?;
    Ok(set.id)
}

/// Creates a service zone.
///
/// # Errors
/// [`ShippingError::NotFound`] for the set; [`ShippingError::Invalid`] for a country that does not exist.
pub fn create_zone(tx: &Tx<'_>, new: &NewZone) -> Result<ServiceZoneId, ShippingError> {
    FulfillmentSet::require::<ShippingError>(tx, &new.fulfillment_set_id)?;
    check_places(&new.places)?;
    let zone = ServiceZone {
        id: ServiceZoneId::new(),
        name: new.name.clone(),
        fulfillment_set_id: new.fulfillment_set_id.clone(),
        metadata: new.metadata.clone(),
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
        geo_zones: Vec::new(),
    };
    zone.insert(tx)?;
    queries::insert_places(tx, &zone.id, &new.places)?;
    Ok(zone.id)
}

/// Checks that the countries of places exist, and the numbers of places and of postal codes and their lengths.
fn check_places(places: &[GeoZone]) -> Result<(), ShippingError> {
    if places.len() > MAX_PLACES {
        let sentence = format!("a service zone has at most {MAX_PLACES} places");
        return Err(ShippingError::Invalid(sentence));
    }
    for place in places {
        let country = place.country();
        if Country::find(&country).is_none() {
            return Err(ShippingError::Invalid(format!("country `{country}` does not exist")));
        }
        if let GeoZone::Zip { postal_expression, .. } = place {
            check_postal_codes(postal_expression.values())?;
        }
    }
    Ok(())
}

fn check_postal_codes(codes: &[String]) -> Result<(), ShippingError> {
    if codes.len() > MAX_POSTAL_CODES {
        let sentence = format!("a place has at most {MAX_POSTAL_CODES} postal codes");
        return Err(ShippingError::Invalid(sentence));
    }
    for code in codes {
        text::clean(code, MAX_POSTAL_CODE_CHARS)
            .map_err(|error| ShippingError::Invalid(format!("a postal code is wrong: {error}")))?;
    }
    Ok(())
}

/// Creates a shipping option with its prices and rules.
///
/// # Errors
/// [`ShippingError::NotFound`] for its zone, profile or type; [`ShippingError::UnknownProvider`];
/// [`ShippingError::Pricing`] for invalid prices; [`ShippingError::Invalid`] for invalid rules.
pub fn create_option(tx: &Tx<'_>, new: &NewOption) -> Result<ShippingOptionId, ShippingError> {
    let option = ShippingOption {
        id: ShippingOptionId::new(),
        name: new.name.clone(),
        price_type: "flat".to_owned(),
        service_zone_id: new.service_zone_id.clone(),
        shipping_profile_id: Some(new.shipping_profile_id.clone()),
        provider_id: new.provider_id.clone(),
        shipping_option_type_id: new.type_id.clone(),
        price_set_id: PriceSetId::new(),
        data: new.data.clone(),
        metadata: new.metadata.clone(),
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
        rules: Vec::new(),
        option_type: None,
        service_zone: None,
        shipping_profile: None,
        provider: OfferProvider::default(),
        prices: Vec::new(),
    };
    check_links(tx, &option)?;
    check_rules(&new.rules)?;
    option.insert(tx)?;
    queries::insert_rules(tx, &option.id, &new.rules)?;
    pricing::replace_prices(tx, &option.price_set_id, &new.prices)?;
    Ok(option.id)
}

/// Checks that the zone, profile, type and provider of an option exist.
fn check_links(tx: &Tx<'_>, option: &ShippingOption) -> Result<(), ShippingError> {
    ServiceZone::require::<ShippingError>(tx, &option.service_zone_id)?;
    if let Some(profile_id) = &option.shipping_profile_id {
        ShippingProfile::require::<ShippingError>(tx, profile_id)?;
    }
    if let Some(type_id) = &option.shipping_option_type_id {
        ShippingOptionType::require::<ShippingError>(tx, type_id)?;
    }
    if !FULFILLMENT_PROVIDERS.contains(&option.provider_id.as_str()) {
        return Err(ShippingError::UnknownProvider(option.provider_id.clone()));
    }
    Ok(())
}

/// Rejects rules that can never hold, and too many rules.
pub(super) fn check_rules(rules: &[NewRule]) -> Result<(), ShippingError> {
    check_rule_count(rules.len())?;
    rules.iter().try_for_each(check_rule)
}

pub(super) fn check_rule_count(count: usize) -> Result<(), ShippingError> {
    if count > MAX_RULES {
        return Err(ShippingError::Invalid(format!("an option has at most {MAX_RULES} rules")));
    }
    Ok(())
}

pub(super) fn check_rule(rule: &NewRule) -> Result<(), ShippingError> {
    let NewRule { attribute, operator, values } = rule;
    if !["enabled_in_store", "is_return", "item_total"].contains(&attribute.as_str()) {
        return Err(ShippingError::Invalid(format!(
            "a rule looks at enabled_in_store, is_return or item_total, not `{attribute}`"
        )));
    }
    let word = operator.as_str();
    let takes_several = matches!(operator, Operator::In | Operator::Nin);
    if values.is_empty() || (values.len() > 1 && !takes_several) {
        let sentence = format!("a rule with `{word}` on `{attribute}` has one value");
        return Err(ShippingError::Invalid(sentence));
    }
    if let Some(value) = values.iter().find(|value| !fits(attribute, *operator, value)) {
        let sentence = format!("a rule with `{word}` on `{attribute}` does not take `{value}`");
        return Err(ShippingError::Invalid(sentence));
    }
    Ok(())
}

/// Returns whether an attribute can be compared with such values: totals are numbers, the others are true or
/// false.
fn fits(attribute: &str, operator: Operator, value: &str) -> bool {
    if attribute == "item_total" {
        return value.parse::<Decimal>().is_ok();
    }
    let is_equality =
        matches!(operator, Operator::Eq | Operator::Ne | Operator::In | Operator::Nin);
    is_equality && matches!(value, "true" | "false")
}

/// Deletes a profile that is not in use.
pub(super) fn delete_profile(tx: &Tx<'_>, id: &ShippingProfileId) -> Result<(), ShippingError> {
    ShippingProfile::require::<ShippingError>(tx, id)?;
    if queries::is_profile_used(tx, id)? {
        return Err(ShippingError::InUse { kind: "shipping profile", id: id.to_string() });
    }
    ShippingProfile::remove(tx, id)
}

/// Deletes a type that is not in use.
pub(super) fn delete_type(tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<(), ShippingError> {
    ShippingOptionType::require::<ShippingError>(tx, id)?;
    if queries::is_type_used(tx, id)? {
        return Err(ShippingError::InUse { kind: "shipping option type", id: id.to_string() });
    }
    queries::forget_type(tx, id)?;
    ShippingOptionType::remove(tx, id)
}

pub(super) fn find_zone(
    tx: &Tx<'_>,
    set_id: &FulfillmentSetId,
    id: &ServiceZoneId,
) -> Result<ServiceZone, ShippingError> {
    let zone = ServiceZone::find(tx, id)?.filter(|zone| zone.fulfillment_set_id == *set_id);
    zone.ok_or_else(|| ShippingError::not_found("Service zone", id))
}

/// Updates a zone; a field that is `None` stays. New places replace all existing ones.
pub(super) fn change_zone(
    tx: &Tx<'_>,
    (set_id, id): (&FulfillmentSetId, &ServiceZoneId),
    name: Option<String>,
    places: Option<Vec<GeoZone>>,
    metadata: Option<MetadataPatch>,
) -> Result<(), ShippingError> {
    let mut zone = find_zone(tx, set_id, id)?;
    zone.name = name.unwrap_or(zone.name);
    zone.metadata.merge(metadata)?;
    zone.update(tx)?;
    if let Some(places) = places {
        check_places(&places)?;
        queries::delete_places(tx, id)?;
        queries::insert_places(tx, id, &places)?;
    }
    Ok(())
}

/// Deletes a zone with its options. Open carts lose the methods that they have chosen of these.
pub(super) fn delete_zone(
    tx: &Tx<'_>,
    set_id: &FulfillmentSetId,
    id: &ServiceZoneId,
) -> Result<(), ShippingError> {
    find_zone(tx, set_id, id)?;
    queries::forget_options(tx, std::slice::from_ref(id))?;
    ServiceZone::remove(tx, id)
}

/// Deletes a fulfillment set with its zones, as [`delete_zone`] does.
pub(super) fn delete_set(tx: &Tx<'_>, id: &FulfillmentSetId) -> Result<(), ShippingError> {
    let zones: Vec<_> = queries::zones_of(tx, id)?.into_iter().map(|zone| zone.id).collect();
    queries::forget_options(tx, &zones)?;
    FulfillmentSet::remove(tx, id)
}

/// Updates an option, and its prices and rules if given.
pub(super) fn change_option(
    tx: &Tx<'_>,
    option: &ShippingOption,
    prices: Option<&[NewPrice]>,
    rules: Option<&[NewRule]>,
) -> Result<(), ShippingError> {
    check_links(tx, option)?;
    option.update(tx)?;
    if let Some(prices) = prices {
        pricing::replace_prices(tx, &option.price_set_id, prices)?;
    }
    if let Some(rules) = rules {
        check_rules(rules)?;
        queries::delete_rules(tx, &option.id)?;
        queries::insert_rules(tx, &option.id, rules)?;
    }
    Ok(())
}
