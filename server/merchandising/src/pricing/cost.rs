//! Unit costs: the cost of a variant to the store over time.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{PricingError, queries};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::ids::VariantId;
use crate::money::{Amount, Currency};

/// The unit cost of a variant, valid until a later one in the same currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitCost {
    pub variant_id: VariantId,
    pub currency: Currency,
    /// The cost of one piece in minor units, not negative.
    pub amount_minor: i64,
    /// The start of its validity.
    pub valid_from: Timestamp,
    /// The admin user or secret key that set it.
    pub created_by: Option<String>,
}

/// The unit cost of a variant, valid until a later one in the same currency.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CostView {
    pub(super) variant_id: VariantId,
    pub(super) currency_code: Currency,
    /// For one piece, in major units.
    #[schema(example = 5.2)]
    pub(super) amount: Amount,
    /// The start of its validity.
    pub(super) valid_from: Timestamp,
    /// The admin user or secret key that set it.
    pub(super) created_by: Option<String>,
    /// When it was set.
    pub(super) created_at: Timestamp,
}

/// Returns the unit cost of each variant at the transaction's time, in minor units of `currency`, by one statement.
/// Variants without a cost in this currency are omitted.
pub fn unit_costs(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
    currency: Currency,
) -> Result<BTreeMap<VariantId, i64>, PricingError> {
    Ok(queries::costs::valid_at(tx, variant_ids, currency, tx.now())?.into_iter().collect())
}

/// Adds a unit cost to the history of a variant, which must exist. A cost with the same start is replaced.
///
/// # Errors
/// [`PricingError::Invalid`] for a negative amount.
pub fn set_unit_cost(tx: &Tx<'_>, cost: &UnitCost) -> Result<(), PricingError> {
    if cost.amount_minor < 0 {
        return Err(PricingError::negative());
    }
    Ok(queries::costs::put(tx, cost)?)
}

/// Returns the current unit costs of variants in the store's default currency, by two statements. Variants without a
/// cost are omitted.
pub fn default_costs(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
) -> Result<(Option<Currency>, BTreeMap<VariantId, i64>), PricingError> {
    let Some(currency) = queries::costs::default_currency(tx)? else {
        return Ok((None, BTreeMap::new()));
    };
    Ok((Some(currency), unit_costs(tx, variant_ids, currency)?))
}
