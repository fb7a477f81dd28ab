//! The SQL of customers, addresses and groups.

pub(super) mod addresses;
pub(super) mod customers;
pub(super) mod groups;
