//! Queries for definitions.

pub(super) mod alert_uses;
pub(crate) mod examples;
pub(crate) mod metrics;
pub(crate) mod placeholders;
pub(crate) mod sources;
pub(crate) mod stamp;
pub(crate) mod versions;
