//! A product as it is answered.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::{Category, Collection, ProductType, Tag, Variant};
use crate::catalog::ProductStatus;
use crate::clock::Timestamp;
use crate::ids::{
    CollectionId, ImageId, OptionId, OptionValueId, ProductId, ProductTypeId, SalesChannelId,
    ShippingProfileId,
};
use crate::metadata::Metadata;

/// A product. Relations are there when they are asked for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Product {
    /// Its id.
    pub id: ProductId,
    /// Its title.
    #[schema(example = "Green Shirt")]
    pub title: String,
    /// Its second title.
    pub subtitle: Option<String>,
    /// How far it is.
    pub status: ProductStatus,
    /// Its id elsewhere.
    pub external_id: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its name in addresses.
    #[schema(example = "green-shirt")]
    pub handle: String,
    /// Whether it is a gift card.
    pub is_giftcard: bool,
    /// Whether promotions apply to it.
    pub discountable: bool,
    /// The address of its picture.
    pub thumbnail: Option<String>,
    /// The collection it is in.
    pub collection_id: Option<CollectionId>,
    /// Its type.
    pub type_id: Option<ProductTypeId>,
    /// How it is shipped.
    pub shipping_profile_id: Option<ShippingProfileId>,
    /// How heavy it is, in the store's unit.
    pub weight: Option<i64>,
    /// How long it is, in the store's unit.
    pub length: Option<i64>,
    /// How high it is, in the store's unit.
    pub(crate) height: Option<i64>,
    /// How wide it is, in the store's unit.
    pub width: Option<i64>,
    /// The code of the Harmonized System.
    pub(crate) hs_code: Option<String>,
    /// Where it is from.
    pub(crate) origin_country: Option<String>,
    /// The code of its maker.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null, for what is deleted is not answered.
    pub deleted_at: Option<Timestamp>,
    /// The caller's own data.
    pub metadata: Metadata,
    /// Its type.
    #[serde(rename = "type")]
    pub product_type: Option<ProductType>,
    /// The collection it is in.
    pub collection: Option<Collection>,
    /// What varies among its variants.
    pub options: Vec<ProductOption>,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// Its images, by rank.
    pub images: Vec<Image>,
    /// Its variants, by rank.
    pub variants: Vec<Variant>,
    /// The categories it is in.
    pub categories: Vec<Category>,
    /// The channels it is sold in.
    pub sales_channels: Vec<SoldIn>,
}

/// What varies among the variants of a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ProductOption {
    /// Its id.
    pub id: OptionId,
    /// What varies.
    #[schema(value_type = String, example = "Size")]
    pub title: Arc<str>,
    /// The product.
    pub product_id: ProductId,
    /// Whether it belongs to one product only; here it always does.
    pub(crate) is_exclusive: bool,
    /// The caller's own data.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
    /// What it can be, by rank.
    pub values: Vec<OptionValue>,
}

/// What an option can be.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OptionValue {
    /// Its id.
    pub id: OptionValueId,
    /// What the option can be.
    #[schema(value_type = String, example = "S")]
    pub value: Arc<str>,
    /// Its place among the option's values, from 0.
    pub rank: i64,
    /// The caller's own data.
    pub metadata: Metadata,
    /// The option.
    pub option_id: OptionId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}

/// An image of a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Image {
    /// Its id.
    pub id: ImageId,
    /// Its address.
    #[schema(example = "https://example.com/shirt.png")]
    pub url: String,
    /// Its place among the product's images, from 0.
    pub rank: i64,
    /// The caller's own data.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}

/// A channel that a product is sold in.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SoldIn {
    /// Its id.
    pub id: SalesChannelId,
    /// Its name.
    #[schema(example = "Web")]
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it is switched off.
    pub is_disabled: bool,
    /// The caller's own data.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}
