//! The store itself: its currencies, regions, channels, warehouse and taxes.

use std::collections::BTreeSet;

use super::{ByRegion, Currencies, Places};
use crate::DemoError;
use crate::database::Tx;
use crate::http::Patch;
use crate::ids::RegionId;
use crate::inventory::{self, LocationAddress, NewLocation};
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::payments::{manual, sandbox};
use crate::people::{PLACES, RegionKind};
use crate::plan::VAT_PPM;
use crate::regions::{self, COUNTRIES, NewChannel, NewRegion, StoreChange};
use crate::shipping;
use crate::taxes::{self, NewTaxRate, NewTaxRegion};

/// The name of the store.
const STORE: &str = "Quotient Gifts";
/// The islands in the same region as Britain.
const ISLANDS: &[&str] = &["gg", "im", "je"];
/// European countries without orders.
const MORE_EUROPE: &[&str] = &[
    "ad", "al", "ba", "bg", "ee", "fo", "gi", "hr", "hu", "li", "lu", "lv", "mc", "md", "me", "mk",
    "ro", "rs", "si", "sk", "sm", "ua", "va",
];

pub(super) fn make(tx: &Tx<'_>, zone: &str, currencies: Currencies) -> Result<Places, DemoError> {
    let web_shop = channel(tx, "Web shop", "Everybody who shops on the web.")?;
    let wholesale = channel(tx, "Wholesale", "Shops that order in large quantities.")?;
    let Currencies { gbp, eur, usd } = currencies;
    regions::ensure_store(tx, STORE, gbp)?;
    let [british, european, other] = countries();
    let places = Places {
        regions: ByRegion {
            britain: region(tx, "United Kingdom", gbp, british)?,
            europe: region(tx, "Europe", eur, european)?,
            world: region(tx, "Rest of the world", usd, other)?,
        },
        web_shop: web_shop.clone(),
        wholesale: wholesale.clone(),
        warehouse: warehouse(tx)?,
    };
    for channel in [&web_shop, &wholesale] {
        inventory::connect_channel(tx, &places.warehouse, channel)?;
    }
    for provider in shipping::PROVIDERS {
        inventory::connect_provider(tx, &places.warehouse, provider)?;
    }
    regions::change_store(
        tx,
        StoreChange {
            name: Some(STORE.to_owned()),
            currencies: Some(vec![(gbp, false), (eur, false), (usd, false)]),
            default_sales_channel_id: Patch::Value(web_shop),
            default_region_id: Patch::Value(places.regions.britain.clone()),
            default_location_id: Patch::Value(places.warehouse.clone()),
            time_zone: Some(zone.to_owned()),
            ..StoreChange::default()
        },
    )?;
    levy(tx)?;
    Ok(places)
}

fn channel(
    tx: &Tx<'_>,
    name: &str,
    description: &str,
) -> Result<crate::ids::SalesChannelId, DemoError> {
    let new = NewChannel { description: Some(description.to_owned()), ..NewChannel::named(name) };
    Ok(regions::create_channel(tx, new)?.id)
}

fn region(
    tx: &Tx<'_>,
    name: &str,
    currency: Currency,
    countries: Vec<String>,
) -> Result<RegionId, DemoError> {
    let payment_providers = vec![sandbox::ID.to_owned(), manual::ID.to_owned()];
    let region = NewRegion {
        name: name.to_owned(),
        currency,
        countries,
        payment_providers,
        automatic_taxes: true,
        is_tax_inclusive: false,
        metadata: Metadata::default(),
    };
    Ok(regions::create(tx, region)?.id)
}

fn warehouse(tx: &Tx<'_>) -> Result<crate::ids::StockLocationId, DemoError> {
    let some = |text: &str| Some(text.to_owned());
    let address = LocationAddress {
        address_1: some("1 Dock Road"),
        city: some("Reading"),
        postal_code: some("RG1 1AA"),
        country_code: some("gb"),
        ..LocationAddress::default()
    };
    let name = "Warehouse".to_owned();
    let warehouse = NewLocation { name, address, metadata: Metadata::default() };
    Ok(inventory::create_location(tx, warehouse)?)
}

/// Returns the countries of each region: Britain, Europe, and all others.
fn countries() -> [Vec<String>; 3] {
    let of = |kind| {
        let places = PLACES.iter().filter(move |place| place.region == kind);
        places.filter_map(|place| place.country)
    };
    let british: BTreeSet<&str> = of(RegionKind::Britain).chain(ISLANDS.iter().copied()).collect();
    let european: BTreeSet<&str> =
        of(RegionKind::Europe).chain(MORE_EUROPE.iter().copied()).collect();
    let all = COUNTRIES.iter().map(|country| country.iso_2);
    let is_other = |country: &&str| !british.contains(country) && !european.contains(country);
    let other: Vec<&str> = all.filter(is_other).collect();
    [british.into_iter().collect(), european.into_iter().collect(), other]
        .map(|own: Vec<&str>| own.into_iter().map(str::to_owned).collect())
}

/// Creates British VAT at home, and a zero rate abroad.
fn levy(tx: &Tx<'_>) -> Result<(), DemoError> {
    let abroad = PLACES.iter().filter_map(|place| place.country).filter(|country| *country != "gb");
    let abroad: BTreeSet<&str> = abroad.chain(ISLANDS.iter().copied()).collect();
    let zero = abroad.into_iter().map(|country| (country, 0, "ZERO", "Zero-rated export"));
    for (country, rate_ppm, code, name) in
        std::iter::once(("gb", VAT_PPM, "VAT", "VAT")).chain(zero)
    {
        let region = NewTaxRegion {
            country: country.to_owned(),
            province: None,
            parent_id: None,
            provider_id: None,
            metadata: Metadata::default(),
            created_by: None,
        };
        let tax_region_id = taxes::create_region(tx, region)?;
        let rate = NewTaxRate {
            tax_region_id,
            rate_ppm,
            code: code.to_owned(),
            name: name.to_owned(),
            is_default: true,
            is_combinable: false,
            rules: Vec::new(),
            metadata: Metadata::default(),
            created_by: None,
        };
        taxes::create_rate(tx, &rate)?;
    }
    Ok(())
}
