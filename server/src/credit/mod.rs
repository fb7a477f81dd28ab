//! Store credit: an append-only ledger per account.
//!
//! Invariants: a balance is the sum of its entries and never negative; an entry is never changed or removed, so what
//! is taken back is a further entry; a currency never mixes with another. Start at [`debit`].

#[cfg_attr(not(test), expect(dead_code, reason = "accounts are opened by admins"))]
pub(crate) mod account;
mod error;
mod queries;

#[cfg(test)]
mod tests;

pub(crate) use account::{NewEntry, credit, debit, find};
pub(crate) use error::CreditError;
