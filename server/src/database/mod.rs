//! The database.
pub mod listing;
