//! Metrics: formulas that administrators write, checked, versioned, explained and computed over the store.
//!
//! The engine of the crate `quotient` means what it says here; the server adds where rows lie, who may do what, and
//! history. Each domain uses those above it in this list:
//!
//! * `registry`: the definitions, with their history. Start here.
//! * [`rollups`]: what hours and days of the rows add up to, kept up with them.
//! * `compute`: a question, from the request to the answer.
//! * `dashboards`, [`reports`] and [`alerts`]: what computed values are for.
//! * `batch`: several questions in one request.
//!
//! `limits` and `routes` are what their routes share.

#![expect(
    missing_docs,
    unnameable_types,
    reason = "only the crates beside this one use it: a doc line stands where it says more than the name"
)]

pub mod alerts;
mod batch;
mod compute;
mod dashboards;
mod limits;
mod registry;
pub mod reports;
pub mod rollups;
mod routes;
pub mod state;
#[cfg(test)]
mod testing;

pub use compute::Evaluator;
pub(crate) use quotient_foundation::{
    audit_log, auth, clock, config, database, events, http, ids, jobs, middleware, money, openapi,
    proportion,
};
pub use registry::{CurrencyEngine, MetricError, MetricRegistry, RegistrySnapshot};

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Definitions, values, dashboards and reports, for admins.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(alerts::router())
        .merge(batch::router())
        .merge(compute::routes::router())
        .merge(dashboards::router())
        .merge(limits::router())
        .merge(registry::routes::router())
        .merge(reports::router())
}
