//! Statements about rollups, and about what the writes of a group have touched.

pub(crate) mod changes;
pub(crate) mod pending;
mod places;
pub(super) mod source_rows;
pub(super) mod store;
pub(super) mod tables;
