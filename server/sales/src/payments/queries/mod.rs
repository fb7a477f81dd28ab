//! The statements of payments: the only place of this domain with SQL.

pub(super) mod balance_due;
pub(super) mod collections;
pub(super) mod payments;
pub(super) mod sessions;
