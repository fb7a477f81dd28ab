//! What holds for any rows, any formula and any request: a second evaluator agrees, and so do all other ways
//! to compute it; parts add up, windows compose.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "numbers are small, and what is not there fails the test"
)]

mod agreement;
mod caching;
mod columns;
mod exploring;
mod laws;
mod programs;
mod regressions;
mod ways;
