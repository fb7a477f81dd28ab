//! Inventory items: physical goods in stock. A variant consists of one or more of them.

use rusqlite::named_params;
use serde::Serialize;

use super::InventoryError;
use super::level::Level;
use super::queries::{levels, variants};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Error, Record, Table, Tx};
use crate::http::{Resource, Selection, Shape, ToSchema};
use crate::ids::{self, ById, InventoryItemId};
use crate::metadata::Metadata;
use crate::proportion::sum;
use crate::resource::View;

/// An inventory item.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "inventory_item i", soft_delete)]
#[record(list(
    plural = "inventory_items",
    usual,
    search = ["i.sku", "i.title", "i.description"],
    columns = [AT_LOCATION, OF_VARIANT]
))]
#[resource(name = "inventory item")]
pub struct InventoryItem {
    pub id: InventoryItemId,
    /// The unique stock keeping unit.
    #[schema(example = "MUG-RED")]
    #[column(filter, order)]
    pub sku: Option<String>,
    #[column(filter, order)]
    pub title: Option<String>,
    pub description: Option<String>,
    /// The URL of its picture.
    pub thumbnail: Option<String>,
    #[column(filter)]
    pub requires_shipping: bool,
    /// Weight in grams.
    pub weight: Option<i64>,
    /// Length in millimetres.
    pub length: Option<i64>,
    /// Height in millimetres.
    pub height: Option<i64>,
    /// Width in millimetres.
    pub width: Option<i64>,
    /// The Harmonized System code, for customs.
    #[column(filter)]
    pub hs_code: Option<String>,
    /// The two-letter code of the country of origin.
    #[column(filter)]
    pub origin_country: Option<String>,
    /// The manufacturer's code, for customs.
    pub mid_code: Option<String>,
    #[column(filter)]
    pub material: Option<String>,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Pieces in stock over all locations.
    #[column(skip)]
    pub(super) stocked_quantity: i64,
    /// Reserved pieces over all locations.
    #[column(skip)]
    pub(super) reserved_quantity: i64,
    #[field(relation)]
    pub(super) location_levels: Vec<Level>,
}

const AT_LOCATION: Column = Column::filter(
    "location_id",
    "i.id in (select inventory_item_id from inventory_level where location_id in ({}))",
    Kind::Link,
);

const OF_VARIANT: Column = Column::filter(
    "variant_id",
    "i.id in (select inventory_item_id from product_variant_inventory_item where variant_id in ({}))",
    Kind::Link,
);

/// The item of a reservation, without its levels.
pub(super) struct ReservedItem;

impl Resource for ReservedItem {
    const SHAPE: &'static Shape = {
        static SHAPE: Shape = Shape {
            name: "inventory item",
            defaults: InventoryItem::SHAPE.defaults,
            extras: &[],
            computed: &[],
            relations: &[],
        };
        &SHAPE
    };
}

impl InventoryItem {
    /// Returns an item with default fields and no levels.
    pub fn new(now: Timestamp) -> Self {
        Self {
            id: InventoryItemId::new(),
            sku: None,
            title: None,
            description: None,
            thumbnail: None,
            requires_shipping: true,
            weight: None,
            length: None,
            height: None,
            width: None,
            hs_code: None,
            origin_country: None,
            mid_code: None,
            material: None,
            metadata: Metadata::default(),
            created_at: now,
            updated_at: now,
            stocked_quantity: 0,
            reserved_quantity: 0,
            location_levels: Vec::new(),
        }
    }

    /// Creates or updates the item.
    ///
    /// # Errors
    /// [`InventoryError::Invalid`] for a negative measure, [`InventoryError::SkuTaken`] for an SKU that another item has.
    pub fn save(&self, tx: &Tx<'_>) -> Result<(), InventoryError> {
        let measures = [self.weight, self.length, self.height, self.width];
        if measures.into_iter().flatten().any(|measure| measure < 0) {
            return Err(InventoryError::Invalid("a measure is not below 0".to_owned()));
        }
        self.put(tx).map_err(|error| match (error, &self.sku) {
            (Error::Duplicate(_), Some(sku)) => InventoryError::SkuTaken(sku.clone()),
            (error, _) => InventoryError::Db(error),
        })
    }

    /// Returns the items with these ids, including deleted ones, with their levels.
    pub(super) fn with_levels(
        tx: &Tx<'_>,
        ids: &[InventoryItemId],
    ) -> Result<Vec<Self>, InventoryError> {
        let list = ids::list(ids);
        let of_ids = "where i.id in (select value from json_each(:ids))";
        let mut items = Self::select(tx, of_ids, named_params! { ":ids": list })?;
        Self::load_levels(tx, &mut items)?;
        Ok(items)
    }

    fn load_levels(tx: &Tx<'_>, items: &mut [Self]) -> Result<(), InventoryError> {
        let ids: Vec<InventoryItemId> = items.iter().map(|item| item.id.clone()).collect();
        let levels = levels::of_items(tx, &ids)?;
        let mut levels = ById::grouped_by(levels, |level| &level.inventory_item_id);
        for item in items {
            item.location_levels = levels.take(&item.id);
            let levels = &item.location_levels;
            item.stocked_quantity = sum(levels.iter().map(|level| level.stocked_quantity))?;
            item.reserved_quantity = sum(levels.iter().map(|level| level.reserved_quantity))?;
        }
        Ok(())
    }
}

impl View for InventoryItem {
    type Row = Self;
    type Error = InventoryError;

    fn attach(
        tx: &Tx<'_>,
        items: &mut [Self],
        selection: &Selection,
    ) -> Result<(), InventoryError> {
        let names = ["location_levels", "stocked_quantity", "reserved_quantity"];
        if names.iter().any(|name| selection.wants(name)) {
            Self::load_levels(tx, items)?;
        }
        Ok(())
    }
}

/// Deletes an inventory item and removes it from variants. An item with reserved pieces cannot be deleted.
pub(super) fn delete(tx: &Tx<'_>, id: &InventoryItemId) -> Result<(), InventoryError> {
    InventoryItem::require::<InventoryError>(tx, id)?;
    let levels = levels::of_items(tx, std::slice::from_ref(id))?;
    if levels.iter().any(|level| level.reserved_quantity > 0) {
        return Err(InventoryError::Reserved { kind: "inventory item", id: id.to_string() });
    }
    variants::ITEMS.reversed().clear(tx, id)?;
    InventoryItem::remove(tx, id)
}
