//! Stock of a store whose history is written afterwards.

use std::collections::BTreeMap;

use super::InventoryError;
use super::level::LevelChanges;
use super::queries::variants;
use crate::database::Tx;
use crate::ids::{InventoryItemId, OrderId, StockLocationId, VariantId};
use crate::proportion::subtract;

/// The item of each variant; of one that is made of several, the last of them.
///
/// # Errors
/// [`InventoryError::Db`].
pub fn items_of(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
) -> Result<BTreeMap<VariantId, InventoryItemId>, InventoryError> {
    let parts = variants::parts(tx, variant_ids)?;
    Ok(parts.into_iter().map(|(variant, item, _)| (variant, item)).collect())
}

/// Takes what an order of the past had sent from a location. Nothing was reserved for it, for it is written after all of
/// it has left.
///
/// # Errors
/// [`InventoryError::Db`]; a quantity that does not fit.
pub fn past_shipment(
    tx: &Tx<'_>,
    order_id: &OrderId,
    location_id: &StockLocationId,
    pieces: &[(InventoryItemId, i64)],
) -> Result<(), InventoryError> {
    let mut changes = LevelChanges::default();
    for (item_id, quantity) in pieces {
        changes.add(item_id, location_id, subtract(0, *quantity)?, 0)?;
    }
    changes.apply(tx, "shipment", Some(order_id.as_str()))
}
