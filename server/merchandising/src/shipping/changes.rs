//! Updates and deletes profiles, types, zones and options.

use super::conditions::NewRule;
use super::create::{check_links, check_places, check_rules};
use super::model::{
    FulfillmentSet, ServiceZone, ShippingOption, ShippingOptionType, ShippingProfile,
};
use super::queries::parts as queries;
use super::{GeoZone, ShippingError};
use crate::database::{Table, Tx};
use crate::ids::{FulfillmentSetId, ServiceZoneId, ShippingOptionTypeId, ShippingProfileId};
use crate::metadata::MetadataPatch;
use crate::pricing::{self, NewPrice};

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
    if let Some(patch) = metadata {
        zone.metadata = patch.merge(&zone.metadata)?;
    }
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
