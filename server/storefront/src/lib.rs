//! The storefront beside the sale: sites, banners, pages, bundles, reviews, visits and memberships.

#![expect(
    unnameable_types,
    reason = "internal to this workspace: items have a doc where it adds something to the name"
)]

use quotient_sales::state::AppState;
use utoipa_axum::router::OpenApiRouter;

pub mod reviews;
pub mod sms;
pub mod state;
pub mod visits;

mod admission;
mod personal;

pub(crate) use quotient_foundation::{
    auth, clock, config, database, events, http, ids, jobs, middleware, money, resource,
    stored_as_word,
};
pub(crate) use quotient_merchandising::catalog;

use state::VisitorState;

/// The routes of what a storefront shows.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
}

/// The routes of what visitors do.
pub fn visitor_router() -> OpenApiRouter<VisitorState> {
    OpenApiRouter::new().merge(reviews::router()).merge(sms::router()).merge(visits::router())
}
