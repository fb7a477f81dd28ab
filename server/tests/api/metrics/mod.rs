//! Metrics: definitions.

mod catalog;
mod registry;
mod templates;
