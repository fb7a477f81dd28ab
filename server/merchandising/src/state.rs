//! The state of this crate's routes.

use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::catalog::ProductCounts;

/// The shared state and the catalog's cached counts. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    shared: Shared,
    /// The cached counts of product lists.
    product_counts: ProductCounts,
}

impl AppState {
    pub fn new(shared: Shared) -> Self {
        Self { shared, product_counts: ProductCounts::default() }
    }
}

parts!(AppState with shared: product_counts: ProductCounts);
