//! What the catalog's routes answer beside resources and pages.

use serde::Serialize;
use utoipa::ToSchema;

use crate::catalog::view::Product;
use crate::http::Keyed;

/// What a batch has done.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchResponse<T: ToSchema> {
    created: Vec<T>,
    updated: Vec<T>,
    deleted: BatchDeleted,
}

/// What a batch has deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "ids": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"], "object": "product", "deleted": true }))]
pub(super) struct BatchDeleted {
    ids: Vec<String>,
    /// Their kind.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

impl BatchDeleted {
    pub(super) fn new<R: Keyed<Id: ToString>>(ids: &[R::Id]) -> Self {
        let ids = ids.iter().map(ToString::to_string).collect();
        Self { ids, object: R::KEY, deleted: true }
    }
}

/// Confirms that a part of a product is deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PartDeletedResponse {
    id: String,
    /// `variant` or `product_option`.
    object: &'static str,
    /// Always true.
    deleted: bool,
    /// The product without it.
    parent: Product,
}
