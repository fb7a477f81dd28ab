//! Promotions: which ones a cart gets, and what each takes off which line.
//!
//! Invariant: no promotion takes more than is left of its target, and a split amount adds up exactly.

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod allocation;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod rules;
