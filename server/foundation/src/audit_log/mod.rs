//! The audit log: changes, and refused changes, of metrics, placeholders, alerts, store credit, subscription plans, flows, keys
//! and admins.
//!
//! Invariants: an entry is written in the transaction of its change, so that every committed change has one and no
//! rolled-back change does; it is never changed or removed; its hash covers the whole entry and the previous hash, so
//! that [`verify`] finds changed and missing entries. Entries contain no secrets. Start at [`record_change`].

mod canonical;
mod chain;
mod entry;
mod export;
mod queries;

#[cfg(test)]
mod tests;

pub use chain::{Break, Head, verify};
pub use entry::{AuditEntry, EntityType, Entry, record, record_change, refused};
pub use export::{ExportFilter, ExportFormat, Page, page};
pub use queries::{head, listed};
