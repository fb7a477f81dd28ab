//! The definitions of metrics: checked, versioned, explained, and shown to those who may see them.
//!
//! `/admin/metrics-registry`, `/admin/metrics/catalog` and `/admin/metrics/definitions` are three views of one table with
//! one history. [`schema`] says what formulas can name and [`vocabulary`] what a metric can be; [`edit`] changes
//! definitions, and [`snapshot`] holds those of a transaction, ready to compute.
//!
//! Invariants: every metric that is not removed checks against the others, and none uses itself, at every commit: an
//! edit is worked out on the metrics of its own transaction. A key is given once and never changes. Versions are 1, 2,
//! 3 … and are never changed. What is kept in memory serves only the snapshot it was read in, by its stamp.
//! Start at [`MetricRegistry`] and [`edit`].

mod alert_uses;
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
mod validation;
pub(crate) mod vocabulary;

pub use error::MetricError;
pub(crate) use load::{definition, number};
pub use metric_registry::MetricRegistry;
pub(crate) use metric_registry::Stamp;
pub use snapshot::{CurrencyEngine, RegistrySnapshot};
