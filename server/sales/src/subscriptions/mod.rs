//! Subscriptions: what a customer gets, or has access to, again and again, and is charged for without being there.
//!
//! Invariants: due dates are computed from the anchor; a cycle is billed at most once, because its row decides and not
//! the time; every change of state is a transition, an event and a step of the version, and every change of the monthly
//! revenue a movement. Start at [`Subscription`].

pub mod anchor;
pub mod cycle;
pub mod ledger;
pub mod proration;
pub mod status;
pub mod subscription;

pub use status::SubscriptionStatus;
pub use subscription::{Item, Subscription};
