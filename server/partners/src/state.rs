//! The state of this crate's routes.

use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::clicks::Clicks;
use crate::conversions::Reports;

/// The shared state, and the writes that wait in memory. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    pub shared: Shared,
    /// Clicks, and the targets of their links.
    pub clicks: Clicks,
    /// Orders reported by storefronts.
    pub reports: Reports,
}

impl AppState {
    pub fn new(shared: Shared) -> Self {
        Self { shared, clicks: Clicks::default(), reports: Reports::default() }
    }
}

parts!(AppState with shared: clicks: Clicks, reports: Reports);
