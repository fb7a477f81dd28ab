//! Formulas over a database give what they give over rows in memory, to the last digit.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot be set up fails"
)]

mod counted;
mod differential;
mod large;
mod postgres;
mod python;
mod random;
mod sqlite;
mod tables;
mod texts;

#[expect(dead_code, reason = "rows are read as texts here")]
#[path = "../stores/mod.rs"]
mod stores;
