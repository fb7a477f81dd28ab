//! The SQL of returns.

pub(super) mod steps;
pub(super) mod view;
