//! The SQL of shipping, one statement per function.

pub(super) mod offers;
pub(super) mod parts;
