//! The audit log: who changed what, and who was refused, of metrics, placeholders, alerts, store credit, keys and admins.
//!
//! Invariants: an entry is written in the transaction of the change that it tells, so that there is one for each
//! change and none for what was undone; it is never changed or removed; its hash covers all of it and the hash before
//! it, so that what is changed or missing is found by [`verify`]. Secrets are in no entry. Start at [`record`].

mod canonical;
mod chain;
mod entry;
mod export;
mod queries;

#[cfg(test)]
mod tests;

pub use chain::{Break, Head, head, verify};
pub use entry::{AuditEntry, EntityType, Entry, record, refused};
pub use export::{ExportFilter, ExportFormat, Page, page};
pub use queries::{ENTRIES, listed};
