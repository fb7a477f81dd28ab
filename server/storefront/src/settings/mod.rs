//! Settings of storefronts: a sales channel's analytics provider, its payment settings, and its public key-values.
//!
//! Invariant: nothing that looks like a secret is stored, because every shopper can read the settings.

mod analytics;
mod checkout;
mod queries;
mod routes;
mod setting;

pub(crate) use routes::router;
