//! The publication status of a product.

use serde::{Deserialize, Serialize};

use crate::database::Word;
use crate::http::ToSchema;

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
