//! Products and variants to create.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ProductStatus;
use crate::ids::{
    CategoryId, CollectionId, InventoryItemId, ProductId, ProductTypeId, SalesChannelId,
    ShippingProfileId, TagId, VariantId,
};
use crate::metadata::Metadata;
use crate::pricing::NewPrice;

/// Limit: variants of a product.
pub(crate) const MAX_VARIANTS: usize = 500;
/// Limit: options of a product.
pub(crate) const MAX_OPTIONS: usize = 20;
/// Limit: values of an option.
pub(crate) const MAX_VALUES: usize = 500;
/// Limit: images of a product; also its tags, categories and channels, each.
pub(crate) const MAX_LINKS: usize = 200;

/// Dimensions and weight, in the store's own units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Measures {
    pub weight: Option<i64>,
    pub length: Option<i64>,
    pub(crate) height: Option<i64>,
    pub width: Option<i64>,
}

/// Data for customs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Customs {
    /// The Harmonized System code.
    pub(crate) hs_code: Option<String>,
    pub(crate) origin_country: Option<String>,
    /// The manufacturer's code.
    pub(crate) mid_code: Option<String>,
    pub(crate) material: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct NewProduct {
    /// The id; none to generate one.
    pub id: Option<ProductId>,
    pub title: String,
    /// The handle, which must be unique; none to derive one from the title.
    pub handle: Option<String>,
    pub subtitle: Option<String>,
    pub description: Option<String>,
    pub status: ProductStatus,
    pub thumbnail: Option<String>,
    /// Whether it is a gift card.
    pub is_giftcard: bool,
    /// Whether promotions apply to it.
    pub discountable: bool,
    pub collection_id: Option<CollectionId>,
    pub type_id: Option<ProductTypeId>,
    /// Defaults to the default profile, unless it is a gift card.
    pub shipping_profile_id: Option<ShippingProfileId>,
    /// The identifier in an external system.
    pub external_id: Option<String>,
    pub measures: Measures,
    pub customs: Customs,
    pub metadata: Metadata,
    pub options: Vec<NewOption>,
    /// The variants in their order; each has a value for every option.
    pub variants: Vec<NewVariant>,
    /// The URLs of the images in their order.
    pub images: Vec<String>,
    pub tag_ids: Vec<TagId>,
    pub category_ids: Vec<CategoryId>,
    pub sales_channel_ids: Vec<SalesChannelId>,
}

impl NewProduct {
    /// Returns a draft with a title only.
    pub fn titled(title: impl Into<String>) -> Self {
        Self { title: title.into(), discountable: true, ..Self::default() }
    }
}

/// An option of a product, such as size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOption {
    /// The name of the option.
    pub title: String,
    pub values: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct NewVariant {
    /// The id; none to generate one.
    pub id: Option<VariantId>,
    /// Defaults to the variant's option values, or to the product's title if it has no options.
    pub title: Option<String>,
    /// The stock keeping unit.
    pub sku: Option<String>,
    pub barcode: Option<String>,
    pub ean: Option<String>,
    pub upc: Option<String>,
    /// Whether it can be sold when it is out of stock.
    pub allow_backorder: bool,
    /// Whether its stock is managed; then it has the inventory items below, or gets one.
    pub manage_inventory: bool,
    /// The position among the product's variants; none for the last.
    pub rank: Option<i64>,
    pub thumbnail: Option<String>,
    pub measures: Measures,
    pub customs: Customs,
    pub metadata: Metadata,
    /// Its value of each option, by the option's title.
    pub options: BTreeMap<String, String>,
    pub prices: Vec<NewPrice>,
    /// The inventory items that it consists of, with the number of pieces of each.
    pub inventory_items: Vec<(InventoryItemId, i64)>,
}

impl NewVariant {
    /// Returns a variant with managed stock, an SKU and no options.
    pub fn with_sku(sku: impl Into<String>) -> Self {
        Self { sku: Some(sku.into()), ..Self::default() }
    }
}

impl Default for NewVariant {
    fn default() -> Self {
        Self {
            id: None,
            title: None,
            sku: None,
            barcode: None,
            ean: None,
            upc: None,
            allow_backorder: false,
            manage_inventory: true,
            rank: None,
            thumbnail: None,
            measures: Measures::default(),
            customs: Customs::default(),
            metadata: Metadata::default(),
            options: BTreeMap::new(),
            prices: Vec::new(),
            inventory_items: Vec::new(),
        }
    }
}
