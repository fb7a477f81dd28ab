//! The shared state of the routes of all crates.

use quotient_foundation::state::Shared;
pub use quotient_metrics::state::database_options;

use crate::clock::Clock;
use crate::config::Settings;
use crate::database::Db;
use crate::routes::Upkeep;

/// The state of a whole server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    /// The state that all routes share.
    pub shared: Shared,
    /// The state of the routes of the server itself.
    pub(crate) upkeep: Upkeep,
    /// The state of the merchandising routes.
    pub merchandising: quotient_merchandising::state::AppState,
    /// The state of the sales routes.
    pub sales: quotient_sales::state::AppState,
    /// The state of the partner routes.
    pub partners: quotient_partners::state::AppState,
    /// The state of the metrics routes.
    pub metrics: quotient_metrics::state::AppState,
    /// The state of the routes of visitors.
    pub visitors: quotient_storefront::state::VisitorState,
}

impl AppState {
    /// Creates the state of a server over a database.
    pub fn new(db: Db, clock: Clock, settings: Settings) -> Self {
        let shared = Shared::new(db, clock, settings);
        Self {
            upkeep: Upkeep::new(shared.clone()),
            merchandising: quotient_merchandising::state::AppState::new(shared.clone()),
            sales: quotient_sales::state::AppState::new(shared.clone()),
            partners: quotient_partners::state::AppState::new(shared.clone()),
            metrics: quotient_metrics::state::AppState::new(shared.clone()),
            visitors: quotient_storefront::state::VisitorState::new(shared.clone()),
            shared,
        }
    }

    /// Writes queued data that would be lost: warehouse requests, clicks on partners' links, and reports of their
    /// conversions.
    pub async fn drain(&self) {
        let db = &self.shared.db;
        self.sales.inbox.ring.drain(db).await;
        self.partners.clicks.drain(db).await;
        self.partners.reports.drain(db).await;
    }
}
