//! Unit costs: what a variant costs the store, from when on.

use std::collections::BTreeMap;

use super::{PricingError, queries};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::VariantId;
use crate::money::Currency;

/// What a variant costs the store from an instant on, until a later one of the same currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitCost {
    pub variant_id: VariantId,
    pub currency: Currency,
    /// In minor units for one piece, not negative.
    pub amount_minor: i64,
    /// From when on.
    pub valid_from: Timestamp,
    /// Who said so: the id of an admin user or of a secret key.
    pub created_by: Option<String>,
}

/// What each variant costs the store at the transaction's instant, in minor units of `currency`. A variant without a
/// cost in it is not in the answer. One statement.
pub fn unit_costs(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
    currency: Currency,
) -> Result<BTreeMap<VariantId, i64>, PricingError> {
    Ok(queries::costs::valid_at(tx, variant_ids, currency, tx.now())?.into_iter().collect())
}

/// Adds to the history of a variant's cost; what is there for the very same instant is replaced. The variant must exist.
///
/// # Errors
/// [`PricingError::Invalid`] for an amount below zero.
pub fn set_unit_cost(tx: &Tx<'_>, cost: &UnitCost) -> Result<(), PricingError> {
    if cost.amount_minor < 0 {
        return Err(PricingError::negative());
    }
    Ok(queries::costs::put(tx, cost)?)
}

/// What each variant costs the store now in its default currency; of those that have a cost. Two statements.
pub fn default_costs(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
) -> Result<(Option<Currency>, BTreeMap<VariantId, i64>), PricingError> {
    let Some(currency) = queries::costs::default_currency(tx)? else {
        return Ok((None, BTreeMap::new()));
    };
    Ok((Some(currency), unit_costs(tx, variant_ids, currency)?))
}

/// Every cost of a variant with the instant it was written at, the latest first.
pub fn cost_history(
    tx: &Tx<'_>,
    variant_id: &VariantId,
) -> Result<Vec<(UnitCost, Timestamp)>, PricingError> {
    Ok(queries::costs::history(tx, variant_id)?)
}
