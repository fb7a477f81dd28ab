//! What completion promises, over a shop with one shelf.

mod given_back;
mod once;
mod refused;
pub(crate) mod shop;
mod unanswered;
