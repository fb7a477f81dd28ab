//! The SQL of shipping, one statement per function.

pub(super) mod admin;
pub(super) mod changes;
pub(super) mod offers;
pub(super) mod options;
pub(super) mod zones;
