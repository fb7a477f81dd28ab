//! Statements about metrics; nothing else here knows SQL.

pub(super) mod alerts;
pub(super) mod examples;
pub(super) mod metrics;
pub(super) mod placeholders;
pub(super) mod stamp;
pub(super) mod store;
pub(super) mod versions;
