//! The SQL of webhooks.

pub(super) mod deliveries;
pub(super) mod endpoints;
pub(super) mod orders;
