//! The SQL of payments.

pub(super) mod collections;
pub(super) mod methods;
pub(super) mod payments;
pub(super) mod sessions;
