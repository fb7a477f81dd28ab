//! What the routes of this crate share.

use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::catalog::ProductCounts;

/// What all routes share, and what the catalog remembers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    shared: Shared,
    /// How many products lists hold.
    product_counts: ProductCounts,
}

impl AppState {
    /// The state over what all routes share.
    pub fn new(shared: Shared) -> Self {
        Self { shared, product_counts: ProductCounts::default() }
    }
}

parts!(AppState with shared: product_counts: ProductCounts);
