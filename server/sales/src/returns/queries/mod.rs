//! The SQL of returns.

pub(super) mod steps;
