//! Metrics: what administrators define, ask for and see of them.

mod audit;
mod catalog;
mod dashboards;
mod registry;
mod reports;
mod templates;
mod values;
