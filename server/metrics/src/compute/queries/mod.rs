//! Queries for computed values and how long they took.

pub(super) mod data_versions;
pub(super) mod performance_reports;
pub(super) mod sizes;
pub(super) mod snapshots;
