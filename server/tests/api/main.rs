//! The API as its callers see it: a folder a domain, a server of its own for each test.
#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

mod authorization;
mod checkout;
mod harness;
mod orders;
mod reliability;
