//! Completing a cart: one order, whatever happens concurrently.

mod config;
mod methods;
mod payments;
mod races;
mod totals;
