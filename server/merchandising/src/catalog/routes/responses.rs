//! What the catalog's routes answer.

use serde::Serialize;
use utoipa::ToSchema;

use crate::catalog::view::{Category, Product, ProductOption, Variant};

/// A product.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct ProductResponse {
    /// The product.
    product: Product,
}

/// A page of products.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct ProductListResponse {
    /// The products of the page.
    products: Vec<Product>,
    /// How many there are on all pages.
    count: u64,
    /// Products before the page.
    offset: u32,
    /// Products on the page at most.
    limit: u32,
}

/// What a batch of products has done.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct ProductBatchResponse {
    /// The products that were made.
    created: Vec<Product>,
    /// The products that were changed.
    updated: Vec<Product>,
    /// What was deleted.
    deleted: BatchDeleted,
}

/// What a batch has deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "ids": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"], "object": "product", "deleted": true }))]
pub(in crate::catalog) struct BatchDeleted {
    /// What they were.
    pub(super) ids: Vec<String>,
    /// Their kind.
    pub(super) object: &'static str,
    /// Always true.
    pub(super) deleted: bool,
}

/// A variant.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct VariantResponse {
    /// The variant.
    variant: Variant,
}

/// A page of variants.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct VariantListResponse {
    /// The variants of the page.
    variants: Vec<Variant>,
    /// How many there are on all pages.
    count: u64,
    /// Variants before the page.
    offset: u32,
    /// Variants on the page at most.
    limit: u32,
}

/// What a batch of variants has done.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct VariantBatchResponse {
    /// The variants that were made.
    created: Vec<Variant>,
    /// The variants that were changed.
    updated: Vec<Variant>,
    /// What was deleted.
    deleted: BatchDeleted,
}

/// An option of a product.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct ProductOptionResponse {
    /// The option.
    product_option: ProductOption,
}

/// A page of options.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct ProductOptionsResponse {
    /// The page.
    product_options: Vec<ProductOption>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// The options of a product.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct ProductOptionListResponse {
    /// The options, by rank.
    product_options: Vec<ProductOption>,
    /// How many there are.
    count: u64,
    /// Always 0: they are answered together.
    offset: u32,
    /// As many as a product may have.
    limit: u32,
}

/// A category.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct CategoryResponse {
    /// The category.
    product_category: Category,
}

/// A page of categories.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct CategoryListResponse {
    /// The categories of the page.
    product_categories: Vec<Category>,
    /// How many there are on all pages.
    count: u64,
    /// Categories before the page.
    offset: u32,
    /// Categories on the page at most.
    limit: u32,
}

/// That something is gone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeletedResponse, example = json!({ "id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "product", "deleted": true }))]
pub(in crate::catalog) struct DeletedResponse {
    /// What it was.
    id: String,
    /// Its kind.
    object: &'static str,
    /// Always true; what fails is an error.
    deleted: bool,
}

impl DeletedResponse {
    /// That the thing of this kind is gone.
    pub(super) fn of(object: &'static str, id: &impl ToString) -> Self {
        Self { id: id.to_string(), object, deleted: true }
    }
}

/// That a variant is gone, and what is left of its product.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct VariantDeletedResponse {
    /// The variant.
    id: String,
    /// `variant`.
    object: &'static str,
    /// Always true.
    deleted: bool,
    /// Its product.
    parent: Product,
}

/// That an option is gone, and what is left of its product.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::catalog) struct OptionDeletedResponse {
    /// The option.
    id: String,
    /// `product_option`.
    object: &'static str,
    /// Always true.
    deleted: bool,
    /// Its product.
    parent: Product,
}
