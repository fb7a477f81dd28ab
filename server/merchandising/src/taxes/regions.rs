//! Stored tax regions and rates, and the rates that apply to items.

use std::collections::BTreeMap;

use super::TaxError;
use super::queries;
use super::rates::{self, Destination, Reference, TaxRegion, Taxed};
use super::rows::{TaxRateRow, TaxRegionRow};
use crate::database::{Error, Table, Tx};
use crate::ids::{TaxRateId, TaxRegionId};
use crate::metadata::Metadata;

/// The provider of tax regions without one: the store's own tables.
pub(crate) const SYSTEM_PROVIDER: &str = "tp_system";

/// The provider of the tax lines of carts and orders: that of their regions, under the name that the
/// provider uses for itself.
pub const LINE_PROVIDER: &str = "system";

/// The destination of a shipment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaxPlace<'a> {
    /// The two-letter country code, in any case.
    pub country: &'a str,
    /// The province as in the address, with or without the country prefix.
    pub province: Option<&'a str>,
}

/// A rate that applies, and the country or province that levies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxRate {
    pub rate_id: TaxRateId,
    /// In millionths.
    pub rate_ppm: i64,
    /// A short code for exports.
    pub code: String,
    pub name: String,
    /// The country that levies it.
    pub country: String,
    /// The province that levies it; none if the country does.
    pub province: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewTaxRegion {
    /// The two-letter country code.
    pub country: String,
    /// The province, without the country prefix; none for the country itself.
    pub province: Option<String>,
    /// The region of the country, for a province; defaults to the existing one.
    pub parent_id: Option<TaxRegionId>,
    /// The tax provider; defaults to the store's own tables.
    pub provider_id: Option<String>,
    pub metadata: Metadata,
    pub created_by: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewTaxRate {
    pub tax_region_id: TaxRegionId,
    /// In millionths.
    pub rate_ppm: i64,
    /// A short code for exports.
    pub code: String,
    pub name: String,
    /// Whether it applies to everything not covered by a rule.
    pub is_default: bool,
    /// Whether the country's rate is added to it.
    pub is_combinable: bool,
    /// The resources that it is for.
    pub rules: Vec<(Reference, String)>,
    pub metadata: Metadata,
    pub created_by: Option<String>,
}

/// Returns the rates of each item at a place, in the order of the items, by one statement.
pub fn lines(
    tx: &Tx<'_>,
    place: TaxPlace<'_>,
    things: &[Taxed<'_>],
) -> Result<Vec<Vec<TaxRate>>, TaxError> {
    if things.is_empty() {
        return Ok(Vec::new());
    }
    let regions = queries::regions_of_country(tx, place.country, &references(things))?;
    let levied: BTreeMap<&str, &TaxRegion> = regions
        .iter()
        .flat_map(|region| region.rates.iter().map(move |rate| (rate.id.as_str(), region)))
        .collect();
    let place = Destination { country_code: place.country, province_code: place.province };
    let rates_of = |thing: &Taxed<'_>| {
        let applying = rates::applying(&regions, place, *thing).into_iter();
        applying.filter_map(|rate| tax_rate(rate, &levied)).collect()
    };
    Ok(things.iter().map(rates_of).collect())
}

fn tax_rate(rate: rates::TaxRate, levied: &BTreeMap<&str, &TaxRegion>) -> Option<TaxRate> {
    let region = levied.get(rate.rate_id.as_str())?;
    Some(TaxRate {
        rate_id: rate.rate_id.parse().ok()?,
        rate_ppm: rate.rate,
        code: rate.code.unwrap_or_default(),
        name: rate.name,
        country: region.country_code.clone(),
        province: region.province_code.clone(),
    })
}

/// Returns the ids by which rules can name these items.
fn references<'a>(things: &[Taxed<'a>]) -> Vec<&'a str> {
    let mut ids: Vec<&str> = things
        .iter()
        .flat_map(|thing| match *thing {
            Taxed::Item { product_id, product_type_id } => [product_id, product_type_id],
            Taxed::Shipping { option_id } => [option_id, None],
        })
        .flatten()
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Creates a tax region.
///
/// # Errors
/// [`TaxError::PlaceTaken`]; [`TaxError::Invalid`] for a country that does not exist, or a province whose country has
/// no region.
pub fn create_region(tx: &Tx<'_>, new: NewTaxRegion) -> Result<TaxRegionId, TaxError> {
    let country = new.country.to_ascii_lowercase();
    let province = new.province.map(|province| bare_province(&province, &country));
    let parent_id = match (&province, new.parent_id) {
        (None, None) => None,
        (None, Some(_)) => {
            return Err(TaxError::Invalid("a country's tax region has no parent".to_owned()));
        }
        (Some(_), parent_id) => Some(parent(tx, &country, parent_id)?),
    };
    let region = TaxRegionRow {
        id: TaxRegionId::new(),
        country_code: country,
        province_code: province,
        parent_id,
        provider_id: Some(new.provider_id.unwrap_or_else(|| SYSTEM_PROVIDER.to_owned())),
        metadata: new.metadata,
        created_by: new.created_by,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    match region.insert(tx) {
        Err(Error::Duplicate(_)) => {
            let country = region.country_code;
            let place = region
                .province_code
                .map_or(country.clone(), |province| format!("{country}-{province}"));
            Err(TaxError::PlaceTaken { place })
        }
        outcome => Ok(outcome.map(|()| region.id)?),
    }
}

fn parent(tx: &Tx<'_>, country: &str, sent: Option<TaxRegionId>) -> Result<TaxRegionId, TaxError> {
    let parent_id = queries::country_itself(tx, country)?.ok_or_else(|| {
        TaxError::Invalid(format!("make a tax region for {country} before its provinces"))
    })?;
    match sent {
        Some(sent) if sent != parent_id => {
            Err(TaxError::Invalid(format!("tax region {sent} is not that of {country}")))
        }
        _ => Ok(parent_id),
    }
}

/// Returns a province without its country prefix, in lower case.
fn bare_province(province: &str, country: &str) -> String {
    let province = province.to_lowercase();
    match province.split_once('-') {
        Some((prefix, rest)) if prefix == country => rest.to_owned(),
        _ => province,
    }
}

/// Creates a tax rate.
///
/// # Errors
/// [`TaxError::NotFound`] for its region; [`TaxError::DefaultTaken`] for a second default; [`TaxError::Invalid`] for a
/// rate out of range.
pub fn create_rate(tx: &Tx<'_>, new: &NewTaxRate) -> Result<TaxRateId, TaxError> {
    if !(0..=rates::MAX_RATE_PPM).contains(&new.rate_ppm) {
        return Err(TaxError::Invalid("a rate is from 0 to 1000 per cent".to_owned()));
    }
    TaxRegionRow::require::<TaxError>(tx, &new.tax_region_id)?;
    let rate = TaxRateRow {
        id: TaxRateId::new(),
        tax_region_id: new.tax_region_id.clone(),
        rate_ppm: new.rate_ppm,
        code: new.code.clone(),
        name: new.name.clone(),
        is_default: new.is_default,
        is_combinable: new.is_combinable,
        metadata: new.metadata.clone(),
        created_by: new.created_by.clone(),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    rate.insert(tx)
        .map_err(|error| error.or_taken(|| TaxError::default_taken(&rate.tax_region_id)))?;
    queries::replace_rules(tx, &rate.id, &new.rules)?;
    Ok(rate.id)
}
