//! Queries for rollups, and for what a group of writes has touched.

pub(crate) mod changes;
mod page_addresses;
pub(crate) mod pending;
pub(super) mod source_rows;
pub(super) mod store;
pub(super) mod tables;
