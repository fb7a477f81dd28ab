//! What the routes of all crates share, put together.

use quotient_foundation::state::Shared;
pub use quotient_metrics::state::database_options;

use crate::clock::Clock;
use crate::config::Settings;
use crate::database::Db;

/// The state of a whole server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    /// What all routes share.
    pub shared: Shared,
    /// What the routes of what is sold share.
    pub merchandising: quotient_merchandising::state::AppState,
    /// What the routes of what is bought share.
    pub sales: quotient_sales::state::AppState,
    /// What the routes of metrics share.
    pub metrics: quotient_metrics::state::AppState,
}

impl AppState {
    /// The state of a server over a database.
    pub fn new(db: Db, clock: Clock, settings: Settings) -> Self {
        let shared = Shared::new(db, clock, settings);
        Self {
            merchandising: quotient_merchandising::state::AppState::new(shared.clone()),
            sales: quotient_sales::state::AppState::new(shared.clone()),
            metrics: quotient_metrics::state::AppState::new(shared.clone()),
            shared,
        }
    }
}
