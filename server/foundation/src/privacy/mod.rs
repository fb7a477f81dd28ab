//! Personal data of customers: which columns hold it, how it is exported, and what becomes of it when a person is erased.
//!
//! `tables` is the whole list, a few lines for each table, a file for each domain. A domain that stores something about a
//! person adds its tables there; a test walks the schema and fails for a column that looks personal and is not named.
//!
//! Invariants: an export has every row of the list but kept answers to requests; after an erasure no row of the list names
//! the person; what the books need stays, without what names somebody. Other systems that know the person are told by jobs.
//! Rows that take long to find are sought before the transaction of an erasure, in which only recent ones are read again.

mod person;
mod queries;
pub mod tables;

#[cfg(test)]
mod tests;

pub use person::{PersonalKeys, erase, export, seek};
pub use queries::is_known;
pub use tables::{Erasure, PersonalTable};
