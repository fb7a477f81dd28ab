//! How far a product is.

use quotient_foundation::stored_as_word;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How far a product is; shoppers see what is published.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProductStatus {
    /// Being written.
    #[default]
    Draft,
    /// Waiting for approval.
    Proposed,
    /// For sale.
    Published,
    /// Not approved.
    Rejected,
}

stored_as_word!(
    ProductStatus: Draft = "draft", Proposed = "proposed", Published = "published", Rejected = "rejected"
);
