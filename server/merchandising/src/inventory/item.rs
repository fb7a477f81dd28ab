//! Inventory items: what lies on a shelf. A variant is made of one or more of them.

use serde::Serialize;
use utoipa::ToSchema;

use super::InventoryError;
use super::queries::items as queries;
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::InventoryItemId;
use crate::metadata::{Metadata, MetadataPatch};
use crate::sent::Sent;

/// An inventory item.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct InventoryItem {
    /// Its id.
    pub id: InventoryItemId,
    /// The code on its shelf; unique.
    #[schema(example = "MUG-RED")]
    pub sku: Option<String>,
    /// What people call it.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Where its picture is.
    pub thumbnail: Option<String>,
    /// Whether it has to be sent.
    pub requires_shipping: bool,
    /// Its weight in grams.
    pub weight: Option<i64>,
    /// Its length in millimetres.
    pub length: Option<i64>,
    /// Its height in millimetres.
    pub(crate) height: Option<i64>,
    /// Its width in millimetres.
    pub width: Option<i64>,
    /// The code of the harmonized system, for customs.
    pub(crate) hs_code: Option<String>,
    /// The country that it was made in, by two letters.
    pub(crate) origin_country: Option<String>,
    /// The manufacturer's code, for customs.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// What the store keeps with it.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// What a new inventory item is made of.
#[derive(Debug, Clone, Default)]
pub struct NewItem {
    /// The code on its shelf.
    pub sku: Option<String>,
    /// What people call it.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Where its picture is.
    pub thumbnail: Option<String>,
    /// Whether it need not be sent.
    pub(crate) is_digital: bool,
    /// Its weight in grams.
    pub weight: Option<i64>,
    /// Its length in millimetres.
    pub length: Option<i64>,
    /// Its height in millimetres.
    pub(crate) height: Option<i64>,
    /// Its width in millimetres.
    pub width: Option<i64>,
    /// The code of the harmonized system.
    pub(crate) hs_code: Option<String>,
    /// The country that it was made in.
    pub(crate) origin_country: Option<String>,
    /// The manufacturer's code.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// What the store keeps with it.
    pub metadata: Metadata,
}

/// Makes an inventory item. It lies nowhere yet.
///
/// # Errors
/// [`InventoryError::DuplicateSku`].
pub fn create_item(tx: &Tx<'_>, new: NewItem) -> Result<InventoryItemId, InventoryError> {
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
    check_measures(&item)?;
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

/// A change of an inventory item; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub(super) struct ItemChange {
    /// The code on its shelf.
    pub(super) sku: Sent<String>,
    /// What people call it.
    pub(super) title: Sent<String>,
    /// What it is.
    pub(super) description: Sent<String>,
    /// Where its picture is.
    pub(super) thumbnail: Sent<String>,
    /// The code of the harmonized system.
    pub(super) hs_code: Sent<String>,
    /// The manufacturer's code.
    pub(super) mid_code: Sent<String>,
    /// The country that it was made in.
    pub(super) origin_country: Sent<String>,
    /// What it is made of.
    pub(super) material: Sent<String>,
    /// Whether it has to be sent.
    pub(super) requires_shipping: Option<bool>,
    /// Its weight in grams.
    pub(super) weight: Sent<i64>,
    /// Its length in millimetres.
    pub(super) length: Sent<i64>,
    /// Its height in millimetres.
    pub(super) height: Sent<i64>,
    /// Its width in millimetres.
    pub(super) width: Sent<i64>,
    /// What is merged into its metadata.
    pub(super) metadata: Option<MetadataPatch>,
}

/// The inventory item of this id.
///
/// # Errors
/// [`InventoryError::NotFound`].
pub(super) fn find(tx: &Tx<'_>, id: &InventoryItemId) -> Result<InventoryItem, InventoryError> {
    queries::find(tx, id)?.ok_or_else(|| InventoryError::not_found("Inventory item", id))
}

/// Changes an inventory item.
///
/// # Errors
/// [`InventoryError::NotFound`], [`InventoryError::DuplicateSku`], [`InventoryError::Invalid`] for a measure below zero.
pub(super) fn change(
    tx: &Tx<'_>,
    id: &InventoryItemId,
    change: ItemChange,
) -> Result<(), InventoryError> {
    let mut item = find(tx, id)?;
    item.sku = change.sku.unwrap_or(item.sku);
    item.title = change.title.unwrap_or(item.title);
    item.description = change.description.unwrap_or(item.description);
    item.thumbnail = change.thumbnail.unwrap_or(item.thumbnail);
    item.hs_code = change.hs_code.unwrap_or(item.hs_code);
    item.mid_code = change.mid_code.unwrap_or(item.mid_code);
    item.origin_country = change.origin_country.unwrap_or(item.origin_country);
    item.material = change.material.unwrap_or(item.material);
    item.requires_shipping = change.requires_shipping.unwrap_or(item.requires_shipping);
    item.weight = change.weight.unwrap_or(item.weight);
    item.length = change.length.unwrap_or(item.length);
    item.height = change.height.unwrap_or(item.height);
    item.width = change.width.unwrap_or(item.width);
    if let Some(patch) = change.metadata {
        item.metadata = patch.merge(&item.metadata)?;
    }
    check_measures(&item)?;
    item.updated_at = tx.now();
    queries::update(tx, &item).map_err(|error| duplicate_sku(error, item.sku.as_deref()))
}

/// Deletes an inventory item; variants are made without it from then on.
///
/// # Errors
/// [`InventoryError::NotFound`]; [`InventoryError::Reserved`] when pieces of it are promised.
pub(super) fn delete(tx: &Tx<'_>, id: &InventoryItemId) -> Result<(), InventoryError> {
    find(tx, id)?;
    let levels = super::queries::levels::of_items(tx, std::slice::from_ref(id))?;
    if levels.iter().any(|level| level.reserved_quantity > 0) {
        return Err(InventoryError::Reserved { kind: "inventory item", id: id.to_string() });
    }
    queries::unlink_all(tx, id)?;
    Ok(queries::delete(tx, id)?)
}

/// Refuses measures below zero.
fn check_measures(item: &InventoryItem) -> Result<(), InventoryError> {
    let measures = [item.weight, item.length, item.height, item.width];
    if measures.into_iter().flatten().any(|measure| measure < 0) {
        return Err(InventoryError::Invalid("a measure is not below 0".to_owned()));
    }
    Ok(())
}
