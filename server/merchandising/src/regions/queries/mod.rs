//! The SQL of regions, sales channels and the store, one statement per function.

pub(super) mod channels;
pub(super) mod regions;
pub(super) mod settings;
