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

/// What customs ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Customs {
    /// The code of the Harmonized System.
    pub(crate) hs_code: Option<String>,
    /// Where it is from.
    pub(crate) origin_country: Option<String>,
    /// The code of its maker.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
}

/// A product to be made.
#[derive(Debug, Clone)]
pub struct NewProduct {
    /// Its id; none for a new one.
    pub id: Option<ProductId>,
    /// Its title.
    pub title: String,
    /// Its handle, which must be free; none for one made from the title.
    pub handle: Option<String>,
    /// Its second title.
    pub subtitle: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// How far it is.
    pub status: ProductStatus,
    /// Its picture.
    pub thumbnail: Option<String>,
    /// Whether it is a gift card.
    pub is_giftcard: bool,
    /// Whether promotions apply to it.
    pub discountable: bool,
    /// The collection it is in.
    pub collection_id: Option<CollectionId>,
    /// Its type.
    pub type_id: Option<ProductTypeId>,
    /// How it is shipped; none for the default profile, unless it is a gift card.
    pub shipping_profile_id: Option<ShippingProfileId>,
    /// Its id elsewhere.
    pub external_id: Option<String>,
    /// Its size and weight.
    pub measures: Measures,
    /// What customs ask for.
    pub customs: Customs,
    /// The caller's own data.
    pub metadata: Metadata,
    /// Its options.
    pub options: Vec<NewOption>,
    /// Its variants in their order; each has a value of every option.
    pub variants: Vec<NewVariant>,
    /// The addresses of its images in their order.
    pub images: Vec<String>,
    /// Its tags.
    pub tag_ids: Vec<TagId>,
    /// The categories it is in.
    pub category_ids: Vec<CategoryId>,
    /// The channels it is sold in.
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
    /// What varies.
    pub title: String,
    /// What it can be, in this order.
    pub values: Vec<String>,
}

/// A variant to be made.
#[derive(Debug, Clone)]
pub struct NewVariant {
    /// Its id; none for a new one.
    pub id: Option<VariantId>,
    /// Its title; none for its values of the options, or the product's title where there are none.
    pub title: Option<String>,
    /// Its stock keeping unit.
    pub sku: Option<String>,
    /// Its barcode.
    pub barcode: Option<String>,
    /// Its European article number.
    pub ean: Option<String>,
    /// Its universal product code.
    pub upc: Option<String>,
    /// Whether it is sold though there is none.
    pub allow_backorder: bool,
    /// Whether its stock is counted; then it has the inventory items below, or one made for it.
    pub manage_inventory: bool,
    /// Its place among the product's variants; none for the last.
    pub rank: Option<i64>,
    /// Its picture.
    pub thumbnail: Option<String>,
    /// Its size and weight.
    pub measures: Measures,
    /// What customs ask for.
    pub customs: Customs,
    /// The caller's own data.
    pub metadata: Metadata,
    /// Its value of each option, by the option's title.
    pub options: BTreeMap<String, String>,
    /// Its prices.
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
