//! Tests of the API: a folder per domain, a server per test.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a panic message says why a test cannot continue"
)]

mod api_keys;
#[path = "../attacks/mod.rs"]
mod attacks;
mod auth;
mod authorization;
mod carts;
mod catalog;
mod checkout;
mod content;
mod credit;
mod customers;
mod description;
mod flows;
mod harness;
mod inventory;
mod metrics;
mod orders;
mod pages;
mod partners;
mod plans;
mod promotions;
mod reliability;
mod reviews;
mod sms;
mod subscriptions;
mod users;
mod visits;
mod webhooks;

/// The server's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
