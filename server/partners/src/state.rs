//! The state of this crate's routes.

use axum::extract::FromRef;
use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::clicks::Clicks;
use crate::clock::Clock;
use crate::config::PartnerCookie;
use crate::conversions::Reports;
use crate::database::Db;

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
    /// Creates the state from the shared one.
    pub fn new(shared: Shared) -> Self {
        Self { shared, clicks: Clicks::default(), reports: Reports::default() }
    }
}

parts!(AppState with shared: clicks: Clicks, reports: Reports);

/// The state of the click route.
#[derive(Debug, Clone)]
pub(crate) struct LinkState {
    pub(crate) db: Db,
    pub(crate) clicks: Clicks,
    pub(crate) clock: Clock,
    pub(crate) cookie: PartnerCookie,
}

impl FromRef<AppState> for LinkState {
    fn from_ref(state: &AppState) -> Self {
        Self {
            db: Db::from_ref(state),
            clicks: state.clicks.clone(),
            clock: Clock::from_ref(state),
            cookie: state.shared.settings.partners.partner_cookie,
        }
    }
}
