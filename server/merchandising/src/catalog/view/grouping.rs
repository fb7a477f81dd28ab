//! What products are sorted by: collections, categories, tags and types.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::Record;
use crate::database::listing::Kind;
use crate::http::Resource;
use crate::ids::{CategoryId, CollectionId, ProductTypeId, TagId};
use crate::metadata::Metadata;

/// A collection: products that are shown together.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_collection g")]
#[record(list(plural = "collections", search = ["g.title", "g.handle"], order = "-created_at", limit = 10))]
#[resource(name = "collection", store = StoreCollection)]
pub struct Collection {
    /// Its id.
    #[column(filter, order)]
    pub id: CollectionId,
    /// Its title.
    #[schema(example = "Summer")]
    #[column(filter, order)]
    pub title: String,
    /// Its name in addresses.
    #[schema(example = "summer")]
    #[column(filter, order)]
    pub handle: String,
    /// Identifier in an external system.
    #[column(filter, kind = Kind::Id)]
    pub external_id: Option<String>,
    /// The caller's own data.
    #[field(store(extra))]
    pub metadata: Metadata,
    /// When it was made.
    #[column(filter, order)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// When it was deleted: always null, for what is deleted is not answered.
    #[field(store(hidden))]
    pub deleted_at: Option<Timestamp>,
}

/// A type of products.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_type g", list(plural = "product_types", search = ["g.value"], limit = 50))]
#[resource(name = "type", key = "product_type")]
pub struct ProductType {
    /// Its id.
    #[column(filter, order)]
    pub id: ProductTypeId,
    /// Its name.
    #[schema(example = "Clothing")]
    #[column(filter, order)]
    pub value: String,
    /// The caller's own data.
    pub metadata: Metadata,
    /// When it was made.
    #[column(filter, order)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}

/// A tag of products.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_tag g", list(plural = "product_tags", search = ["g.value"], limit = 50))]
#[resource(name = "tag", key = "product_tag")]
pub struct Tag {
    /// Its id.
    #[column(filter, order)]
    pub id: TagId,
    /// Its name.
    #[schema(example = "organic")]
    #[column(filter, order)]
    pub value: String,
    /// The caller's own data.
    pub metadata: Metadata,
    /// When it was made.
    #[column(filter, order)]
    pub created_at: Timestamp,
    /// When it was changed last.
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}

/// A category: a place of products in a tree.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Category {
    /// Its id.
    pub id: CategoryId,
    /// Its name.
    #[schema(example = "Shirts")]
    pub name: String,
    /// What it holds.
    pub description: String,
    /// Its name in addresses.
    #[schema(example = "shirts")]
    pub handle: String,
    /// Whether shoppers see it.
    pub is_active: bool,
    /// Whether it is for the store's own use.
    pub is_internal: bool,
    /// Its place among those of the same parent, from 0.
    pub rank: i64,
    /// Its id elsewhere.
    pub external_id: Option<String>,
    /// The category it is in.
    pub parent_category_id: Option<CategoryId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
    /// The caller's own data.
    pub metadata: Metadata,
    /// The category it is in, when it was asked for.
    #[schema(no_recursion)]
    pub parent_category: Option<Box<Category>>,
    /// The categories in it, by rank, when they were asked for.
    #[schema(no_recursion)]
    pub category_children: Vec<Category>,
}
