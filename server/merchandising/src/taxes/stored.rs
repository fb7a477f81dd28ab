//! Tax regions and rates as people see and change them.

use serde::Serialize;
use utoipa::ToSchema;

use super::TaxError;
use super::queries::{admin, rates as rate_queries};
use super::rates::{MAX_RATE_PPM, Reference};
use super::regions::default_taken;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{TaxRateId, TaxRegionId};
use crate::metadata::{Metadata, MetadataPatch};

/// A tax region.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct StoredRegion {
    /// Its id.
    pub(super) id: TaxRegionId,
    /// The country by two letters.
    #[schema(example = "us")]
    pub(super) country_code: String,
    /// The province, without the country in front.
    #[schema(example = "nv")]
    pub(super) province_code: Option<String>,
    /// The country's region, for a province.
    pub(super) parent_id: Option<TaxRegionId>,
    /// Who tells the rates.
    #[schema(example = "tp_system")]
    pub(super) provider_id: Option<String>,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
    /// Who made it.
    pub(super) created_by: Option<String>,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub(super) deleted_at: Option<Timestamp>,
}

/// A tax rate.
#[derive(Debug, Clone)]
pub(super) struct StoredRate {
    /// Its id.
    pub(super) id: TaxRateId,
    /// Its region.
    pub(super) tax_region_id: TaxRegionId,
    /// In millionths.
    pub(super) rate_ppm: i64,
    /// A short code for exports.
    pub(super) code: String,
    /// The name shown to people.
    pub(super) name: String,
    /// Whether it applies to what no rule names.
    pub(super) is_default: bool,
    /// Whether the country's rate comes on top of it.
    pub(super) is_combinable: bool,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
    /// Who made it.
    pub(super) created_by: Option<String>,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
}

/// A change of a rate; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub(super) struct RateChange {
    /// In millionths.
    pub(super) rate_ppm: Option<i64>,
    /// A short code for exports.
    pub(super) code: Option<String>,
    /// The name shown to people.
    pub(super) name: Option<String>,
    /// Whether it applies to what no rule names.
    pub(super) is_default: Option<bool>,
    /// Whether the country's rate comes on top of it.
    pub(super) is_combinable: Option<bool>,
    /// All of its rules afterwards.
    pub(super) rules: Option<Vec<(Reference, String)>>,
    /// What is merged into its metadata.
    pub(super) metadata: Option<MetadataPatch>,
}

/// The tax region of this id.
pub(super) fn find_region(tx: &Tx<'_>, id: &TaxRegionId) -> Result<StoredRegion, TaxError> {
    admin::find_region(tx, id)?.ok_or_else(|| TaxError::not_found("Tax region", id))
}

/// Changes who tells a region's rates, and what is kept with it.
pub(super) fn change_region(
    tx: &Tx<'_>,
    id: &TaxRegionId,
    provider_id: Option<String>,
    metadata: Option<MetadataPatch>,
) -> Result<(), TaxError> {
    let mut region = find_region(tx, id)?;
    region.provider_id = provider_id.or(region.provider_id);
    if let Some(patch) = metadata {
        region.metadata = patch.merge(&region.metadata)?;
    }
    Ok(admin::update_region(tx, &region)?)
}

/// Deletes a tax region with its rates and its provinces.
pub(super) fn delete_region(tx: &Tx<'_>, id: &TaxRegionId) -> Result<(), TaxError> {
    find_region(tx, id)?;
    Ok(admin::delete_region(tx, id)?)
}

/// The tax rate of this id.
pub(super) fn find_rate(tx: &Tx<'_>, id: &TaxRateId) -> Result<StoredRate, TaxError> {
    admin::find_rate(tx, id)?.ok_or_else(|| TaxError::not_found("Tax rate", id))
}

/// Changes a tax rate.
pub(super) fn change_rate(tx: &Tx<'_>, id: &TaxRateId, change: RateChange) -> Result<(), TaxError> {
    let mut rate = find_rate(tx, id)?;
    rate.rate_ppm = change.rate_ppm.unwrap_or(rate.rate_ppm);
    if !(0..=MAX_RATE_PPM).contains(&rate.rate_ppm) {
        return Err(TaxError::Invalid("a rate is from 0 to 1000 per cent".to_owned()));
    }
    rate.code = change.code.unwrap_or(rate.code);
    rate.name = change.name.unwrap_or(rate.name);
    rate.is_default = change.is_default.unwrap_or(rate.is_default);
    rate.is_combinable = change.is_combinable.unwrap_or(rate.is_combinable);
    if let Some(patch) = change.metadata {
        rate.metadata = patch.merge(&rate.metadata)?;
    }
    admin::update_rate(tx, &rate).map_err(|error| default_taken(error, &rate.tax_region_id))?;
    if let Some(rules) = change.rules {
        rate_queries::replace_rules(tx, id, &rules)?;
    }
    Ok(())
}

/// Deletes a tax rate.
pub(super) fn delete_rate(tx: &Tx<'_>, id: &TaxRateId) -> Result<(), TaxError> {
    find_rate(tx, id)?;
    Ok(admin::delete_rate(tx, id)?)
}

/// Adds a rule to a rate.
pub(super) fn add_rule(
    tx: &Tx<'_>,
    id: &TaxRateId,
    reference: Reference,
    reference_id: &str,
) -> Result<(), TaxError> {
    find_rate(tx, id)?;
    Ok(rate_queries::add_rule(tx, id, reference, reference_id)?)
}

/// Takes from a rate the rule about a thing.
pub(super) fn remove_rule(tx: &Tx<'_>, id: &TaxRateId, reference_id: &str) -> Result<(), TaxError> {
    find_rate(tx, id)?;
    if rate_queries::remove_rule(tx, id, reference_id)? {
        Ok(())
    } else {
        Err(TaxError::not_found("Tax rate rule", &reference_id))
    }
}
