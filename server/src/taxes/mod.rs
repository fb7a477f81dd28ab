//! Taxes: which rates apply where and to what, and how much tax a rate makes.
//!
//! Invariants: a rate is an integer of millionths (7.25 % is 72 500); every tax amount is rounded to
//! the currency's minor unit a tax line; tax taken out of a gross price leaves that price unchanged.

#[cfg_attr(not(test), expect(dead_code, reason = "called by the routes of carts and orders"))]
pub(crate) mod amounts;
#[cfg_attr(not(test), expect(dead_code, reason = "called by the routes of carts and orders"))]
pub(crate) mod rates;
