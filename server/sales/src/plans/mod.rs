//! Subscription plans: how products can be subscribed to, and the price of a piece with a plan.
//!
//! Invariants: a change of a plan makes a new version, and versions never change, so that a running subscription keeps
//! its terms; the price with a plan comes only from [`Discount::apply`], so that offer, cart and bill agree. Start at
//! [`Plan`].

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
