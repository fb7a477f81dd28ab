//! Statements about rollups, and about what the writes of a group have touched.

pub(crate) mod changes;
mod page_addresses;
pub(crate) mod pending;
pub(super) mod source_rows;
pub(super) mod store;
pub(super) mod tables;
