//! Sites: the domains of a shop's storefronts, and what each shows and sells in.
//!
//! Invariants: a domain belongs to one site; a sales channel has at most one primary site. Start at [`Site`].

mod domain;
mod queries;
mod routes;
mod site;

pub(crate) use queries::{with_handle, with_id};
pub(crate) use site::Site;

use utoipa_axum::router::OpenApiRouter;

use crate::AppState;

/// The admin routes of sites, and the store's lookup by domain.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
