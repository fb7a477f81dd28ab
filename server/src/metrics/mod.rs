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

mod advice;
pub(crate) mod alerts;
pub(crate) mod boards;
pub(crate) mod compute;
pub(crate) mod edit;
mod error;
pub(crate) mod findings;
mod library;
mod lineage;
pub(crate) mod metric;
mod noted;
mod queries;
pub(crate) mod reports;
mod routes;
mod schema;
mod spelling;
mod starters;
pub(crate) mod states;
mod templates;
#[cfg(test)]
mod tests;
mod verdict;
pub(crate) mod words;
mod workbench;

pub(crate) use error::MetricError;
pub(crate) use library::{Desk, Library, Shelf};
pub(crate) use workbench::Workbench;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Definitions, values, dashboards and reports, for admins.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
