//! The demo store.
mod calendar;
mod goods;
mod people;
mod plan;
mod seed;
mod source;
pub use plan::{Account, Accounts};
