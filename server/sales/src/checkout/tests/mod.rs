//! Tests of completion in a shop with one stock location.

mod given_back;
mod once;
mod refused;
mod renewed;
pub(crate) mod shop;
mod unanswered;
