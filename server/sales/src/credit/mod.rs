//! Store credit: an append-only ledger per account.
//!
//! Invariants: a balance is the sum of its entries and never negative; an entry is never changed or removed, so what
//! is taken back is a further entry; a currency never mixes with another. Start at [`debit`].

pub mod account;
mod error;
mod queries;

#[cfg(test)]
mod tests;

pub use account::{NewEntry, credit, debit, find};
pub use error::CreditError;
