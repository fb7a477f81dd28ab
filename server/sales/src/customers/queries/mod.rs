//! Customers, addresses and groups in the database.

pub(super) mod addresses;
pub(super) mod customers;
pub(super) mod groups;
