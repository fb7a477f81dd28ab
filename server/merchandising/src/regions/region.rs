//! Regions: a currency, countries, and the payment providers that are offered there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::queries::{regions as queries, settings};
use super::{Country, RegionError};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::RegionId;
use crate::metadata::{Metadata, MetadataPatch};
use crate::money::Currency;

/// A region, without its countries.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Region {
    /// Its id.
    pub id: RegionId,
    /// What people call it.
    #[schema(example = "United Kingdom")]
    pub name: String,
    /// What is paid in.
    #[serde(rename = "currency_code")]
    pub currency: Currency,
    /// Whether taxes are computed at each change of a cart, and not only when they are asked for.
    pub automatic_taxes: bool,
    /// Whether prices made for this region include tax.
    pub is_tax_inclusive: bool,
    /// What the store keeps with it.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub deleted_at: Option<Timestamp>,
}

/// A country of a region.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CountryView {
    /// Two letters.
    #[schema(example = "gb")]
    pub iso_2: &'static str,
    /// Three letters.
    #[schema(example = "gbr")]
    pub iso_3: &'static str,
    /// Three digits.
    #[schema(example = "826")]
    pub num_code: &'static str,
    /// The name in upper case.
    #[schema(example = "UNITED KINGDOM")]
    pub name: String,
    /// The name.
    #[schema(example = "United Kingdom")]
    pub display_name: &'static str,
    /// The region that sells there.
    pub region_id: RegionId,
}

impl CountryView {
    /// A country as its region shows it.
    pub fn new(country: &'static Country, region_id: &RegionId) -> Self {
        let Country { iso_2, iso_3, num_code, display_name } = *country;
        let region_id = region_id.clone();
        Self { iso_2, iso_3, num_code, name: country.name(), display_name, region_id }
    }
}

/// What a new region is made of.
#[derive(Debug, Clone)]
pub struct NewRegion {
    /// What people call it.
    pub name: String,
    /// What is paid in.
    pub currency: Currency,
    /// Its countries by two letters; none of them may belong to another region.
    pub countries: Vec<String>,
    /// Ids of payment providers.
    pub payment_providers: Vec<String>,
    /// Whether taxes are computed at each change of a cart.
    pub automatic_taxes: bool,
    /// Whether prices made for this region include tax.
    pub is_tax_inclusive: bool,
    /// What the store keeps with it.
    pub metadata: Metadata,
}

/// Makes a region.
///
/// # Errors
/// [`RegionError::UnknownCountry`] and [`RegionError::CountryTaken`].
pub fn create(tx: &Tx<'_>, new: NewRegion) -> Result<Region, RegionError> {
    let NewRegion { name, currency, countries, payment_providers, .. } = new;
    let region = Region {
        id: RegionId::new(),
        name,
        currency,
        automatic_taxes: new.automatic_taxes,
        is_tax_inclusive: new.is_tax_inclusive,
        metadata: new.metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    check_providers(&payment_providers)?;
    queries::insert(tx, &region)?;
    replace_countries(tx, &region.id, &countries)?;
    queries::replace_payment_providers(tx, &region.id, &payment_providers)?;
    settings::prefer_tax(tx, "region_id", region.id.as_str(), region.is_tax_inclusive)?;
    Ok(region)
}

/// A change of a region; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct RegionChange {
    /// What people call it.
    pub name: Option<String>,
    /// What is paid in.
    pub currency: Option<Currency>,
    /// All of its countries afterwards.
    pub countries: Option<Vec<String>>,
    /// All of its payment providers afterwards.
    pub payment_providers: Option<Vec<String>>,
    /// Whether taxes are computed at each change of a cart.
    pub automatic_taxes: Option<bool>,
    /// Whether prices made for it include tax.
    pub is_tax_inclusive: Option<bool>,
    /// What is merged into its metadata.
    pub metadata: Option<MetadataPatch>,
}

/// Changes a region.
///
/// # Errors
/// [`RegionError::NotFound`], and those of [`create`].
pub fn change(tx: &Tx<'_>, id: &RegionId, change: RegionChange) -> Result<(), RegionError> {
    let mut region = find(tx, id)?;
    region.name = change.name.unwrap_or(region.name);
    region.currency = change.currency.unwrap_or(region.currency);
    region.automatic_taxes = change.automatic_taxes.unwrap_or(region.automatic_taxes);
    region.is_tax_inclusive = change.is_tax_inclusive.unwrap_or(region.is_tax_inclusive);
    if let Some(patch) = change.metadata {
        region.metadata = patch.merge(&region.metadata)?;
    }
    region.updated_at = tx.now();
    queries::update(tx, &region)?;
    if let Some(countries) = change.countries {
        replace_countries(tx, id, &countries)?;
    }
    if let Some(providers) = change.payment_providers {
        check_providers(&providers)?;
        queries::replace_payment_providers(tx, id, &providers)?;
    }
    settings::prefer_tax(tx, "region_id", id.as_str(), region.is_tax_inclusive)?;
    Ok(())
}

/// Deletes a region; its countries are free for another one.
///
/// # Errors
/// [`RegionError::NotFound`]; [`RegionError::IsDefault`] for the store's default region.
pub fn delete(tx: &Tx<'_>, id: &RegionId) -> Result<(), RegionError> {
    let store = super::store(tx)?;
    if store.is_some_and(|store| store.default_region_id.as_ref() == Some(id)) {
        return Err(RegionError::IsDefault { kind: "region", id: id.to_string() });
    }
    if !queries::delete(tx, id)? {
        return Err(RegionError::not_found("Region", id));
    }
    queries::replace_countries(tx, id, &[])?;
    queries::replace_payment_providers(tx, id, &[])?;
    Ok(())
}

/// Refuses what cannot be the id of a payment provider. Whether the server has it, a payment session will tell.
fn check_providers(providers: &[String]) -> Result<(), RegionError> {
    let is_id = |id: &str| {
        id.starts_with("pp_")
            && id.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-')
            })
    };
    match providers.iter().find(|id| !is_id(id)) {
        Some(id) => Err(RegionError::UnknownProvider(id.clone())),
        None => Ok(()),
    }
}

/// The region of this id.
///
/// # Errors
/// [`RegionError::NotFound`].
pub fn find(tx: &Tx<'_>, id: &RegionId) -> Result<Region, RegionError> {
    queries::find(tx, id)?.ok_or_else(|| RegionError::not_found("Region", id))
}

/// The region of shoppers who name none: the store's default one, or the oldest; none in a store without regions.
///
/// # Errors
/// [`RegionError::Db`].
pub fn default_region(tx: &Tx<'_>) -> Result<Option<Region>, RegionError> {
    Ok(queries::default_region(tx)?)
}

/// The countries of regions, in the order of their letters; a region without countries has an empty list.
///
/// # Errors
/// [`RegionError::Db`].
pub fn countries_of(
    tx: &Tx<'_>,
    ids: &[RegionId],
) -> Result<BTreeMap<RegionId, Vec<&'static Country>>, RegionError> {
    let mut countries: BTreeMap<_, Vec<_>> = ids.iter().map(|id| (id.clone(), vec![])).collect();
    for (region_id, iso_2) in queries::countries(tx, ids)? {
        let listed = countries.get_mut(&region_id);
        if let (Some(listed), Some(country)) = (listed, Country::find(&iso_2)) {
            listed.push(country);
        }
    }
    Ok(countries)
}

/// The ids of the payment providers that a region offers, in the order of their letters.
///
/// # Errors
/// [`RegionError::Db`].
pub fn payment_providers(tx: &Tx<'_>, id: &RegionId) -> Result<Vec<String>, RegionError> {
    let offered = queries::payment_providers(tx, std::slice::from_ref(id))?;
    Ok(offered.into_iter().map(|(_, provider)| provider).collect())
}

/// Gives a region these countries and no others.
pub(super) fn replace_countries(
    tx: &Tx<'_>,
    id: &RegionId,
    letters: &[String],
) -> Result<(), RegionError> {
    let mut countries = BTreeSet::new();
    for iso_2 in letters {
        let country =
            Country::find(iso_2).ok_or_else(|| RegionError::UnknownCountry(iso_2.clone()))?;
        countries.insert(country.iso_2);
    }
    let countries: Vec<&str> = countries.into_iter().collect();
    if let Some(country) = queries::country_elsewhere(tx, id, &countries)? {
        return Err(RegionError::CountryTaken { country });
    }
    queries::replace_countries(tx, id, &countries)?;
    Ok(())
}
