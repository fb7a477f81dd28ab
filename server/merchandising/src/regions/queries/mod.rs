//! The SQL of regions, sales channels and the store; a function a statement.

pub(super) mod channels;
pub(super) mod regions;
pub(super) mod settings;
