//! Completing a cart: one order, whatever happens concurrently.

mod config;
mod methods;
mod payments;
mod races;
mod sessions;
mod totals;
