//! The SQL of tax regions and rates; a function a statement.

pub(super) mod admin;
pub(super) mod lines;
pub(super) mod rates;
pub(super) mod regions;
