//! Store credit: an append-only ledger per account.
//!
//! Invariants: a balance is the sum of its entries and never negative; entries are never changed or removed, so a
//! reversal is another entry; currencies never mix. Start at [`debit`].

pub mod account;
mod error;
mod queries;

#[cfg(test)]
mod tests;

pub use account::{NewEntry, credit, debit, find};
pub use error::CreditError;
