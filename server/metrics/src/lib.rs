//! Metrics: formulas written by administrators; checked, versioned, explained and computed over the store.
//!
//! The crate `quotient` evaluates the formulas; the server adds the location of rows, permissions and history. Each
//! domain uses those above it in this list:
//!
//! * `registry`: the definitions, with their history. Start here.
//! * [`rollups`]: hourly and daily aggregates of the rows, updated with them.
//! * `compute`: a question, from the request to the answer.
//! * `dashboards`, [`reports`] and [`alerts`]: the uses of computed values.
//! * `batch`: several questions in one request.
//! * `boards`: the figures that a person has pinned.
//!
//! `routes` is shared by their routes.

#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]
#![expect(
    missing_docs,
    unnameable_types,
    reason = "used only within this workspace; docs are written where they add to the name"
)]

pub mod alerts;
mod batch;
mod boards;
mod compute;
mod dashboards;
mod registry;
pub mod reports;
pub mod rollups;
mod routes;
pub mod state;
#[cfg(test)]
mod testing;

pub use compute::Evaluator;
pub(crate) use quotient_foundation::{
    audit_log, auth, clock, config, csv, database, events, http, ids, jobs, mail, middleware,
    money, openapi, proportion, stored_as_word, webhooks,
};
pub use registry::{
    CurrencyEngine, MetricError, MetricRegistry, RegistrySnapshot, create_demo_metrics,
};

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Returns the admin routes of definitions, values, dashboards and reports.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(alerts::router())
        .merge(batch::router())
        .merge(boards::router())
        .merge(compute::routes::router())
        .merge(dashboards::router())
        .merge(routes::limits::router())
        .merge(registry::routes::router())
        .merge(reports::router())
}
