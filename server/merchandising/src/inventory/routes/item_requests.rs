//! Request bodies of inventory items.

use super::level_requests::CreateLocationLevelRequest;
use crate::database::{Table, Tx};
use crate::http::{Patch, PictureUrl, Text, request};
use crate::ids::InventoryItemId;
use crate::inventory::{InventoryError, InventoryItem};
use crate::metadata::MetadataPatch;

/// An inventory item to create.
#[request]
#[schema(example = json!({ "sku": "MUG-RED", "title": "Red mug" }))]
pub(super) struct CreateInventoryItemRequest {
    sku: Option<Text<255>>,
    title: Option<Text<255>>,
    description: Option<Text<2000>>,
    thumbnail: Option<PictureUrl>,
    hs_code: Option<Text<64>>,
    mid_code: Option<Text<64>>,
    origin_country: Option<Text<64>>,
    material: Option<Text<255>>,
    /// Whether it needs shipping.
    #[serde(default = "yes")]
    requires_shipping: bool,
    /// In grams.
    #[schema(minimum = 0)]
    weight: Option<i64>,
    /// In millimetres.
    #[schema(minimum = 0)]
    length: Option<i64>,
    /// In millimetres.
    #[schema(minimum = 0)]
    height: Option<i64>,
    /// In millimetres.
    #[schema(minimum = 0)]
    width: Option<i64>,
    metadata: Option<MetadataPatch>,
    #[serde(default)]
    #[schema(max_items = 200)]
    location_levels: Vec<CreateLocationLevelRequest>,
}

fn yes() -> bool {
    true
}

impl CreateInventoryItemRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<InventoryItemId, InventoryError> {
        let mut item = InventoryItem::new(tx.now());
        item.requires_shipping = self.requires_shipping;
        crate::assign!(self => item:
            sku, title, description, thumbnail, hs_code, mid_code, origin_country, material, weight,
            length, height, width
        );
        item.metadata.merge(self.metadata)?;
        item.save(tx)?;
        for level in self.location_levels {
            level.create(tx, &item.id)?;
        }
        Ok(item.id)
    }
}

/// The fields of an inventory item to change; absent fields stay, and null clears a field.
#[request]
#[schema(example = json!({ "title": "Red mug, large", "weight": 420 }))]
pub(super) struct UpdateInventoryItemRequest {
    sku: Patch<Text<255>>,
    title: Patch<Text<255>>,
    description: Patch<Text<2000>>,
    thumbnail: Patch<PictureUrl>,
    hs_code: Patch<Text<64>>,
    mid_code: Patch<Text<64>>,
    origin_country: Patch<Text<64>>,
    material: Patch<Text<255>>,
    requires_shipping: Option<bool>,
    /// In grams.
    #[schema(value_type = Option<i64>, minimum = 0)]
    weight: Patch<i64>,
    /// In millimetres.
    #[schema(value_type = Option<i64>, minimum = 0)]
    length: Patch<i64>,
    /// In millimetres.
    #[schema(value_type = Option<i64>, minimum = 0)]
    height: Patch<i64>,
    /// In millimetres.
    #[schema(value_type = Option<i64>, minimum = 0)]
    width: Patch<i64>,
    metadata: Option<MetadataPatch>,
}

impl UpdateInventoryItemRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &InventoryItemId) -> Result<(), InventoryError> {
        let mut item = InventoryItem::require::<InventoryError>(tx, id)?;
        crate::assign!(self => item:
            sku, title, description, thumbnail, hs_code, mid_code, origin_country, material,
            requires_shipping, weight, length, height, width
        );
        item.metadata.merge(self.metadata)?;
        item.save(tx)
    }
}
