//! Reviews of products: who wrote them, whether the author bought the product, what a moderator decided, and what readers
//! found helpful.
//!
//! Invariants: only approved reviews are shown and counted; the counts of a product are moved by triggers in the
//! transaction of every change, so that they never disagree with its reviews; what a caller who is not logged in is told
//! never depends on an order, but that a guest's order has one review of a product. Start at [`write::submit`].

mod badge;
mod error;
mod flag;
mod moderation;
mod queries;
mod review;
mod routes;
mod shown;
mod vote;
mod write;

pub use badge::BADGES;
pub use routes::router;
