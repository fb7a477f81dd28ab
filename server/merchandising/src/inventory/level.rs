//! Levels: the stock of an item at a location, and its changes.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::queries::{levels as queries, variants};
use super::{InventoryError, InventoryItem, StockLocation};
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::{InventoryItemId, InventoryLevelId, StockLocationId, VariantId};
use crate::metadata::Metadata;
use crate::proportion::{OutOfRange, add, multiply, subtract};

/// Limit: pieces of an item at one location.
pub(super) const MAX_QUANTITY: i64 = 1_000_000_000_000;

/// The stock of an item at a location.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "inventory_level l", list(plural = "inventory_levels", limit = 50))]
#[resource(name = "location level", object = "inventory-level")]
pub(super) struct Level {
    #[column(filter, order)]
    pub(super) id: InventoryLevelId,
    pub(super) inventory_item_id: InventoryItemId,
    #[column(filter)]
    pub(super) location_id: StockLocationId,
    /// Pieces in stock.
    #[column(filter, order)]
    pub(super) stocked_quantity: i64,
    /// Reserved pieces; can exceed the stocked ones if backorders are allowed.
    #[column(filter, order)]
    pub(super) reserved_quantity: i64,
    /// Incoming pieces.
    pub(super) incoming_quantity: i64,
    /// Stocked less reserved pieces.
    #[column(sql = "l.stocked_quantity - l.reserved_quantity")]
    available_quantity: i64,
    metadata: Metadata,
    #[column(filter, order)]
    created_at: Timestamp,
    updated_at: Timestamp,
    /// Always null: deleted levels are never returned.
    #[column(skip)]
    deleted_at: Option<Timestamp>,
}

/// The stock of an item at a location, in pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OnHand {
    pub(super) stocked: i64,
    /// Reserved in total.
    pub(super) reserved: i64,
    /// Reserved without backorder.
    pub(super) promised: i64,
}

/// The changes of stocked and reserved pieces, summed by item and location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LevelChanges(BTreeMap<(InventoryItemId, StockLocationId), (i64, i64)>);

impl LevelChanges {
    /// Adds a change of an item at a location.
    pub(super) fn add(
        &mut self,
        item_id: &InventoryItemId,
        location_id: &StockLocationId,
        stocked: i64,
        reserved: i64,
    ) -> Result<(), OutOfRange> {
        let so_far = self.0.entry((item_id.clone(), location_id.clone())).or_default();
        *so_far = (add(so_far.0, stocked)?, add(so_far.1, reserved)?);
        Ok(())
    }

    /// Returns the items and locations that change.
    pub(super) fn places(&self) -> Vec<(InventoryItemId, StockLocationId)> {
        self.0.keys().cloned().collect()
    }

    /// Applies the changes, and records a movement for each change of stock. The levels must exist.
    pub(super) fn apply(
        &self,
        tx: &Tx<'_>,
        reason: &str,
        reference: Option<&str>,
    ) -> Result<(), InventoryError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let rows = self.0.iter();
        let rows: Value = rows
            .map(|((item, at), (stocked, reserved))| json!([item, at, stocked, reserved]))
            .collect();
        let changes = rows.to_string();
        queries::apply(tx, &changes)?;
        if self.0.values().any(|(stocked, _)| *stocked != 0) {
            queries::record(tx, &changes, reason, reference)?;
        }
        Ok(())
    }
}

/// Sets the stock of an item at a location, creating the level if necessary.
///
/// `reason` names the movement, such as `count` or `adjustment`.
///
/// # Errors
/// [`InventoryError::NotFound`]; [`InventoryError::InsufficientStock`] if more pieces are reserved without backorder;
/// [`InventoryError::Invalid`] for a negative quantity.
pub fn set_level(
    tx: &Tx<'_>,
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
    stocked: i64,
    reason: &str,
) -> Result<(), InventoryError> {
    check_quantity("stocked_quantity", stocked)?;
    check_places(tx, item_id, location_id)?;
    queries::ensure(tx, &[(item_id.clone(), location_id.clone())])?;
    let on_hand = queries::on_hand(tx, location_id, &[item_id])?;
    let on_hand = on_hand.get(item_id).copied().unwrap_or_default();
    check_available(item_id, location_id, stocked, on_hand.promised)?;
    let mut changes = LevelChanges::default();
    changes.add(item_id, location_id, subtract(stocked, on_hand.stocked)?, 0)?;
    changes.apply(tx, reason, None)
}

fn check_quantity(field: &str, quantity: i64) -> Result<(), InventoryError> {
    if (0..=MAX_QUANTITY).contains(&quantity) {
        return Ok(());
    }
    let sentence = format!("{field} is from 0 to {MAX_QUANTITY}, not {quantity}");
    Err(InventoryError::Invalid(sentence))
}

/// Checks that at least the requested pieces of an item are available at a location.
pub(super) fn check_available(
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
    available: i64,
    requested: i64,
) -> Result<(), InventoryError> {
    if available >= requested {
        return Ok(());
    }
    let (item_id, location_id) = (item_id.clone(), location_id.clone());
    Err(InventoryError::InsufficientStock { item_id, location_id, requested, available })
}

/// Checks that the item and the location exist.
pub(super) fn check_places(
    tx: &Tx<'_>,
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
) -> Result<(), InventoryError> {
    InventoryItem::require::<InventoryError>(tx, item_id)?;
    StockLocation::require::<InventoryError>(tx, location_id)?;
    Ok(())
}

/// Returns pieces of variants to a location's stock, for example when a return is received. Variants without managed
/// stock are skipped. `reason` and `reference` (the id of the return) are recorded in the movements.
///
/// # Errors
/// [`InventoryError::NotFound`] for the location; [`InventoryError::Invalid`] for a quantity below one.
pub fn restock(
    tx: &Tx<'_>,
    location_id: &StockLocationId,
    pieces: &[(VariantId, i64)],
    reason: &str,
    reference: Option<&str>,
) -> Result<(), InventoryError> {
    StockLocation::require::<InventoryError>(tx, location_id)?;
    let parts = variants::parts(tx, pieces.iter().map(|(variant, _)| variant))?;
    let mut changes = LevelChanges::default();
    for (variant_id, quantity) in pieces {
        if *quantity < 1 {
            return Err(InventoryError::Invalid(format!("{quantity} pieces cannot be added")));
        }
        for (_, item_id, required) in parts.iter().filter(|(part_of, ..)| part_of == variant_id) {
            changes.add(item_id, location_id, multiply(*quantity, *required)?, 0)?;
        }
    }
    queries::ensure(tx, &changes.places())?;
    changes.apply(tx, reason, reference)
}

/// Creates the level of an item at a location, with its stocked and incoming pieces.
pub(super) fn create(
    tx: &Tx<'_>,
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
    stocked: i64,
    incoming: i64,
) -> Result<(), InventoryError> {
    if queries::find(tx, item_id, location_id)?.is_some() {
        let sentence = format!("item {item_id} is at location {location_id} already");
        return Err(InventoryError::Invalid(sentence));
    }
    set_level(tx, item_id, location_id, stocked, "count")?;
    change(tx, item_id, location_id, None, Some(incoming))
}

/// Updates the stocked or incoming pieces of a level; a field that is `None` stays.
pub(super) fn change(
    tx: &Tx<'_>,
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
    stocked: Option<i64>,
    incoming: Option<i64>,
) -> Result<(), InventoryError> {
    let mut level = find(tx, item_id, location_id)?;
    if let Some(incoming) = incoming {
        check_quantity("incoming_quantity", incoming)?;
        level.incoming_quantity = incoming;
        level.update(tx)?;
    }
    match stocked {
        Some(stocked) => set_level(tx, item_id, location_id, stocked, "adjustment"),
        None => Ok(()),
    }
}

/// Deletes the level of an item at a location; its stock is written off.
pub(super) fn delete(
    tx: &Tx<'_>,
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
) -> Result<InventoryLevelId, InventoryError> {
    let level = find(tx, item_id, location_id)?;
    if level.reserved_quantity > 0 {
        let id = level.id.to_string();
        return Err(InventoryError::Reserved { kind: "location level", id });
    }
    set_level(tx, item_id, location_id, 0, "removal")?;
    Level::delete(tx, &level.id)?;
    Ok(level.id)
}

/// Deletes the levels of a location; its stock is written off.
pub(super) fn clear(tx: &Tx<'_>, location_id: &StockLocationId) -> Result<(), InventoryError> {
    let mut changes = LevelChanges::default();
    for level in queries::at_location(tx, location_id)? {
        let gone = subtract(0, level.stocked_quantity)?;
        changes.add(&level.inventory_item_id, location_id, gone, 0)?;
    }
    changes.apply(tx, "removal", None)?;
    Ok(queries::delete_at(tx, location_id)?)
}

fn find(
    tx: &Tx<'_>,
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
) -> Result<Level, InventoryError> {
    let level = queries::find(tx, item_id, location_id)?;
    level.ok_or_else(|| InventoryError::not_found("Location level of location", location_id))
}
