//! The rows of tax regions and rates, and their changes.

use serde::Serialize;

use super::TaxError;
use super::queries;
use super::rates::Reference;
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::{TaxRateId, TaxRegionId};
use crate::metadata::Metadata;

/// A tax region.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "tax_region g")]
#[record(list(plural = "tax_regions", usual, search = ["g.country", "g.province"]))]
#[resource(name = "tax region")]
#[schema(as = TaxRegion)]
pub(super) struct TaxRegionRow {
    pub(super) id: TaxRegionId,
    /// The two-letter country code.
    #[schema(example = "us")]
    #[column(name = "country", filter, order)]
    pub(super) country_code: String,
    /// The province, without the country prefix.
    #[schema(example = "nv")]
    #[column(name = "province", filter, order)]
    pub(super) province_code: Option<String>,
    /// The region of the country, for a province.
    #[column(filter)]
    pub(super) parent_id: Option<TaxRegionId>,
    #[schema(example = "tp_system")]
    #[column(filter)]
    pub(super) provider_id: Option<String>,
    pub(super) metadata: Metadata,
    #[column(filter)]
    pub(super) created_by: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    #[column(skip)]
    pub(super) deleted_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Record)]
#[record(table = "tax_rate t")]
#[record(list(plural = "tax_rates", usual, search = ["t.name", "t.code"]))]
pub(super) struct TaxRateRow {
    pub(super) id: TaxRateId,
    #[column(filter)]
    pub(super) tax_region_id: TaxRegionId,
    /// In millionths.
    pub(super) rate_ppm: i64,
    /// A short code for exports.
    #[column(filter, order)]
    pub(super) code: String,
    #[column(filter, order)]
    pub(super) name: String,
    /// Whether it applies to everything not covered by a rule.
    #[column(filter)]
    pub(super) is_default: bool,
    /// Whether the country's rate is added to it.
    #[column(filter)]
    pub(super) is_combinable: bool,
    pub(super) metadata: Metadata,
    pub(super) created_by: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// Updates a rate, and its rules if given.
pub(super) fn change_rate(
    tx: &Tx<'_>,
    rate: &TaxRateRow,
    rules: Option<&[(Reference, String)]>,
) -> Result<(), TaxError> {
    rate.update(tx)
        .map_err(|error| error.or_taken(|| TaxError::default_taken(&rate.tax_region_id)))?;
    if let Some(rules) = rules {
        queries::replace_rules(tx, &rate.id, rules)?;
    }
    Ok(())
}

pub(super) fn add_rule(
    tx: &Tx<'_>,
    id: &TaxRateId,
    reference: Reference,
    reference_id: &str,
) -> Result<(), TaxError> {
    TaxRateRow::require::<TaxError>(tx, id)?;
    Ok(queries::add_rule(tx, id, reference, reference_id)?)
}

/// Deletes the rule of a rate that names a resource.
pub(super) fn remove_rule(tx: &Tx<'_>, id: &TaxRateId, reference_id: &str) -> Result<(), TaxError> {
    TaxRateRow::require::<TaxError>(tx, id)?;
    if queries::remove_rule(tx, id, reference_id)? {
        Ok(())
    } else {
        Err(TaxError::not_found("Tax rate rule", &reference_id))
    }
}
