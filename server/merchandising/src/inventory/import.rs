//! Stock of orders that are imported from a store's history.

use std::collections::BTreeMap;

use super::InventoryError;
use super::level::LevelChanges;
use super::queries::variants;
use crate::database::Tx;
use crate::ids::{InventoryItemId, OrderId, StockLocationId, VariantId};
use crate::proportion::subtract;

/// The item of each variant; of one that is made of several, the last of them.
pub fn items_of(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
) -> Result<BTreeMap<VariantId, InventoryItemId>, InventoryError> {
    let parts = variants::parts(tx, variant_ids)?;
    Ok(parts.into_iter().map(|(variant, item, _)| (variant, item)).collect())
}

/// Takes what an imported order has sent from a location. Nothing is reserved for it: all of it has left.
///
/// # Errors
/// [`InventoryError::Db`]; a quantity that does not fit.
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
