//! Price preferences: whether the prices in a region or a currency include tax.

use serde::{Deserialize, Serialize};

use super::PricingError;
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx, Word, first_missing};
use crate::http::{AssignTo, Resource, Text, ToSchema, request};
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

/// A new price preference.
#[request]
#[schema(example = json!({ "attribute": "currency_code", "value": "eur", "is_tax_inclusive": true }))]
pub(super) struct CreatePreferenceRequest {
    attribute: PreferenceAttribute,
    /// The currency or the region.
    value: Text,
    /// Whether prices include tax; defaults to false.
    #[serde(default)]
    is_tax_inclusive: bool,
}

impl CreatePreferenceRequest {
    /// Creates a preference. Its value must be a currency or a region without a preference.
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<PricePreferenceId, PricingError> {
        let preference = PricePreference {
            id: PricePreferenceId::new(),
            attribute: self.attribute,
            value: checked(tx, self.attribute, self.value.as_str())?,
            is_tax_inclusive: self.is_tax_inclusive,
            created_at: tx.now(),
            updated_at: tx.now(),
            deleted_at: None,
        };
        let exists = || PricingError::PreferenceExists {
            attribute: preference.attribute.as_str(),
            value: preference.value.clone(),
        };
        preference.insert(tx).map_err(|error| error.or_taken(exists))?;
        Ok(preference.id)
    }
}

/// The fields of a price preference to change.
#[request]
#[schema(example = json!({ "is_tax_inclusive": true }))]
pub(super) struct UpdatePreferenceRequest {
    is_tax_inclusive: Option<bool>,
}

impl UpdatePreferenceRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &PricePreferenceId) -> Result<(), PricingError> {
        let mut preference = PricePreference::require::<PricingError>(tx, id)?;
        self.is_tax_inclusive.assign_to(&mut preference.is_tax_inclusive);
        Ok(preference.update(tx)?)
    }
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
