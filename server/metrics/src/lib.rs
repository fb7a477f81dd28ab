//! Metrics: formulas that administrators write, checked, versioned, explained and computed over the store.
//!
//! The engine of the crate `quotient` means what it says here; the server adds where rows lie, who may do what, and
//! history. `/admin/metrics-registry`, `/admin/metrics/catalog` and `/admin/metrics/definitions` are three views of one
//! table with one history.
//!
//! Invariants: every metric that is not removed checks against the others, and none uses itself, at every commit: an
//! edit is worked out on the metrics of its own transaction. A key is given once and never changes. Versions are 1, 2,
//! 3 … and are never changed. What is kept in memory serves only the snapshot it was read in, by its stamp.
//! Start at [`Library`] and [`edit`].

#![expect(
    missing_docs,
    unnameable_types,
    reason = "only the crates beside this one use it: a doc line stands where it says more than the name"
)]

mod advice;
pub mod alerts;
mod boards;
mod compute;
mod edit;
mod error;
mod findings;
mod library;
mod lineage;
mod metric;
mod noted;
mod queries;
pub mod reports;
mod routes;
mod schema;
mod spelling;
mod starters;
pub mod state;
pub mod states;
mod templates;
#[cfg(test)]
mod temporary;
#[cfg(test)]
mod tests;
mod upkeep;
mod verdict;
mod words;
mod workbench;

pub use error::MetricError;
pub use library::{Desk, Library, Shelf};
pub(crate) use quotient_foundation::{
    audit_log, auth, clock, config, database, events, http, ids, jobs, middleware, money, openapi,
    proportion,
};
pub(crate) use workbench::Workbench;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Definitions, values, dashboards and reports, for admins.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
