//! Prices: which of a variant's prices a shopper gets.
//!
//! Invariant: the same candidates and the same context give the same price, in whatever order they come.

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod choice;
