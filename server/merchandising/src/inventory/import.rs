//! The stock of imported orders.

use super::InventoryError;
use super::level::LevelChanges;
use super::queries::variants;
use crate::database::Tx;
use crate::ids::{ById, InventoryItemId, OrderId, StockLocationId, VariantId};
use crate::proportion::subtract;

/// Returns the item of each variant; of a variant with several items, the last one.
pub fn items_of(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
) -> Result<ById<InventoryItemId>, InventoryError> {
    let parts = variants::parts(tx, variant_ids)?;
    Ok(parts.into_iter().map(|(variant, item, _)| (variant, item)).collect())
}

/// Removes the shipped pieces of an imported order from a location's stock. Nothing is reserved, because all of it has
/// shipped.
///
/// # Errors
/// [`InventoryError::Db`]; an invalid quantity.
pub fn import_shipment(
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
