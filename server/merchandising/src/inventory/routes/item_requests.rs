//! Request bodies of inventory items.

use super::level_requests::CreateLocationLevelRequest;
use crate::database::{Table, Tx};
use crate::http::{AssignTo, Patch, PictureUrl, Text, request};
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
        let item = InventoryItem {
            sku: self.sku.map(String::from),
            title: self.title.map(String::from),
            description: self.description.map(String::from),
            thumbnail: self.thumbnail.map(String::from),
            hs_code: self.hs_code.map(String::from),
            mid_code: self.mid_code.map(String::from),
            origin_country: self.origin_country.map(String::from),
            material: self.material.map(String::from),
            requires_shipping: self.requires_shipping,
            weight: self.weight,
            length: self.length,
            height: self.height,
            width: self.width,
            metadata: self.metadata.unwrap_or_default().create()?,
            ..InventoryItem::new(tx.now())
        };
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
        self.sku.assign_to(&mut item.sku);
        self.title.assign_to(&mut item.title);
        self.description.assign_to(&mut item.description);
        self.thumbnail.assign_to(&mut item.thumbnail);
        self.hs_code.assign_to(&mut item.hs_code);
        self.mid_code.assign_to(&mut item.mid_code);
        self.origin_country.assign_to(&mut item.origin_country);
        self.material.assign_to(&mut item.material);
        self.requires_shipping.assign_to(&mut item.requires_shipping);
        self.weight.assign_to(&mut item.weight);
        self.length.assign_to(&mut item.length);
        self.height.assign_to(&mut item.height);
        self.width.assign_to(&mut item.width);
        item.metadata.merge(self.metadata)?;
        item.save(tx)
    }
}
