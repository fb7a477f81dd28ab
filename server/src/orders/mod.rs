//! Orders: what was bought, and how far its payment and its delivery have come.
//!
//! Invariant: a state moves only along the edges of [`statuses`].

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "called by the routes of this domain and of checkout")
)]
pub(crate) mod statuses;
