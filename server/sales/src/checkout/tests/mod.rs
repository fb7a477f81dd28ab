//! What completion promises, over a shop with one shelf.

mod given_back;
mod once;
mod refused;
mod renewed;
pub mod shop;
mod unanswered;
