//! What the routes of this crate share.

use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::payments::Till;

/// What all routes share, and the payment providers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    /// What all routes share.
    pub shared: Shared,
    /// The payment providers, and the turns that callers take at them.
    pub till: Till,
}

impl AppState {
    /// The state over what all routes share.
    pub fn new(shared: Shared) -> Self {
        Self { shared, till: Till::in_process() }
    }
}

parts!(AppState with shared: till: Till);
