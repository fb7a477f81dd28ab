//! Price preferences: whether the prices in a region or a currency include tax.

use serde::{Deserialize, Serialize};

use super::PricingError;
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx, Word, first_missing};
use crate::http::{Resource, ToSchema};
use crate::ids::{PricePreferenceId, RegionId};
use crate::money::Currency;

/// Whether the prices in a region or a currency include tax.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "price_preference f")]
#[record(list(plural = "price_preferences", usual, search = ["f.attribute", "f.value"], limit = 50))]
#[resource(name = "price preference", error = PricingError)]
pub(super) struct PricePreference {
    pub(super) id: PricePreferenceId,
    #[column(filter)]
    pub(super) attribute: PreferenceAttribute,
    /// The currency or the region.
    #[schema(example = "eur")]
    #[column(filter)]
    pub(super) value: String,
    pub(super) is_tax_inclusive: bool,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted preferences are never returned.
    #[column(skip)]
    pub(super) deleted_at: Option<Timestamp>,
}

/// The attribute of a preference.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum PreferenceAttribute {
    /// Prices in a currency.
    CurrencyCode,
    /// Prices with a rule for a region.
    RegionId,
}

/// Creates a preference. Its value must be a currency or a region without a preference.
pub(super) fn create(
    tx: &Tx<'_>,
    attribute: PreferenceAttribute,
    value: &str,
    is_tax_inclusive: bool,
) -> Result<PricePreferenceId, PricingError> {
    let row = PricePreference {
        id: PricePreferenceId::new(),
        attribute,
        value: checked(tx, attribute, value)?,
        is_tax_inclusive,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    let exists = || PricingError::PreferenceExists {
        attribute: attribute.as_str(),
        value: row.value.clone(),
    };
    row.insert(tx).map_err(|error| error.or_taken(exists))?;
    Ok(row.id)
}

fn checked(
    tx: &Tx<'_>,
    attribute: PreferenceAttribute,
    value: &str,
) -> Result<String, PricingError> {
    let bad = || PricingError::bad_value(attribute.as_str(), value);
    match attribute {
        PreferenceAttribute::CurrencyCode => {
            let currency = value.parse::<Currency>().map_err(|_unknown| bad())?;
            Ok(currency.to_string())
        }
        PreferenceAttribute::RegionId => {
            let region_id: RegionId = value.parse().map_err(|_no_id| bad())?;
            match first_missing::<String>(tx, "region", &[region_id])? {
                Some(id) => Err(PricingError::unknown_region(&id)),
                None => Ok(value.to_owned()),
            }
        }
    }
}
