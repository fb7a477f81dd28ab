//! Storefront content and visitors: sites, banners, pages, bundles, reviews, visits and
//! memberships.

#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]
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
mod banners;
mod caching;
mod error;
mod link;
mod locale;
mod markup;
mod membership;
mod oauth;
mod pages;
mod personal;
mod schedule;
mod sections;
mod settings;
mod sites;
mod slug;

pub(crate) use quotient_foundation::{
    assign, audit_log, auth, clock, config, database, events, http, ids, jobs, metadata,
    middleware, money, resource, stored_as_word,
};
pub(crate) use quotient_merchandising::{catalog, regions};
pub(crate) use quotient_sales::{customers, payments};

use state::VisitorState;

/// The routes of storefront content.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(banners::router())
        .merge(membership::router())
        .merge(oauth::router())
        .merge(pages::router())
        .merge(sections::router())
        .merge(settings::router())
        .merge(sites::router())
}

/// The routes of visitors' actions.
pub fn visitor_router() -> OpenApiRouter<VisitorState> {
    OpenApiRouter::new().merge(reviews::router()).merge(sms::router()).merge(visits::router())
}
