//! Loads the relations of shipping resources, for a whole page at once.

use crate::database::{Table, Tx};
use crate::http::Selection;
use crate::ids::{ById, FulfillmentSetId, ServiceZoneId};
use crate::pricing;
use crate::resource::View;
use crate::shipping::ShippingError;
use crate::shipping::changes;
use crate::shipping::model::{
    FulfillmentSet, OfferProvider, ServiceZone, ShippingOption, ShippingOptionType, ShippingProfile,
};
use crate::shipping::queries;

impl View for ShippingOption {
    type Row = Self;
    type Error = ShippingError;

    fn attach(
        tx: &Tx<'_>,
        options: &mut [Self],
        selection: &Selection,
    ) -> Result<(), ShippingError> {
        attach_own(tx, options, selection)?;
        attach_links(tx, options, selection)
    }
}

/// Loads the rules, prices and providers of options.
fn attach_own(
    tx: &Tx<'_>,
    options: &mut [ShippingOption],
    selection: &Selection,
) -> Result<(), ShippingError> {
    let ids: Vec<&str> = options.iter().map(|option| option.id.as_str()).collect();
    let mut rules = ById::default();
    if selection.wants("rules") {
        let found = queries::rules_of(tx, &ids)?;
        rules = ById::grouped_by(found, |rule| &rule.shipping_option_id);
    }
    let mut prices = ById::default();
    if selection.wants("prices") {
        let sets: Vec<_> = options.iter().map(|option| &option.price_set_id).collect();
        let found = pricing::prices_of(tx, &sets)?.into_iter();
        prices = ById::grouped(found.map(|price| (price.price_set_id.clone(), price.into())));
    }
    for option in options {
        option.rules = rules.take(&option.id);
        option.prices = prices.take(&option.price_set_id);
        option.provider = OfferProvider::new(&option.provider_id);
    }
    Ok(())
}

/// Loads the types, profiles and zones of options.
fn attach_links(
    tx: &Tx<'_>,
    options: &mut [ShippingOption],
    selection: &Selection,
) -> Result<(), ShippingError> {
    let (mut types, mut profiles, mut zones) = (Vec::new(), Vec::new(), Vec::new());
    if selection.wants("type") {
        let ids = options.iter().filter_map(|option| option.shipping_option_type_id.as_ref());
        types = ShippingOptionType::find_all(tx, ids)?;
    }
    if selection.wants("shipping_profile") {
        let ids = options.iter().filter_map(|option| option.shipping_profile_id.as_ref());
        profiles = ShippingProfile::find_all(tx, ids)?;
    }
    if selection.wants("service_zone") {
        let ids = options.iter().map(|option| &option.service_zone_id);
        zones = ServiceZone::find_all(tx, ids)?;
        if selection.wants("service_zone.geo_zones") {
            attach_places(tx, &mut zones)?;
        }
    }
    for option in options {
        let ShippingOption { shipping_option_type_id, shipping_profile_id, .. } = option;
        let is_type = |of: &&ShippingOptionType| Some(&of.id) == shipping_option_type_id.as_ref();
        option.option_type = types.iter().find(is_type).cloned();
        let is_profile = |of: &&ShippingProfile| Some(&of.id) == shipping_profile_id.as_ref();
        option.shipping_profile = profiles.iter().find(is_profile).cloned();
        option.service_zone = zones.iter().find(|zone| zone.id == option.service_zone_id).cloned();
    }
    Ok(())
}

fn attach_places(tx: &Tx<'_>, zones: &mut [ServiceZone]) -> Result<(), ShippingError> {
    let ids: Vec<&str> = zones.iter().map(|zone| zone.id.as_str()).collect();
    let places = queries::places_of(tx, &ids, None)?;
    let mut places = ById::grouped_by(places, |place| &place.service_zone_id);
    for zone in zones {
        zone.geo_zones = places.take(&zone.id);
    }
    Ok(())
}

/// Returns a set with its zones and their places.
pub(super) fn load_set(
    tx: &Tx<'_>,
    id: &FulfillmentSetId,
) -> Result<FulfillmentSet, ShippingError> {
    let mut set = FulfillmentSet::require::<ShippingError>(tx, id)?;
    set.service_zones = queries::zones_of(tx, id)?;
    attach_places(tx, &mut set.service_zones)?;
    Ok(set)
}

/// Returns a zone with its places.
pub(super) fn load_zone(
    tx: &Tx<'_>,
    set_id: &FulfillmentSetId,
    id: &ServiceZoneId,
) -> Result<ServiceZone, ShippingError> {
    let mut zone = changes::find_zone(tx, set_id, id)?;
    attach_places(tx, std::slice::from_mut(&mut zone))?;
    Ok(zone)
}
