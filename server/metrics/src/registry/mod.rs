//! Definitions of metrics: checked, versioned, explained, and shown to the users who may see them.
//!
//! `/admin/metrics-registry`, `/admin/metrics/catalog` and `/admin/metrics/definitions` are three views of one table
//! with one history. [`schema`] defines the names for formulas and [`vocabulary`] the attributes of metrics; [`edit`]
//! changes definitions, and [`snapshot`] has the compiled metrics of a transaction.
//!
//! Invariants: at every commit, all metrics that are not removed compile together and have no cycles: an edit is
//! checked against the metrics of its own transaction. A key is assigned once and never changes. Versions are 1, 2, 3 …
//! and immutable. Metrics in memory are used only for snapshots with the same stamp. Start at [`MetricRegistry`] and
//! [`edit`].

mod audit_notes;
mod default_metrics;
pub(crate) mod edit;
mod error;
pub(crate) mod findings;
pub(crate) mod lineage;
mod load;
pub(crate) mod metric;
mod metric_registry;
pub(crate) mod queries;
pub(crate) mod routes;
pub(crate) mod schema;
mod snapshot;
mod spelling;
mod suggestions;
pub(crate) mod templates;
#[cfg(test)]
mod tests;
pub(crate) mod uses;
mod validation;
pub(crate) mod vocabulary;

use std::time::Duration;

use quotient::syntax::Limits;

pub use error::MetricError;
pub(crate) use load::{definition, number};
pub use metric_registry::MetricRegistry;
pub(crate) use metric_registry::Stamp;
pub use snapshot::{CurrencyEngine, RegistrySnapshot};
pub use templates::create_demo_metrics;

/// The limits of the engine for questions over HTTP.
pub(crate) const LIMITS: Limits =
    Limits { max_steps: 100_000_000, max_cells: 500_000, ..Limits::DEFAULT };

/// Limit: time to compute a question.
pub(crate) const QUESTION_TIMEOUT: Duration = Duration::from_secs(10);
