//! Product reviews: who wrote them, whether the author bought the product, what a moderator decided, and what readers
//! found helpful.
//!
//! Invariants: only approved reviews are shown and counted; triggers update a product's counts in the transaction that
//! changes a review, so that the two never disagree; what an anonymous caller is told never depends on an order, except
//! that a guest's order has one review per product. Start at [`write::submit`].

mod badge;
mod error;
mod flag;
mod moderation;
mod queries;
mod review;
mod routes;
mod store_review;
mod write;

pub use badge::BADGES;
pub use routes::router;
