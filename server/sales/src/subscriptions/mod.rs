//! Subscriptions: recurring deliveries or access for which a customer is charged automatically.
//!
//! Invariants: due dates are computed from the anchor; a cycle is billed at most once, because its row decides and not
//! the clock; every change of state is a transition, an event and a new version, and every change of the monthly
//! revenue a movement. Start at [`Subscription`]; [`create`] starts them at checkout, [`billing`] charges their cycles,
//! [`actions`] are those of customers and admins.

pub mod actions;
pub mod anchor;
pub mod billing;
mod change;
pub mod create;
pub mod cycle;
mod error;
pub mod ledger;
pub mod proration;
mod queries;
mod revenue;
mod routes;
mod schedule;
pub mod status;
pub mod subscription;
#[cfg(test)]
mod tests;
mod upcoming;
mod view;

pub use billing::{
    Late, RENEW, RENEW_EVERY_MS, SAVED_METHODS, act_on_due, method_ended, method_updated,
    paid_late, recover, session_of_attempt,
};
pub use error::SubscriptionError;
pub use routes::router;
pub use status::SubscriptionStatus;
pub use subscription::{Item, Subscription};

use crate::database::Tx;
use crate::database::listing::ListQuery;
use crate::ids::{CustomerId, OrderId};

/// Narrows a list to the subscriptions of a customer.
fn of_customer(query: ListQuery, customer_id: &CustomerId) -> ListQuery {
    query.narrow("s.customer_id = ?", [rusqlite::types::Value::Text(customer_id.to_string())])
}

/// Returns the views of the subscriptions that began with an order.
pub fn of_order(
    tx: &Tx<'_>,
    order_id: &OrderId,
) -> Result<impl serde::Serialize + use<>, SubscriptionError> {
    view::views(tx, queries::of_order(tx, order_id)?, true)
}
