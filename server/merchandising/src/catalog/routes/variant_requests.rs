//! Variants as they are sent.

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

/// A variant: a new one, or what is to be set of one that is there.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "title": "S", "sku": "SHIRT-S", "options": { "Size": "S" },
    "prices": [{ "currency_code": "usd", "amount": 12.99 }]
}))]
pub(in crate::catalog) struct VariantRequest {
    /// The variant to change, where several are sent; without one it is a new one.
    id: Option<VariantId>,
    /// Its title; without one the values of its options.
    title: Option<Text>,
    /// Its stock keeping unit, which no other variant has.
    #[serde(default)]
    sku: Patch<Text>,
    /// Its barcode, which no other variant has.
    #[serde(default)]
    barcode: Patch<Text>,
    /// Its European article number, which no other variant has.
    #[serde(default)]
    ean: Patch<Text>,
    /// Its universal product code, which no other variant has.
    #[serde(default)]
    upc: Patch<Text>,
    /// Whether it is sold though there is none; false unless said.
    allow_backorder: Option<bool>,
    /// Whether its stock is counted; true unless said.
    manage_inventory: Option<bool>,
    /// Its place among the product's variants; the last unless said.
    #[schema(minimum = 0)]
    variant_rank: Option<i64>,
    /// Address of its picture.
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
    /// Code of the Harmonized System.
    #[serde(default)]
    hs_code: Patch<Text>,
    #[serde(default)]
    origin_country: Patch<Text>,
    /// Manufacturer's code.
    #[serde(default)]
    mid_code: Patch<Text>,
    #[serde(default)]
    material: Patch<Text>,
    /// Keys to merge; null removes one.
    #[serde(default)]
    metadata: Patch<MetadataPatch>,
    /// Its value of each option, by the option's title.
    options: Option<BTreeMap<Text, Text>>,
    /// Its prices, all of them.
    prices: Option<Vec<PriceRequest>>,
    /// The inventory items it is made of; only for a new variant. Without them a counted variant gets one of its own.
    inventory_items: Option<Vec<InventoryItemRequest>>,
}

/// An inventory item that a variant is made of.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "inventory_item_id": "iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "required_quantity": 1 }))]
pub(in crate::catalog) struct InventoryItemRequest {
    inventory_item_id: InventoryItemId,
    /// Pieces of it in one of the variant.
    #[serde(default = "one")]
    #[schema(minimum = 1, default = 1)]
    required_quantity: i64,
}

const fn one() -> i64 {
    1
}

/// What was sent of a text: none when nothing was.
pub(super) fn text<const MAX: usize>(sent: Patch<Text<MAX>>) -> Patch<String> {
    sent.map(String::from)
}

impl VariantRequest {
    /// Adds a variant to a product.
    pub(super) fn create(self, tx: &Tx<'_>, id: &ProductId) -> Result<(), CatalogError> {
        let (_id, sent) = self.into_change()?;
        variant_change::create_variants(tx, id, &[sent.into_new()?]).map(drop)
    }

    /// The variant to change, if one is named, and what is to be set of it.
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
