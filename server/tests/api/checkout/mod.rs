//! Completing a cart: one order, whatever happens concurrently.

mod races;
mod totals;
