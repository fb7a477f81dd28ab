//! Merchandising: products with their variants, prices and stock, regions, shipping and taxes.
//!
//! `catalog` and `shipping` use `inventory` and `taxes`, which use `pricing` and `regions`. Start at [`router`].

#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]
#![expect(
    missing_docs,
    unnameable_types,
    reason = "internal to this workspace: items have a doc where it adds something to the name"
)]

use utoipa_axum::router::OpenApiRouter;

pub mod catalog;
pub mod inventory;
pub mod pricing;
pub mod regions;
pub mod shipping;
pub mod state;
pub mod taxes;

pub(crate) use quotient_foundation::{
    assign, auth, clock, database, events, http, ids, metadata, money, openapi, proportion,
    resource, stored_as_word,
};
pub(crate) use state::AppState;

/// All routes of this crate.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(catalog::router())
        .merge(inventory::router())
        .merge(pricing::router())
        .merge(regions::router())
        .merge(shipping::router())
        .merge(taxes::router())
}
