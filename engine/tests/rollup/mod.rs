//! States give the answers of rows, to the last digit, or say why they cannot.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "numbers are small, and what is not there fails the test"
)]

mod changes;
mod currencies;
mod edges;
mod fixture;
mod growth;
mod kpis;
mod random;
