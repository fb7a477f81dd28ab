//! Stored tax regions and rates, and the rates that apply to items.

use super::TaxError;
use super::queries;
use super::rates::{self, Reference, TaxPlace, TaxRate, Taxed};
use super::rows::{Ppm, TaxRateView, TaxRegionRow};
use crate::database::{Table, Tx};
use crate::ids::{TaxRateId, TaxRegionId};
use crate::metadata::Metadata;
use crate::regions::bare_province;

/// The provider of tax regions without one: the store's own tables.
pub(crate) const SYSTEM_PROVIDER: &str = "tp_system";

/// The provider of the tax lines of carts and orders: that of their regions, under the name that the
/// provider uses for itself.
pub const LINE_PROVIDER: &str = "system";

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
    Ok(things.iter().map(|thing| rates::applying(&regions, place, *thing)).collect())
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
    let taken = || {
        let place = [Some(region.country_code.as_str()), region.province_code.as_deref()];
        TaxError::PlaceTaken { place: place.into_iter().flatten().collect::<Vec<_>>().join("-") }
    };
    region.insert(tx).map_err(|error| error.or_taken(taken))?;
    Ok(region.id)
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
    let rate = TaxRateView {
        id: TaxRateId::new(),
        tax_region_id: new.tax_region_id.clone(),
        rate_ppm: Ppm(new.rate_ppm),
        code: new.code.clone(),
        name: new.name.clone(),
        is_default: new.is_default,
        is_combinable: new.is_combinable,
        metadata: new.metadata.clone(),
        created_by: new.created_by.clone(),
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
        rules: Vec::new(),
        tax_region: None,
    };
    save_rate(tx, &rate, Some(&new.rules))?;
    Ok(rate.id)
}

/// Creates or updates a rate, and its rules if given.
pub(super) fn save_rate(
    tx: &Tx<'_>,
    rate: &TaxRateView,
    rules: Option<&[(Reference, String)]>,
) -> Result<(), TaxError> {
    let taken = || TaxError::DefaultTaken { region_id: rate.tax_region_id.to_string() };
    rate.put(tx).map_err(|error| error.or_taken(taken))?;
    if let Some(rules) = rules {
        queries::clear_rules(tx, &rate.id)?;
        queries::add_rules(tx, &rate.id, rules)?;
    }
    Ok(())
}
