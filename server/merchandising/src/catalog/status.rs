//! The publication status of a product.

use quotient_foundation::stored_as_word;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The publication status of a product; shoppers see published products only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

stored_as_word!(
    ProductStatus: Draft = "draft", Proposed = "proposed", Published = "published", Rejected = "rejected"
);
