//! Settings of storefronts: the analytics provider of a sales channel, what it pays with, and its public key-values.
//!
//! Invariant: nothing that looks like a secret is stored, because every shopper can read the settings.

mod analytics;
mod checkout;
mod queries;
mod routes;
mod setting;

pub(crate) use routes::router;
