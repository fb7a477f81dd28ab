//! Formulas over a database give the results of rows in memory, to the last digit.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot be set up fails"
)]

mod counted;
mod currencies;
pub(crate) mod differential;
mod large;
pub(crate) mod postgres;
pub(crate) mod python;
mod random;
pub(crate) mod sqlite;
pub(crate) mod tables;
mod texts;
