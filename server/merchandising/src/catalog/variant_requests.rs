//! Request bodies of variants.

use std::collections::BTreeMap;

use super::CatalogError;
use super::create::check_measures;
use super::new::NewVariant;
use crate::http::{Patch, PictureUrl, Text, request};
use crate::ids::{InventoryItemId, VariantId};
use crate::metadata::MetadataPatch;
use crate::pricing::routes::requests::{PriceRequest, into_new};

/// A variant to create, or the fields of one to change.
#[request]
#[schema(example = json!({
    "title": "S", "sku": "SHIRT-S", "options": { "Size": "S" },
    "prices": [{ "currency_code": "usd", "amount": 12.99 }]
}))]
pub(super) struct VariantRequest {
    /// The variant to change, in a list; absent for a new one.
    pub(super) id: Option<VariantId>,
    /// Defaults to the values of its options.
    pub(super) title: Option<Text>,
    /// The unique stock keeping unit.
    pub(super) sku: Patch<Text>,
    /// The unique barcode.
    pub(super) barcode: Patch<Text>,
    /// The unique European article number.
    pub(super) ean: Patch<Text>,
    /// The unique universal product code.
    pub(super) upc: Patch<Text>,
    /// Whether it can be sold when it is out of stock; defaults to false.
    pub(super) allow_backorder: Option<bool>,
    /// Whether its stock is managed; defaults to true.
    pub(super) manage_inventory: Option<bool>,
    /// The position among the product's variants; defaults to the last.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    pub(super) variant_rank: Option<u32>,
    /// The URL of its picture.
    pub(super) thumbnail: Patch<PictureUrl>,
    /// Weight in the store's unit.
    pub(super) weight: Patch<i64>,
    /// Length in the store's unit.
    pub(super) length: Patch<i64>,
    /// Height in the store's unit.
    pub(super) height: Patch<i64>,
    /// Width in the store's unit.
    pub(super) width: Patch<i64>,
    /// The Harmonized System code.
    pub(super) hs_code: Patch<Text>,
    pub(super) origin_country: Patch<Text>,
    /// The manufacturer's code.
    pub(super) mid_code: Patch<Text>,
    pub(super) material: Patch<Text>,
    /// Keys to merge; null removes a key.
    pub(super) metadata: Patch<MetadataPatch>,
    /// Its value of each option, by the option's title.
    pub(super) options: Option<BTreeMap<Text, Text>>,
    /// All prices.
    pub(super) prices: Option<Vec<PriceRequest>>,
    /// The inventory items that it consists of; only for a new variant. By default a variant with managed stock gets
    /// its own.
    pub(super) inventory_items: Option<Vec<InventoryItemRequest>>,
}

/// An inventory item that a variant consists of.
#[request]
#[schema(example = json!({ "inventory_item_id": "iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "required_quantity": 1 }))]
pub(super) struct InventoryItemRequest {
    inventory_item_id: InventoryItemId,
    /// Pieces of the item in one piece of the variant.
    #[serde(default = "one")]
    #[schema(minimum = 1, default = 1)]
    required_quantity: i64,
}

const fn one() -> i64 {
    1
}

impl VariantRequest {
    pub(super) fn check_prices(&self) -> Result<(), CatalogError> {
        self.prices.clone().map(into_new).transpose()?;
        Ok(())
    }

    pub(super) fn into_new(self) -> Result<NewVariant, CatalogError> {
        let prices = self.prices.map(into_new).transpose()?.unwrap_or_default();
        let mut new = NewVariant { prices, ..NewVariant::default() };
        crate::assign!(self => new:
            title, sku, barcode, ean, upc, allow_backorder, manage_inventory, thumbnail
        );
        let NewVariant { measures, customs, .. } = &mut new;
        crate::assign!(self => measures: weight, length, height, width);
        crate::assign!(self => customs: hs_code, origin_country, mid_code, material);
        check_measures(measures)?;
        new.rank = self.variant_rank.map(i64::from);
        new.metadata = self.metadata.apply(None).unwrap_or_default().create()?;
        new.options = self.options.map(by_title).unwrap_or_default();
        let items = self.inventory_items.unwrap_or_default().into_iter();
        new.inventory_items =
            items.map(|item| (item.inventory_item_id, item.required_quantity)).collect();
        Ok(new)
    }
}

/// Returns the values of options, by the options' titles.
pub(super) fn by_title(options: BTreeMap<Text, Text>) -> BTreeMap<String, String> {
    options.into_iter().map(|(title, value)| (title.into(), value.into())).collect()
}
