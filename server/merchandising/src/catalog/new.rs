//! Products and variants as they are to be made.

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
/// Limit: images of a product, and tags, categories and channels each.
pub(crate) const MAX_LINKS: usize = 200;

/// Size and weight, in the store's own units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Measures {
    /// How heavy it is.
    pub weight: Option<i64>,
    /// How long it is.
    pub length: Option<i64>,
    /// How high it is.
    pub(crate) height: Option<i64>,
    /// How wide it is.
    pub width: Option<i64>,
}

/// Data for customs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Customs {
    /// Code of the Harmonized System.
    pub(crate) hs_code: Option<String>,
    pub(crate) origin_country: Option<String>,
    /// Manufacturer's code.
    pub(crate) mid_code: Option<String>,
    pub(crate) material: Option<String>,
}

/// A product to be made.
#[derive(Debug, Clone)]
pub struct NewProduct {
    /// Its id; none for a new one.
    pub id: Option<ProductId>,
    pub title: String,
    /// Its handle, which must be free; none for one made from the title.
    pub handle: Option<String>,
    pub subtitle: Option<String>,
    pub description: Option<String>,
    /// Status of publication.
    pub status: ProductStatus,
    pub thumbnail: Option<String>,
    /// Whether it is a gift card.
    pub is_giftcard: bool,
    /// Whether promotions apply to it.
    pub discountable: bool,
    pub collection_id: Option<CollectionId>,
    pub type_id: Option<ProductTypeId>,
    /// How it is shipped; none for the default profile, unless it is a gift card.
    pub shipping_profile_id: Option<ShippingProfileId>,
    /// Identifier in an external system.
    pub external_id: Option<String>,
    pub measures: Measures,
    pub customs: Customs,
    pub metadata: Metadata,
    pub options: Vec<NewOption>,
    /// Its variants in their order; each has a value of every option.
    pub variants: Vec<NewVariant>,
    /// The addresses of its images in their order.
    pub images: Vec<String>,
    pub tag_ids: Vec<TagId>,
    pub category_ids: Vec<CategoryId>,
    pub sales_channel_ids: Vec<SalesChannelId>,
}

impl NewProduct {
    /// A draft with nothing but a title.
    pub fn titled(title: impl Into<String>) -> Self {
        Self {
            id: None,
            title: title.into(),
            handle: None,
            subtitle: None,
            description: None,
            status: ProductStatus::Draft,
            thumbnail: None,
            is_giftcard: false,
            discountable: true,
            collection_id: None,
            type_id: None,
            shipping_profile_id: None,
            external_id: None,
            measures: Measures::default(),
            customs: Customs::default(),
            metadata: Metadata::default(),
            options: Vec::new(),
            variants: Vec::new(),
            images: Vec::new(),
            tag_ids: Vec::new(),
            category_ids: Vec::new(),
            sales_channel_ids: Vec::new(),
        }
    }
}

/// An option of a product, such as its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOption {
    /// What varies among variants.
    pub title: String,
    /// Values in this order.
    pub values: Vec<String>,
}

/// A variant to be made.
#[derive(Debug, Clone)]
pub struct NewVariant {
    /// Its id; none for a new one.
    pub id: Option<VariantId>,
    /// Its title; none for its values of the options, or the product's title where there are none.
    pub title: Option<String>,
    /// Stock keeping unit.
    pub sku: Option<String>,
    pub barcode: Option<String>,
    pub ean: Option<String>,
    pub upc: Option<String>,
    /// Whether it is sold when none is in stock.
    pub allow_backorder: bool,
    /// Whether its stock is counted; then it has the inventory items below, or one made for it.
    pub manage_inventory: bool,
    /// Its place among the product's variants; none for the last.
    pub rank: Option<i64>,
    pub thumbnail: Option<String>,
    pub measures: Measures,
    pub customs: Customs,
    pub metadata: Metadata,
    /// Its value of each option, by the option's title.
    pub options: BTreeMap<String, String>,
    pub prices: Vec<NewPrice>,
    /// The inventory items it is made of, and how many pieces of each.
    pub inventory_items: Vec<(InventoryItemId, i64)>,
}

impl NewVariant {
    /// A counted variant with a stock keeping unit and no options.
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
