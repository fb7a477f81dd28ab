//! The SQL of tax regions and rates, one statement per function.

pub(super) mod admin;
pub(super) mod lines;
pub(super) mod rates;
pub(super) mod regions;
