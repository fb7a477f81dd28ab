//! The SQL of inventory, one statement per function.

pub(super) mod levels;
pub(super) mod locations;
pub(super) mod reservations;
pub(super) mod variants;
