//! Banners: short messages on places of a storefront, for a time.
//!
//! Invariant: a banner with an own window is shown in that window alone; without one it is shown while its campaign
//! runs, and without either not at all. Start at [`banner::Banner::window`].

mod banner;
mod live;
mod queries;
mod requests;
mod routes;

use utoipa_axum::router::OpenApiRouter;

use crate::AppState;

/// The admin routes of banners, and the store's list of those shown now.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
