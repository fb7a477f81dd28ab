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
#[expect(clippy::struct_field_names, reason = "the names are those of the API")]
pub(crate) struct Product {
    /// Its id.
    pub(crate) id: ProductId,
    /// Its title.
    #[schema(example = "Green Shirt")]
    pub(crate) title: String,
    /// Its second title.
    pub(crate) subtitle: Option<String>,
    /// How far it is.
    pub(crate) status: ProductStatus,
    /// Its id elsewhere.
    pub(crate) external_id: Option<String>,
    /// Its description.
    pub(crate) description: Option<String>,
    /// Its name in addresses.
    #[schema(example = "green-shirt")]
    pub(crate) handle: String,
    /// Whether it is a gift card.
    pub(crate) is_giftcard: bool,
    /// Whether promotions apply to it.
    pub(crate) discountable: bool,
    /// The address of its picture.
    pub(crate) thumbnail: Option<String>,
    /// The collection it is in.
    pub(crate) collection_id: Option<CollectionId>,
    /// Its type.
    pub(crate) type_id: Option<ProductTypeId>,
    /// How it is shipped.
    pub(crate) shipping_profile_id: Option<ShippingProfileId>,
    /// How heavy it is, in the store's unit.
    pub(crate) weight: Option<i64>,
    /// How long it is, in the store's unit.
    pub(crate) length: Option<i64>,
    /// How high it is, in the store's unit.
    pub(crate) height: Option<i64>,
    /// How wide it is, in the store's unit.
    pub(crate) width: Option<i64>,
    /// The code of the Harmonized System.
    pub(crate) hs_code: Option<String>,
    /// Where it is from.
    pub(crate) origin_country: Option<String>,
    /// The code of its maker.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null, for what is deleted is not answered.
    pub(crate) deleted_at: Option<Timestamp>,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// Its type.
    #[serde(rename = "type")]
    pub(crate) product_type: Option<ProductType>,
    /// The collection it is in.
    pub(crate) collection: Option<Collection>,
    /// What varies among its variants.
    pub(crate) options: Vec<ProductOption>,
    /// Its tags.
    pub(crate) tags: Vec<Tag>,
    /// Its images, by rank.
    pub(crate) images: Vec<Image>,
    /// Its variants, by rank.
    pub(crate) variants: Vec<Variant>,
    /// The categories it is in.
    pub(crate) categories: Vec<Category>,
    /// The channels it is sold in.
    pub(crate) sales_channels: Vec<SoldIn>,
}

/// What varies among the variants of a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ProductOption {
    /// Its id.
    pub(crate) id: OptionId,
    /// What varies.
    #[schema(value_type = String, example = "Size")]
    pub(crate) title: Arc<str>,
    /// The product.
    pub(crate) product_id: ProductId,
    /// Whether it belongs to one product only; here it always does.
    pub(crate) is_exclusive: bool,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(crate) deleted_at: Option<Timestamp>,
    /// What it can be, by rank.
    pub(crate) values: Vec<OptionValue>,
}

/// What an option can be.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct OptionValue {
    /// Its id.
    pub(crate) id: OptionValueId,
    /// What the option can be.
    #[schema(value_type = String, example = "S")]
    pub(crate) value: Arc<str>,
    /// Its place among the option's values, from 0.
    pub(crate) rank: i64,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// The option.
    pub(crate) option_id: OptionId,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(crate) deleted_at: Option<Timestamp>,
}

/// An image of a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Image {
    /// Its id.
    pub(crate) id: ImageId,
    /// Its address.
    #[schema(example = "https://example.com/shirt.png")]
    pub(crate) url: String,
    /// Its place among the product's images, from 0.
    pub(crate) rank: i64,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(crate) deleted_at: Option<Timestamp>,
}

/// A channel that a product is sold in.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SoldIn {
    /// Its id.
    pub(crate) id: SalesChannelId,
    /// Its name.
    #[schema(example = "Web")]
    pub(crate) name: String,
    /// What it is for.
    pub(crate) description: Option<String>,
    /// Whether it is switched off.
    pub(crate) is_disabled: bool,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(crate) deleted_at: Option<Timestamp>,
}
