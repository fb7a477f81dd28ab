//! The history of orders: transitions of their statuses, and changes of their terms.

use serde_json::Value;

use crate::database::{Error, Tx};
use crate::ids::OrderId;

use super::queries::admin_history as queries;
pub(crate) use super::queries::admin_history::insert_transition as transition;

/// A transition from one status to another.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'a> {
    /// The kind of status: `status`, `payment`, `fulfillment` or `return`.
    pub(crate) aspect: &'static str,
    /// The previous status; none for the first one.
    pub from: Option<&'static str>,
    /// The new status.
    pub to: &'static str,
    /// The user who caused it, if known.
    pub actor_id: Option<&'a str>,
}

/// A change of an order's terms, as an entry of the history.
#[derive(Debug, Clone)]
pub struct OrderChange<'a> {
    /// The kind of change, such as `return_request`.
    pub kind: &'static str,
    /// An array of actions.
    pub actions: Value,
    /// The user who caused it, if known.
    pub actor_id: Option<&'a str>,
}

/// Writes a change to the order's history and increments the order's version.
pub fn record_change(
    tx: &Tx<'_>,
    order_id: &OrderId,
    change: &OrderChange<'_>,
) -> Result<(), Error> {
    queries::raise_version(tx, order_id)?;
    queries::insert_change(tx, order_id, change)
}
