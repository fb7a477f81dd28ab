//! The groupings of products: collections, categories, tags and types.

use serde::Serialize;
use utoipa::ToSchema;

use crate::catalog::CatalogError;
use crate::clock::Timestamp;
use crate::database::Record;
use crate::database::listing::Kind;
use crate::http::Resource;
use crate::ids::{CategoryId, CollectionId, ProductTypeId, TagId};
use crate::metadata::Metadata;

/// A collection of products that are shown together.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_collection g")]
#[record(list(plural = "collections", search = ["g.title", "g.handle"], order = "-created_at", limit = 10))]
#[resource(name = "collection", store = StoreCollection, error = CatalogError)]
pub struct Collection {
    #[column(filter, order)]
    pub id: CollectionId,
    #[schema(example = "Summer")]
    #[column(filter, order)]
    pub title: String,
    /// The name in URLs.
    #[schema(example = "summer")]
    #[column(filter, order)]
    pub handle: String,
    /// The identifier in an external system.
    #[column(filter, kind = Kind::Id)]
    pub external_id: Option<String>,
    #[field(store(extra))]
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    #[field(store(hidden))]
    pub deleted_at: Option<Timestamp>,
}

/// A type of products.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_type g", list(plural = "product_types", search = ["g.value"], limit = 50))]
#[resource(name = "type", key = "product_type", error = CatalogError)]
pub struct ProductType {
    #[column(filter, order)]
    pub id: ProductTypeId,
    #[schema(example = "Clothing")]
    #[column(filter, order)]
    pub value: String,
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    pub deleted_at: Option<Timestamp>,
}

/// A tag of products.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_tag g", list(plural = "product_tags", search = ["g.value"], limit = 50))]
#[resource(name = "tag", key = "product_tag", error = CatalogError)]
pub struct Tag {
    #[column(filter, order)]
    pub id: TagId,
    #[schema(example = "organic")]
    #[column(filter, order)]
    pub value: String,
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    pub deleted_at: Option<Timestamp>,
}

/// A category: a node in a tree of products.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_category c")]
#[resource(name = "category", key = "product_category", store = StoreCategory)]
pub struct Category {
    pub id: CategoryId,
    #[schema(example = "Shirts")]
    pub name: String,
    pub description: String,
    /// The name in URLs.
    #[schema(example = "shirts")]
    pub handle: String,
    /// Whether shoppers see it.
    #[field(store(hidden))]
    pub is_active: bool,
    /// Whether it is for internal use.
    #[field(store(hidden))]
    pub is_internal: bool,
    /// The position among the children of the same parent, from 0.
    pub rank: i64,
    /// The identifier in an external system.
    pub external_id: Option<String>,
    pub parent_category_id: Option<CategoryId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted categories are never returned.
    #[field(store(hidden))]
    pub deleted_at: Option<Timestamp>,
    pub metadata: Metadata,
    // The tree around a category is returned whole, to the requested depth, so it has no shape.
    #[column(skip)]
    #[schema(no_recursion)]
    pub parent_category: Option<Box<Category>>,
    /// The child categories by rank.
    #[column(skip)]
    #[schema(no_recursion)]
    pub category_children: Vec<Category>,
}
