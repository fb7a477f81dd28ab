//! Payments: what a provider must do, and the two that run in process.
//!
//! Invariants: every call carries a key under which repeating it has no further effect; no card data is
//! kept or answered.

pub(crate) mod manual;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod provider;
pub(crate) mod sandbox;
