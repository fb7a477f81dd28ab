//! Store credit: an account per customer and currency, and its append-only ledger.
//!
//! Invariants: a balance is the sum of its entries and never negative; entries are never changed or removed, so a
//! reversal is another entry; currencies never mix. Start at [`debit`].

pub mod account;
mod error;
pub mod ledger;
mod queries;
mod routes;
mod view;

#[cfg(test)]
mod tests;

pub use account::{credit, debit, find, open_for};
pub use error::CreditError;
pub use ledger::NewEntry;
pub use queries::of_customer;
pub use routes::router;

/// The reference of credit lines that a store credit account pays; their `reference_id` is the account.
pub const STORE_CREDIT: &str = "store-credit";

/// The reference of credit lines that the credit balance of a subscription pays, which is their `reference_id`.
pub const SUBSCRIPTION_CREDIT: &str = "subscription-credit";

/// The references of credit lines that have paid; these amounts can be refunded as store credit.
pub const PAYING: [&str; 2] = [STORE_CREDIT, SUBSCRIPTION_CREDIT];
