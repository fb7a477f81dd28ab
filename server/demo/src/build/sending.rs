//! Shipping: one profile, a zone for each region, and the options with their prices.

use super::{Currencies, Places, Ways};
use crate::DemoError;
use crate::database::Tx;
use crate::ids::{FulfillmentSetId, RegionId, ServiceZoneId, ShippingOptionId, ShippingProfileId};
use crate::metadata::Metadata;
use crate::pricing::{Comparison, NewPrice, PriceCondition};
use crate::regions;
use crate::shipping::{self, GeoZone, NewOption, NewProfile, NewRule, NewSet, NewZone};

/// The item total, in pounds, from which standard delivery in Britain is free.
const FREE_FROM: &str = "100";

/// A shipping option, with its prices in pence, euro cents and US cents.
struct Way {
    name: &'static str,
    prices: [i64; 3],
    is_free_for_much: bool,
}

/// Creates the profile, zones and options.
pub(super) fn make(
    tx: &Tx<'_>,
    places: &Places,
    currencies: Currencies,
) -> Result<(ShippingProfileId, Ways), DemoError> {
    let profile = shipping::create_profile(tx, &NewProfile::default_profile())?;
    let set = NewSet {
        name: "Parcels".to_owned(),
        kind: "shipping".to_owned(),
        location_id: places.warehouse.clone(),
    };
    let set = shipping::create_set(tx, &set)?;
    let standard = |prices, is_free_for_much| Way { name: "Standard", prices, is_free_for_much };
    let express = |prices| Way { name: "Express", prices, is_free_for_much: false };
    let zone = |name, region| zone(tx, &set, name, region);
    let option = |zone: &ServiceZoneId, way| option(tx, zone, &profile, currencies, &way);
    let britain = zone("United Kingdom", &places.regions.britain)?;
    let europe = zone("Europe", &places.regions.europe)?;
    let world = zone("Rest of the world", &places.regions.world)?;
    let ways = Ways {
        britain: option(&britain, standard([395, 454, 514], true))?,
        europe: option(&europe, standard([995, 1_144, 1_294], false))?,
        world: option(&world, standard([1_895, 2_179, 2_464], false))?,
    };
    option(&britain, express([795, 914, 1_034]))?;
    option(&europe, express([1_995, 2_294, 2_594]))?;
    Ok((profile, ways))
}

fn zone(
    tx: &Tx<'_>,
    set: &FulfillmentSetId,
    name: &str,
    region: &RegionId,
) -> Result<ServiceZoneId, DemoError> {
    let countries = regions::countries_of(tx, std::slice::from_ref(region))?;
    let countries = countries.get(region).into_iter().flatten();
    let zone = NewZone {
        name: name.to_owned(),
        fulfillment_set_id: set.clone(),
        places: countries
            .map(|country| GeoZone::Country { country_code: country.iso_2.to_owned() })
            .collect(),
        metadata: Metadata::default(),
    };
    Ok(shipping::create_zone(tx, &zone)?)
}

fn option(
    tx: &Tx<'_>,
    zone: &ServiceZoneId,
    profile: &ShippingProfileId,
    Currencies { gbp, eur, usd }: Currencies,
    way: &Way,
) -> Result<ShippingOptionId, DemoError> {
    let prices = [gbp, eur, usd].into_iter().zip(way.prices);
    let mut prices: Vec<NewPrice> =
        prices.map(|(currency, amount_minor)| NewPrice::plain(currency, amount_minor)).collect();
    if way.is_free_for_much {
        let much = PriceCondition {
            attribute: "item_total".to_owned(),
            comparison: Comparison::GreaterOrEqual,
            value: FREE_FROM.to_owned(),
        };
        prices.push(NewPrice { conditions: vec![much], ..NewPrice::plain(gbp, 0) });
    }
    let option = NewOption {
        name: way.name.to_owned(),
        service_zone_id: zone.clone(),
        shipping_profile_id: profile.clone(),
        provider_id: shipping::PROVIDERS.first().copied().unwrap_or("manual_manual").to_owned(),
        type_id: None,
        prices,
        rules: vec![NewRule::enabled_in_store()],
        data: Metadata::default(),
        metadata: Metadata::default(),
    };
    Ok(shipping::create_option(tx, &option)?)
}
