//! The API as its callers see it: a folder a domain, a server of its own for each test.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on says why"
)]

mod api_keys;
mod auth;
mod authorization;
mod carts;
mod catalog;
mod checkout;
mod customers;
mod harness;
mod inventory;
mod metrics;
mod orders;
mod promotions;
mod reliability;
mod users;
