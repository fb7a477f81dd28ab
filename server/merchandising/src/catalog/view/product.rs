//! The view of a product.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::grouping::StoreCategory;
use super::variant::StoreVariant;
use super::{Category, Collection, ProductType, Tag, Variant};
use crate::catalog::ProductRating;
use crate::clock::Timestamp;
use crate::database::listing::Kind;
use crate::database::{Record, Word};
use crate::http::{Resource, ToSchema};
use crate::ids::{
    CollectionId, ImageId, OptionId, OptionValueId, ProductId, ProductTypeId, ShippingProfileId,
};
use crate::metadata::Metadata;
use crate::regions::SalesChannel;

/// The publication status of a product; shoppers see published products only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
pub enum ProductStatus {
    /// In preparation.
    #[default]
    Draft,
    /// Awaiting approval.
    Proposed,
    /// For sale.
    Published,
    /// Not approved.
    Rejected,
}

/// A product. Relations are included on request.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product p")]
#[resource(name = "product", store = StoreProduct)]
pub struct Product {
    pub id: ProductId,
    #[schema(example = "Green Shirt")]
    pub title: String,
    pub subtitle: Option<String>,
    #[field(store(extra))]
    pub status: ProductStatus,
    /// The identifier in an external system.
    #[field(store(extra))]
    pub external_id: Option<String>,
    pub description: Option<String>,
    /// The name in URLs.
    #[schema(example = "green-shirt")]
    pub handle: String,
    pub is_giftcard: bool,
    /// Whether promotions apply to it.
    pub discountable: bool,
    /// The URL of its picture.
    pub thumbnail: Option<String>,
    pub collection_id: Option<CollectionId>,
    pub type_id: Option<ProductTypeId>,
    #[field(extra)]
    pub shipping_profile_id: Option<ShippingProfileId>,
    /// Weight in the store's unit.
    pub weight: Option<i64>,
    /// Length in the store's unit.
    pub length: Option<i64>,
    /// Height in the store's unit.
    pub(crate) height: Option<i64>,
    /// Width in the store's unit.
    pub width: Option<i64>,
    /// The Harmonized System code.
    pub(crate) hs_code: Option<String>,
    pub(crate) origin_country: Option<String>,
    /// The manufacturer's code.
    pub(crate) mid_code: Option<String>,
    pub(crate) material: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted products are never returned.
    #[field(store(hidden))]
    pub deleted_at: Option<Timestamp>,
    #[field(store(extra))]
    pub metadata: Metadata,
    #[serde(rename = "type")]
    #[field(relation)]
    pub product_type: Option<ProductType>,
    #[field(relation)]
    pub collection: Option<Collection>,
    /// The options in which its variants differ.
    #[field(relation)]
    pub options: Vec<ProductOption>,
    #[field(relation)]
    pub tags: Vec<Tag>,
    /// The images by rank.
    #[field(relation)]
    pub images: Vec<Image>,
    /// The variants by rank.
    #[field(relation, store(relation(StoreVariant)))]
    pub variants: Vec<Variant>,
    #[field(on_request, store(on_request(StoreCategory)))]
    pub categories: Vec<Category>,
    #[field(relation, store(hidden))]
    pub sales_channels: Vec<SalesChannel>,
    /// The ratings from its approved reviews.
    #[column(skip)]
    #[field(computed)]
    pub rating: Option<ProductRating>,
}

/// An option in which the variants of a product differ.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_option o join product p on p.id = o.product_id and p.deleted_at is null")]
#[record(list(plural = "product_options", usual, search = ["o.title"], limit = 50))]
#[resource(name = "product option")]
pub struct ProductOption {
    pub id: OptionId,
    #[schema(value_type = String, example = "Size")]
    #[column(filter, order, kind = Kind::Text)]
    pub title: Arc<str>,
    #[column(filter)]
    #[field(extra)]
    pub product_id: ProductId,
    /// Whether it belongs to one product only; always true.
    #[column(sql = "true")]
    pub(crate) is_exclusive: bool,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted options are never returned.
    #[column(skip)]
    pub deleted_at: Option<Timestamp>,
    /// The values by rank.
    #[field(relation)]
    pub values: Vec<OptionValue>,
}

/// A value of an option.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "option value")]
pub struct OptionValue {
    pub id: OptionValueId,
    #[schema(value_type = String, example = "S")]
    pub value: Arc<str>,
    /// The position among the option's values, from 0.
    pub rank: i64,
    pub metadata: Metadata,
    pub option_id: OptionId,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    pub deleted_at: Option<Timestamp>,
}

/// An image of a product.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_image m")]
#[resource(name = "image")]
pub struct Image {
    pub id: ImageId,
    #[schema(example = "https://example.com/shirt.png")]
    pub url: String,
    /// The position among the product's images, from 0.
    pub rank: i64,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted images are never returned.
    #[column(skip)]
    pub deleted_at: Option<Timestamp>,
}
