//! Stock: how many pieces of a variant can be sold, and from which locations.
//!
//! Invariant: without backorders nobody is promised more pieces than are stocked and not reserved.

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod availability;
