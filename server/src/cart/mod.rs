//! Carts: what a shopper is about to buy, and what it costs.
//!
//! Invariant: a cart's totals are the exact sums of its lines and shipping methods, to the minor unit.

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod lines;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod totals;
