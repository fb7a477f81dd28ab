//! The responses of the catalog's routes other than resources and pages.

use serde::Serialize;

use crate::catalog::view::Product;
use crate::http::{Keyed, ToSchema};

/// The result of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchResponse<T: ToSchema> {
    created: Vec<T>,
    updated: Vec<T>,
    deleted: BatchDeleted,
}

/// The resources that a batch deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "ids": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"], "object": "product", "deleted": true }))]
pub(super) struct BatchDeleted {
    ids: Vec<String>,
    /// The kind of resource.
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
    /// The product after the deletion.
    parent: Product,
}
