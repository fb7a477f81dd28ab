//! Inventory items: what lies on a shelf. A variant is made of one or more of them.

use serde::Serialize;
use utoipa::ToSchema;

use super::InventoryError;
use super::queries::items as queries;
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::{InventoryItemId, VariantId};
use crate::metadata::Metadata;

/// An inventory item.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct InventoryItem {
    /// Its id.
    pub(crate) id: InventoryItemId,
    /// The code on its shelf; unique.
    #[schema(example = "MUG-RED")]
    pub(crate) sku: Option<String>,
    /// What people call it.
    pub(crate) title: Option<String>,
    /// What it is.
    pub(crate) description: Option<String>,
    /// Where its picture is.
    pub(crate) thumbnail: Option<String>,
    /// Whether it has to be sent.
    pub(crate) requires_shipping: bool,
    /// Its weight in grams.
    pub(crate) weight: Option<i64>,
    /// Its length in millimetres.
    pub(crate) length: Option<i64>,
    /// Its height in millimetres.
    pub(crate) height: Option<i64>,
    /// Its width in millimetres.
    pub(crate) width: Option<i64>,
    /// The code of the harmonized system, for customs.
    pub(crate) hs_code: Option<String>,
    /// The country that it was made in, by two letters.
    pub(crate) origin_country: Option<String>,
    /// The manufacturer's code, for customs.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// What the store keeps with it.
    pub(crate) metadata: Metadata,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
}

/// What a new inventory item is made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewItem {
    /// The code on its shelf.
    pub(crate) sku: Option<String>,
    /// What people call it.
    pub(crate) title: Option<String>,
    /// What it is.
    pub(crate) description: Option<String>,
    /// Where its picture is.
    pub(crate) thumbnail: Option<String>,
    /// Whether it need not be sent.
    pub(crate) is_digital: bool,
    /// Its weight in grams.
    pub(crate) weight: Option<i64>,
    /// Its length in millimetres.
    pub(crate) length: Option<i64>,
    /// Its height in millimetres.
    pub(crate) height: Option<i64>,
    /// Its width in millimetres.
    pub(crate) width: Option<i64>,
    /// The code of the harmonized system.
    pub(crate) hs_code: Option<String>,
    /// The country that it was made in.
    pub(crate) origin_country: Option<String>,
    /// The manufacturer's code.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// What the store keeps with it.
    pub(crate) metadata: Metadata,
}

/// Makes an inventory item. It lies nowhere yet: see [`super::set_level`].
///
/// # Errors
/// [`InventoryError::DuplicateSku`].
pub(crate) fn create_item(tx: &Tx<'_>, new: NewItem) -> Result<InventoryItemId, InventoryError> {
    let NewItem { sku, title, description, thumbnail, is_digital, .. } = new;
    let item = InventoryItem {
        id: InventoryItemId::new(),
        sku,
        title,
        description,
        thumbnail,
        requires_shipping: !is_digital,
        weight: new.weight,
        length: new.length,
        height: new.height,
        width: new.width,
        hs_code: new.hs_code,
        origin_country: new.origin_country,
        mid_code: new.mid_code,
        material: new.material,
        metadata: new.metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    queries::insert(tx, &item).map_err(|error| duplicate_sku(error, item.sku.as_deref()))?;
    Ok(item.id)
}

/// The refusal of an SKU that is there already.
pub(super) fn duplicate_sku(error: Error, sku: Option<&str>) -> InventoryError {
    match (error, sku) {
        (Error::Duplicate(_), Some(sku)) => InventoryError::DuplicateSku(sku.to_owned()),
        (error, _) => InventoryError::Db(error),
    }
}

/// Says that one of a variant takes `required_quantity` pieces of an item.
///
/// # Errors
/// [`InventoryError::NotFound`] for the item; [`InventoryError::Invalid`] for a quantity below one.
pub(crate) fn link(
    tx: &Tx<'_>,
    variant_id: &VariantId,
    item_id: &InventoryItemId,
    required_quantity: i64,
) -> Result<(), InventoryError> {
    if required_quantity < 1 {
        return Err(InventoryError::Invalid("required_quantity is at least 1".to_owned()));
    }
    if queries::find(tx, item_id)?.is_none() {
        return Err(InventoryError::not_found("Inventory item", item_id));
    }
    queries::link(tx, variant_id, item_id, required_quantity)?;
    Ok(())
}

/// Says that a variant takes nothing of an item any more.
///
/// # Errors
/// [`InventoryError::Db`].
pub(crate) fn unlink(
    tx: &Tx<'_>,
    variant_id: &VariantId,
    item_id: &InventoryItemId,
) -> Result<(), InventoryError> {
    Ok(queries::unlink(tx, variant_id, item_id)?)
}
