//! Payouts: each pays a partner's approved entries that have not been paid.
//!
//! Invariants: an entry is paid once; a payout is never negative; the ledger has an entry for each payout, so its sum is
//! what a partner is still owed.

mod file;
mod payout;
mod queries;
mod routes;

pub use payout::Payout;
pub(crate) use routes::router;
