//! Personal data of customers: which columns hold it, how it is exported, and what happens to it when a person is erased.
//!
//! `tables` is the complete list, with a few lines per table and a file per domain. A domain that stores something about
//! a person adds its tables there; a test walks the schema and fails for an unlisted column that looks personal.
//!
//! Invariants: an export has every listed row except stored responses to requests; after an erasure no listed row
//! identifies the person; what accounting needs is kept, without anything that identifies a person. Other systems that know
//! the person are notified by jobs. Before the transaction of an erasure, rows that take long to find are located, and
//! rows that may be very many are erased in parts, so that it finds only those that came since.

mod person;
mod queries;
pub mod tables;

#[cfg(test)]
mod tests;

pub use person::{Export, PersonalKeys, erase, erase_some, export, seek};
pub use queries::is_known;
pub use tables::{Erasure, PersonalTable};
