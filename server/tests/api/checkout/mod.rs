//! Completing a cart: one order, whatever happens concurrently.

mod methods;
mod payments;
mod races;
mod totals;
