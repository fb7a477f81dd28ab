//! Completing a cart: one order, whatever happens at the same time.

mod races;
mod totals;
