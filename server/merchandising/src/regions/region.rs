//! Regions: a currency, countries, and the payment providers offered there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::queries;
use super::{Country, RegionError};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Record, Table, Tx};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ById, RegionId};
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::resource::View;

/// A region.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "region r")]
#[record(list(plural = "regions", usual, search = ["r.name", "r.currency"], limit = 50, columns = [OF_COUNTRY]))]
#[resource(name = "region", store = StoreRegion)]
pub struct Region {
    pub id: RegionId,
    #[schema(example = "United Kingdom")]
    #[column(filter, order)]
    pub name: String,
    #[serde(rename = "currency_code")]
    #[column(name = "currency", filter, order)]
    pub currency: Currency,
    /// Whether taxes are computed at each change of a cart, instead of on request only.
    #[field(store(extra))]
    pub automatic_taxes: bool,
    /// Whether prices of this region include tax, by its price preference.
    #[field(store(hidden))]
    #[column(sql = "coalesce((select p.is_tax_inclusive from price_preference p
        where p.attribute = 'region_id' and p.value = r.id), 0)")]
    pub is_tax_inclusive: bool,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted regions are never returned.
    pub deleted_at: Option<Timestamp>,
    #[field(relation)]
    pub(super) countries: Vec<CountryView>,
    #[field(on_request)]
    pub(super) payment_providers: Vec<PaymentProviderView>,
}

const OF_COUNTRY: Column = Column::filter(
    "country_code",
    "r.id in (select region_id from region_country where country in ({}))",
    Kind::LowerCase,
);

/// A country of a region.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "country")]
pub struct CountryView {
    #[schema(example = "gb")]
    pub iso_2: &'static str,
    #[schema(example = "gbr")]
    pub iso_3: &'static str,
    #[schema(example = "826")]
    pub num_code: &'static str,
    /// The name in upper case.
    #[schema(example = "UNITED KINGDOM")]
    pub name: String,
    #[schema(example = "United Kingdom")]
    pub display_name: &'static str,
    /// The region that it belongs to.
    pub region_id: RegionId,
}

/// A payment provider of a region.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "payment provider")]
pub(super) struct PaymentProviderView {
    #[schema(example = "pp_system_default")]
    id: String,
    is_enabled: bool,
}

impl PaymentProviderView {
    pub(super) fn enabled(id: String) -> Self {
        Self { id, is_enabled: true }
    }
}

impl View for Region {
    type Row = Self;
    type Error = RegionError;

    fn attach(tx: &Tx<'_>, regions: &mut [Self], selection: &Selection) -> Result<(), RegionError> {
        let ids: Vec<RegionId> = regions.iter().map(|region| region.id.clone()).collect();
        if selection.wants("countries") {
            let mut countries = countries_of(tx, &ids)?;
            for region in &mut *regions {
                let countries = countries.remove(&region.id).unwrap_or_default().into_iter();
                let view = |country| CountryView::new(country, &region.id);
                region.countries = countries.map(view).collect();
            }
        }
        if selection.wants("payment_providers") {
            let providers: Vec<(RegionId, String)> = queries::PAYMENT_PROVIDERS.pairs(tx, &ids)?;
            let mut providers = ById::grouped(providers);
            for region in regions {
                let own: Vec<String> = providers.take(&region.id);
                region.payment_providers =
                    own.into_iter().map(PaymentProviderView::enabled).collect();
            }
        }
        Ok(())
    }
}

impl CountryView {
    pub fn new(country: &'static Country, region_id: &RegionId) -> Self {
        let Country { iso_2, iso_3, num_code, display_name } = *country;
        let region_id = region_id.clone();
        Self { iso_2, iso_3, num_code, name: country.name(), display_name, region_id }
    }
}

#[derive(Debug, Clone)]
pub struct NewRegion {
    pub name: String,
    pub currency: Currency,
    /// The two-letter codes of its countries; none of them may belong to another region.
    pub countries: Vec<String>,
    /// Ids of payment providers.
    pub payment_providers: Vec<String>,
    /// Whether taxes are computed at each change of a cart.
    pub automatic_taxes: bool,
    /// Whether prices of this region include tax.
    pub is_tax_inclusive: bool,
    pub metadata: Metadata,
}

/// Creates a region.
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
        countries: Vec::new(),
        payment_providers: Vec::new(),
    };
    check_providers(&payment_providers)?;
    save(tx, &region, Some(&countries), Some(&payment_providers))?;
    region.prefer_tax(tx)?;
    Ok(region)
}

/// Creates or updates a region. Countries and payment providers are replaced if given.
pub(super) fn save(
    tx: &Tx<'_>,
    region: &Region,
    countries: Option<&[String]>,
    providers: Option<&[String]>,
) -> Result<(), RegionError> {
    region.put(tx)?;
    if let Some(countries) = countries {
        replace_countries(tx, &region.id, countries)?;
    }
    if let Some(providers) = providers {
        check_providers(providers)?;
        queries::PAYMENT_PROVIDERS.replace(tx, &region.id, providers)?;
    }
    Ok(())
}

impl Region {
    /// Stores whether its prices include tax.
    pub(super) fn prefer_tax(&self, tx: &Tx<'_>) -> Result<(), RegionError> {
        Ok(queries::prefer_tax(tx, "region_id", self.id.as_str(), self.is_tax_inclusive)?)
    }
}

/// Deletes a region; its countries can then join another one.
///
/// # Errors
/// [`RegionError::NotFound`]; [`RegionError::IsDefault`] for the store's default region.
pub fn delete(tx: &Tx<'_>, id: &RegionId) -> Result<(), RegionError> {
    let store = super::store(tx)?;
    if store.is_some_and(|store| store.default_region_id.as_ref() == Some(id)) {
        return Err(RegionError::IsDefault { kind: "region", id: id.to_string() });
    }
    Region::remove::<RegionError>(tx, id)?;
    queries::COUNTRIES.clear(tx, id)?;
    Ok(queries::PAYMENT_PROVIDERS.clear(tx, id)?)
}

/// Checks that the ids are well-formed. Whether the server has the providers is checked when a payment starts.
fn check_providers(providers: &[String]) -> Result<(), RegionError> {
    let is_id = |id: &str| {
        id.starts_with("pp_")
            && id.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-')
            })
    };
    match providers.iter().find(|id| !is_id(id)) {
        Some(id) => Err(RegionError::Invalid(format!("payment provider `{id}` does not exist"))),
        None => Ok(()),
    }
}

pub fn find(tx: &Tx<'_>, id: &RegionId) -> Result<Region, RegionError> {
    Region::require(tx, id)
}

/// Returns the default region for shoppers: the store's default, otherwise the oldest, if possible one with this currency;
/// none without regions.
pub fn default_region(
    tx: &Tx<'_>,
    currency: Option<Currency>,
) -> Result<Option<Region>, RegionError> {
    let default_or_oldest = "left join store on store.default_region_id = r.id
        where r.deleted_at is null
        order by r.currency is ? desc, store.id is null, r.created_at, r.rowid
        limit 1";
    Ok(Region::select_one(tx, default_or_oldest, [currency])?)
}

/// Returns the countries of regions, by code; a region without countries has an empty list.
pub fn countries_of(
    tx: &Tx<'_>,
    ids: &[RegionId],
) -> Result<BTreeMap<RegionId, Vec<&'static Country>>, RegionError> {
    let mut countries: BTreeMap<_, Vec<_>> = ids.iter().map(|id| (id.clone(), vec![])).collect();
    let stored: Vec<(RegionId, String)> = queries::COUNTRIES.pairs(tx, ids)?;
    for (region_id, iso_2) in stored {
        let listed = countries.get_mut(&region_id);
        if let (Some(listed), Some(country)) = (listed, Country::find(&iso_2)) {
            listed.push(country);
        }
    }
    Ok(countries)
}

/// Returns the ids of a region's payment providers, sorted.
pub fn payment_providers(tx: &Tx<'_>, id: &RegionId) -> Result<Vec<String>, RegionError> {
    let offered: Vec<(RegionId, String)> = queries::PAYMENT_PROVIDERS.pairs(tx, &[id])?;
    Ok(offered.into_iter().map(|(_, provider)| provider).collect())
}

fn replace_countries(tx: &Tx<'_>, id: &RegionId, letters: &[String]) -> Result<(), RegionError> {
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
    Ok(queries::COUNTRIES.replace(tx, id, &countries)?)
}
