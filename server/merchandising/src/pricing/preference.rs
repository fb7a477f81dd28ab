//! Price preferences: whether the prices of a region, or in a currency, include tax.

use serde::Serialize;
use utoipa::ToSchema;

use super::queries::prices;
use super::{PricingError, queries};
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids::{self, PricePreferenceId, RegionId};
use crate::money::Currency;

/// Whether the prices of a region, or in a currency, include tax.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PricePreference {
    /// Its id.
    pub id: PricePreferenceId,
    /// `currency_code` or `region_id`.
    #[schema(example = "currency_code")]
    pub attribute: String,
    /// The currency or the region.
    #[schema(example = "eur")]
    pub value: String,
    /// Whether tax is inside.
    pub is_tax_inclusive: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}

/// Says whether the prices of a region or in a currency include tax.
///
/// # Errors
/// A value that is no currency or region, or that has a preference.
pub(crate) fn create_preference(
    tx: &Tx<'_>,
    attribute: &str,
    value: &str,
    is_tax_inclusive: bool,
) -> Result<PricePreference, PricingError> {
    let value = checked(tx, attribute, value)?;
    let (id, attribute) = (PricePreferenceId::new(), attribute.to_owned());
    let (created_at, updated_at) = (tx.now(), tx.now());
    let row = PricePreference {
        id,
        attribute,
        value,
        is_tax_inclusive,
        created_at,
        updated_at,
        deleted_at: None,
    };
    match queries::preferences::insert(tx, &row) {
        Ok(()) => Ok(row),
        Err(database::Error::Duplicate(_)) => {
            Err(PricingError::PreferenceExists { attribute: row.attribute, value: row.value })
        }
        Err(error) => Err(error.into()),
    }
}

fn checked(tx: &Tx<'_>, attribute: &str, value: &str) -> Result<String, PricingError> {
    let bad =
        || PricingError::BadValue { attribute: attribute.to_owned(), value: value.to_owned() };
    if attribute == "currency_code" {
        return value.parse::<Currency>().map(|code| code.to_string()).map_err(|_unknown| bad());
    }
    let region_id: RegionId = value.parse().map_err(|_no_id| bad())?;
    match prices::missing_region(tx, &ids::list([region_id.as_str()]))? {
        Some(id) => Err(PricingError::UnknownRegion { id }),
        None => Ok(value.to_owned()),
    }
}

/// Changes whether tax is inside.
///
/// # Errors
/// A preference that is not there.
pub(crate) fn update_preference(
    tx: &Tx<'_>,
    id: &PricePreferenceId,
    is_tax_inclusive: Option<bool>,
) -> Result<PricePreference, PricingError> {
    let before = find_preference(tx, id)?;
    let is_tax_inclusive = is_tax_inclusive.unwrap_or(before.is_tax_inclusive);
    queries::preferences::update(tx, id, is_tax_inclusive)?;
    find_preference(tx, id)
}

/// Removes a preference: tax is not inside then.
///
/// # Errors
/// A preference that is not there.
pub(crate) fn delete_preference(tx: &Tx<'_>, id: &PricePreferenceId) -> Result<(), PricingError> {
    find_preference(tx, id)?;
    Ok(queries::preferences::delete(tx, id)?)
}

/// A preference.
///
/// # Errors
/// One that is not there.
pub(crate) fn find_preference(
    tx: &Tx<'_>,
    id: &PricePreferenceId,
) -> Result<PricePreference, PricingError> {
    queries::preferences::find(tx, id)?.ok_or_else(|| PricingError::NoPreference(id.clone()))
}
