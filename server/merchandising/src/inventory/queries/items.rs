//! The SQL of inventory items.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::InventoryItemId;

/// Removes an item from every variant.
pub(in crate::inventory) fn unlink_all(tx: &Tx<'_>, item: &InventoryItemId) -> Result<(), Error> {
    tx.sql("delete from product_variant_inventory_item where inventory_item_id = :item")
        .run(named_params! { ":item": item })
}
