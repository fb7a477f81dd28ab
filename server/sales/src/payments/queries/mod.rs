//! The SQL of payments.

pub(super) mod balance_due;
pub(super) mod collections;
pub(super) mod methods;
pub(super) mod payments;
pub(super) mod reports;
pub(super) mod sessions;
