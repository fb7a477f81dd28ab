//! Request bodies of variants.

use std::collections::BTreeMap;

use serde::Deserialize;
use utoipa::ToSchema;

use crate::catalog::CatalogError;
use crate::catalog::change::{CustomsChange, MeasuresChange};
use crate::catalog::variant_change::{self, VariantChange};
use crate::database::Tx;
use crate::http::{Patch, Text};
use crate::ids::{InventoryItemId, ProductId, VariantId};
use crate::metadata::MetadataPatch;
use crate::pricing::routes::requests::{PriceRequest, into_new};

/// A variant to create, or the fields of one to change.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "title": "S", "sku": "SHIRT-S", "options": { "Size": "S" },
    "prices": [{ "currency_code": "usd", "amount": 12.99 }]
}))]
pub(in crate::catalog) struct VariantRequest {
    /// The variant to change, in a list; absent for a new one.
    id: Option<VariantId>,
    /// Defaults to the values of its options.
    title: Option<Text>,
    /// The unique stock keeping unit.
    #[serde(default)]
    sku: Patch<Text>,
    /// The unique barcode.
    #[serde(default)]
    barcode: Patch<Text>,
    /// The unique European article number.
    #[serde(default)]
    ean: Patch<Text>,
    /// The unique universal product code.
    #[serde(default)]
    upc: Patch<Text>,
    /// Whether it can be sold when it is out of stock; defaults to false.
    allow_backorder: Option<bool>,
    /// Whether its stock is managed; defaults to true.
    manage_inventory: Option<bool>,
    /// The position among the product's variants; defaults to the last.
    #[schema(minimum = 0)]
    variant_rank: Option<i64>,
    /// The URL of its picture.
    #[serde(default)]
    thumbnail: Patch<Text<2000>>,
    /// Weight in the store's unit.
    #[serde(default)]
    weight: Patch<i64>,
    /// Length in the store's unit.
    #[serde(default)]
    length: Patch<i64>,
    /// Height in the store's unit.
    #[serde(default)]
    height: Patch<i64>,
    /// Width in the store's unit.
    #[serde(default)]
    width: Patch<i64>,
    /// The Harmonized System code.
    #[serde(default)]
    hs_code: Patch<Text>,
    #[serde(default)]
    origin_country: Patch<Text>,
    /// The manufacturer's code.
    #[serde(default)]
    mid_code: Patch<Text>,
    #[serde(default)]
    material: Patch<Text>,
    /// Keys to merge; null removes a key.
    #[serde(default)]
    metadata: Patch<MetadataPatch>,
    /// Its value of each option, by the option's title.
    options: Option<BTreeMap<Text, Text>>,
    /// All prices.
    prices: Option<Vec<PriceRequest>>,
    /// The inventory items that it consists of; only for a new variant. By default a variant with managed stock gets
    /// its own.
    inventory_items: Option<Vec<InventoryItemRequest>>,
}

/// An inventory item that a variant consists of.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "inventory_item_id": "iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "required_quantity": 1 }))]
pub(in crate::catalog) struct InventoryItemRequest {
    inventory_item_id: InventoryItemId,
    /// Pieces of the item in one piece of the variant.
    #[serde(default = "one")]
    #[schema(minimum = 1, default = 1)]
    required_quantity: i64,
}

const fn one() -> i64 {
    1
}

/// Converts a sent text to a string patch.
pub(super) fn text<const MAX: usize>(sent: Patch<Text<MAX>>) -> Patch<String> {
    sent.map(String::from)
}

impl VariantRequest {
    /// Adds a variant to a product.
    pub(super) fn create(self, tx: &Tx<'_>, id: &ProductId) -> Result<(), CatalogError> {
        let (_id, sent) = self.into_change()?;
        variant_change::create_variants(tx, id, &[sent.into_new()?]).map(drop)
    }

    /// Converts the request to a change, and the variant's id if given.
    pub(super) fn into_change(self) -> Result<(Option<VariantId>, VariantChange), CatalogError> {
        let options = self.options.map(|options| {
            options.into_iter().map(|(title, value)| (title.into(), value.into())).collect()
        });
        let items = self.inventory_items.map(|items| {
            items.into_iter().map(|item| (item.inventory_item_id, item.required_quantity)).collect()
        });
        let change = VariantChange {
            title: self.title.map(String::from),
            sku: text(self.sku),
            barcode: text(self.barcode),
            ean: text(self.ean),
            upc: text(self.upc),
            allow_backorder: self.allow_backorder,
            manage_inventory: self.manage_inventory,
            rank: self.variant_rank,
            thumbnail: text(self.thumbnail),
            measures: MeasuresChange {
                weight: self.weight,
                length: self.length,
                height: self.height,
                width: self.width,
            },
            customs: CustomsChange {
                hs_code: text(self.hs_code),
                origin_country: text(self.origin_country),
                mid_code: text(self.mid_code),
                material: text(self.material),
            },
            metadata: self.metadata.sent().flatten().unwrap_or_default(),
            options,
            prices: self.prices.map(into_new).transpose()?,
            inventory_items: items,
        };
        Ok((self.id, change))
    }
}
