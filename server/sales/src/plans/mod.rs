//! Subscription plans: how products may be subscribed to, and what a piece of them costs with a plan.
//!
//! Invariants: a change of a plan makes a new version, and versions are never changed, so that a running subscription
//! keeps the terms of its own; the price with a plan comes from [`Discount::apply`] only, so that offer, cart and bill
//! are equal. Start at [`Plan`].

mod discount;
mod error;
mod offer;
mod plan;
mod queries;
mod routes;
mod write;

#[cfg(test)]
mod tests;

pub use discount::Discount;
pub use error::PlanError;
pub use plan::{Interval, OnExhausted, OutOfStock, Plan, SubscriptionKind, Unit};
pub use queries::{of_product, with_ids};
pub use routes::router;
