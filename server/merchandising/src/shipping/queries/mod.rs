//! The SQL of shipping; a function a statement.

pub(super) mod admin;
pub(super) mod changes;
pub(super) mod offers;
pub(super) mod options;
pub(super) mod zones;
