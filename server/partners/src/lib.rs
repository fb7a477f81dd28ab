//! Partners: clicks, attributed conversions, commissions as a ledger, and payouts.
//!
//! A partner has offers, each with a code. A click on a code's link is a row ([`clicks`]). An order stamped with the
//! click becomes a conversion ([`conversions`]), whose commission is a target recomputed from the order. The ledger holds
//! the differences; [`payouts`] pay approved entries.

#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]
#![expect(
    missing_docs,
    unnameable_types,
    reason = "used only within this workspace; docs are written where they add to the name"
)]

pub mod clicks;
pub mod commission;
pub mod conversions;
pub mod error;
pub mod offers;
pub mod partners;
pub mod payouts;
pub mod state;
mod statement;

pub(crate) use quotient_foundation::{
    assign, audit_log, auth, clock, config, csv, database, events, http, ids, metadata, middleware,
    money, proportion, resource, stored_as_word,
};
pub(crate) use quotient_merchandising::{regions, taxes};

use state::AppState;
use utoipa_axum::router::OpenApiRouter;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(clicks::router())
        .merge(conversions::router())
        .merge(offers::router())
        .merge(partners::router())
        .merge(payouts::router())
        .merge(statement::router())
}
