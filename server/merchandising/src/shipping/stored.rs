//! Profiles, types, sets, zones and options as people see and change them.

use serde::Serialize;
use utoipa::ToSchema;

use super::conditions::NewRule;
use super::queries::{admin, changes, options, zones};
use super::setup::{check_links, check_places, check_rules};
use super::{GeoZone, NewOption, ShippingError};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{
    FulfillmentSetId, GeoZoneId, PriceSetId, ServiceZoneId, ShippingOptionId, ShippingOptionRuleId,
    ShippingOptionTypeId, ShippingProfileId, StockLocationId,
};
use crate::metadata::{Metadata, MetadataPatch};
use crate::pricing::{self, NewPrice};
use crate::sent::Sent;

/// A shipping profile.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ShippingProfile {
    /// Its id.
    pub(super) id: ShippingProfileId,
    /// What people call it.
    #[schema(example = "Default Shipping Profile")]
    pub(super) name: String,
    /// `default`, `gift_card`, or a word of the store's own.
    #[serde(rename = "type")]
    #[schema(example = "default")]
    pub(super) kind: String,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub(super) deleted_at: Option<Timestamp>,
}

/// A type of shipping options.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ShippingOptionType {
    /// Its id.
    pub(super) id: ShippingOptionTypeId,
    /// What people call it.
    #[schema(example = "Express")]
    pub(super) label: String,
    /// What it is.
    pub(super) description: Option<String>,
    /// What programs call it.
    #[schema(example = "express")]
    pub(super) code: String,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub(super) deleted_at: Option<Timestamp>,
}

/// A fulfillment set, without its zones.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct FulfillmentSet {
    /// Its id.
    pub(super) id: FulfillmentSetId,
    /// What people call it.
    pub(super) name: String,
    /// `shipping` or `pickup`.
    #[serde(rename = "type")]
    #[schema(example = "shipping")]
    pub(super) kind: String,
    /// Where it is sent from.
    pub(super) location_id: Option<StockLocationId>,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
}

/// A service zone, without its places.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ServiceZone {
    /// Its id.
    pub(super) id: ServiceZoneId,
    /// What people call it.
    pub(super) name: String,
    /// The set it is in.
    pub(super) fulfillment_set_id: FulfillmentSetId,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub(super) deleted_at: Option<Timestamp>,
}

/// A place of a zone.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct StoredPlace {
    /// Its id.
    pub(super) id: GeoZoneId,
    /// The zone.
    pub(super) service_zone_id: ServiceZoneId,
    /// The place.
    #[serde(flatten)]
    pub(super) place: GeoZone,
}

/// A rule of an option.
#[derive(Debug, Clone)]
pub(super) struct StoredRule {
    /// Its id.
    pub(super) id: ShippingOptionRuleId,
    /// The option.
    pub(super) option_id: ShippingOptionId,
    /// What it says.
    pub(super) rule: NewRule,
}

/// A shipping option, without what belongs to it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct StoredOption {
    /// Its id.
    pub(super) id: ShippingOptionId,
    /// What people call it.
    #[schema(example = "Standard")]
    pub(super) name: String,
    /// Always `flat`: no provider here calculates.
    #[schema(example = "flat")]
    pub(super) price_type: String,
    /// The zone it is for.
    pub(super) service_zone_id: ServiceZoneId,
    /// What it can carry.
    pub(super) shipping_profile_id: Option<ShippingProfileId>,
    /// Who carries it.
    #[schema(example = "manual_manual")]
    pub(super) provider_id: String,
    /// Its type.
    pub(super) shipping_option_type_id: Option<ShippingOptionTypeId>,
    /// Its prices.
    #[serde(skip)]
    pub(super) price_set_id: PriceSetId,
    /// What the provider keeps with it.
    pub(super) data: Metadata,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub(super) deleted_at: Option<Timestamp>,
}

/// The profile of this id.
pub(super) fn find_profile(
    tx: &Tx<'_>,
    id: &ShippingProfileId,
) -> Result<ShippingProfile, ShippingError> {
    admin::find_profile(tx, id)?.ok_or_else(|| ShippingError::not_found("Shipping profile", id))
}

/// Changes a profile; what is `None` stays.
pub(super) fn change_profile(
    tx: &Tx<'_>,
    id: &ShippingProfileId,
    (name, kind): (Option<String>, Option<String>),
    metadata: Option<MetadataPatch>,
) -> Result<(), ShippingError> {
    let mut profile = find_profile(tx, id)?;
    profile.name = name.unwrap_or(profile.name);
    profile.kind = kind.unwrap_or(profile.kind);
    if let Some(patch) = metadata {
        profile.metadata = patch.merge(&profile.metadata)?;
    }
    Ok(changes::update_profile(tx, &profile)?)
}

/// Deletes a profile that nothing has.
pub(super) fn delete_profile(tx: &Tx<'_>, id: &ShippingProfileId) -> Result<(), ShippingError> {
    find_profile(tx, id)?;
    if changes::is_profile_used(tx, id)? {
        return Err(ShippingError::InUse { kind: "shipping profile", id: id.to_string() });
    }
    Ok(changes::delete_profile(tx, id)?)
}

/// The type of this id.
pub(super) fn find_type(
    tx: &Tx<'_>,
    id: &ShippingOptionTypeId,
) -> Result<ShippingOptionType, ShippingError> {
    admin::find_type(tx, id)?.ok_or_else(|| ShippingError::not_found("Shipping option type", id))
}

/// Changes a type; what is `None` stays.
pub(super) fn change_type(
    tx: &Tx<'_>,
    id: &ShippingOptionTypeId,
    (label, code): (Option<String>, Option<String>),
    description: Sent<String>,
) -> Result<(), ShippingError> {
    let mut option_type = find_type(tx, id)?;
    option_type.label = label.unwrap_or(option_type.label);
    option_type.code = code.unwrap_or(option_type.code);
    option_type.description = description.unwrap_or(option_type.description);
    Ok(changes::update_type(tx, &option_type)?)
}

/// Deletes a type that no option has.
pub(super) fn delete_type(tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<(), ShippingError> {
    find_type(tx, id)?;
    if changes::is_type_used(tx, id)? {
        return Err(ShippingError::InUse { kind: "shipping option type", id: id.to_string() });
    }
    Ok(changes::delete_type(tx, id)?)
}

/// The set of this id.
pub(super) fn find_set(
    tx: &Tx<'_>,
    id: &FulfillmentSetId,
) -> Result<FulfillmentSet, ShippingError> {
    admin::find_set(tx, id)?.ok_or_else(|| ShippingError::not_found("Fulfillment set", id))
}

/// Deletes a set with its zones. Its options are offered no more.
pub(super) fn delete_set(tx: &Tx<'_>, id: &FulfillmentSetId) -> Result<(), ShippingError> {
    find_set(tx, id)?;
    Ok(changes::delete_set(tx, id)?)
}

/// The zone of this id, in its set.
pub(super) fn find_zone(
    tx: &Tx<'_>,
    set_id: &FulfillmentSetId,
    id: &ServiceZoneId,
) -> Result<ServiceZone, ShippingError> {
    let zone = admin::find_zone(tx, id)?.filter(|zone| zone.fulfillment_set_id == *set_id);
    zone.ok_or_else(|| ShippingError::not_found("Service zone", id))
}

/// Changes a zone; what is `None` stays. Places replace all that it had.
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
    changes::update_zone(tx, &zone)?;
    if let Some(places) = places {
        check_places(&places)?;
        changes::delete_places(tx, id)?;
        zones::insert_places(tx, id, &places)?;
    }
    Ok(())
}

/// Deletes a zone with its options.
pub(super) fn delete_zone(
    tx: &Tx<'_>,
    set_id: &FulfillmentSetId,
    id: &ServiceZoneId,
) -> Result<(), ShippingError> {
    find_zone(tx, set_id, id)?;
    Ok(changes::delete_zone(tx, id)?)
}

/// The option of this id.
pub(super) fn find_option(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
) -> Result<StoredOption, ShippingError> {
    admin::find_option(tx, id)?.ok_or_else(|| ShippingError::not_found("Shipping option", id))
}

/// Writes what an option is to be; prices and rules only where they are given.
pub(super) fn change_option(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
    wished: &NewOption,
    prices: Option<&[NewPrice]>,
    rules: Option<&[NewRule]>,
) -> Result<(), ShippingError> {
    let before = find_option(tx, id)?;
    check_links(tx, wished)?;
    changes::update_option(tx, id, wished)?;
    if let Some(prices) = prices {
        pricing::replace_prices(tx, &before.price_set_id, prices)?;
    }
    if let Some(rules) = rules {
        check_rules(rules)?;
        changes::delete_rules(tx, id)?;
        options::insert_rules(tx, id, rules)?;
    }
    Ok(())
}

/// Deletes an option. Carts that have chosen it keep their method.
pub(super) fn delete_option(tx: &Tx<'_>, id: &ShippingOptionId) -> Result<(), ShippingError> {
    find_option(tx, id)?;
    Ok(changes::delete_option(tx, id)?)
}
