//! The groupings of products: collections, categories, tags and types.

use serde::Serialize;

use super::Product;
use crate::catalog::CatalogError;
use crate::clock::Timestamp;
use crate::database::Record;
use crate::database::listing::Kind;
use crate::http::{Resource, Shape, ToSchema};
use crate::ids::{CategoryId, CollectionId, ProductTypeId, TagId};
use crate::metadata::Metadata;

/// A collection of products that are shown together.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_collection g")]
#[record(list(plural = "collections", usual, search = ["g.title", "g.handle"], order = "-created_at", limit = 10))]
#[resource(name = "collection", store = StoreCollection, error = CatalogError)]
pub struct Collection {
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
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    #[field(store(hidden))]
    pub deleted_at: Option<Timestamp>,
    /// The first products that shoppers see in it.
    #[column(skip)]
    #[field(hidden, store(on_request(GroupedProduct)))]
    #[schema(no_recursion)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub products: Option<Vec<Product>>,
}

/// A type of products.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_type g", list(plural = "product_types", usual, search = ["g.value"], limit = 50))]
#[resource(name = "type", key = "product_type", error = CatalogError)]
pub struct ProductType {
    pub id: ProductTypeId,
    #[schema(example = "Clothing")]
    #[column(filter, order)]
    pub value: String,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    pub deleted_at: Option<Timestamp>,
}

/// A tag of products.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_tag g", list(plural = "product_tags", usual, search = ["g.value"], limit = 50))]
#[resource(name = "tag", key = "product_tag", error = CatalogError)]
pub struct Tag {
    pub id: TagId,
    #[schema(example = "organic")]
    #[column(filter, order)]
    pub value: String,
    pub metadata: Metadata,
    pub created_at: Timestamp,
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
    #[column(skip)]
    #[field(relation(TreeCategory))]
    #[schema(no_recursion)]
    pub parent_category: Option<Box<Category>>,
    /// The child categories by rank.
    #[column(skip)]
    #[field(relation(TreeCategory))]
    #[schema(no_recursion)]
    pub category_children: Vec<Category>,
    /// The first products that shoppers see in it.
    #[column(skip)]
    #[field(hidden, store(on_request(GroupedProduct)))]
    #[schema(no_recursion)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub products: Option<Vec<Product>>,
}

/// A category in the tree around another one.
#[derive(Debug)]
struct TreeCategory;

// A shape cannot contain itself, so the rest of the tree is a field without a shape, returned whole.
static TREE_CATEGORY: Shape = Shape {
    name: "category",
    defaults: &[
        "id",
        "name",
        "description",
        "handle",
        "is_active",
        "is_internal",
        "rank",
        "external_id",
        "parent_category_id",
        "created_at",
        "updated_at",
        "deleted_at",
        "metadata",
    ],
    extras: &[],
    computed: &["parent_category", "category_children"],
    relations: &[],
};

impl Resource for TreeCategory {
    const SHAPE: &'static Shape = &TREE_CATEGORY;
}

/// A product in its collection or category.
#[derive(Debug)]
struct GroupedProduct;

// The shape of a product contains those of its groups, so this one is written out.
static GROUPED_PRODUCT: Shape = Shape {
    name: "product",
    defaults: &[
        "id",
        "title",
        "subtitle",
        "description",
        "handle",
        "is_giftcard",
        "discountable",
        "thumbnail",
        "collection_id",
        "type_id",
        "weight",
        "length",
        "height",
        "width",
        "hs_code",
        "origin_country",
        "mid_code",
        "material",
        "created_at",
        "updated_at",
    ],
    extras: &["status", "external_id", "shipping_profile_id", "metadata"],
    computed: &[],
    relations: &[],
};

impl Resource for GroupedProduct {
    const SHAPE: &'static Shape = &GROUPED_PRODUCT;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::view::product::StoreProduct;

    #[test]
    fn the_shapes_written_out_have_the_fields_of_the_derived_ones() {
        for (written, derived) in
            [(&TREE_CATEGORY, Category::SHAPE), (&GROUPED_PRODUCT, StoreProduct::SHAPE)]
        {
            assert_eq!(written.defaults, derived.defaults, "{}", written.name);
            assert_eq!(written.extras, derived.extras, "{}", written.name);
        }
    }
}
