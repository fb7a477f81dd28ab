//! The history of orders: transitions of their states, and changes of their terms.

use serde_json::Value;

use crate::database::{Error, Tx};
use crate::ids::OrderId;

use super::queries::admin_history as queries;

/// A step from one state to another.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'a> {
    /// What moved: `status`, `payment`, `fulfillment` or `return`.
    pub(crate) aspect: &'static str,
    /// Where it stood; none at the beginning.
    pub from: Option<&'static str>,
    /// Where it stands now.
    pub to: &'static str,
    /// Who did it, if anybody is known.
    pub actor_id: Option<&'a str>,
}

/// A change of what was agreed, as an entry of the history.
#[derive(Debug, Clone)]
pub struct OrderChange<'a> {
    /// What kind, as `return_request`.
    pub kind: &'static str,
    /// An array of what was done.
    pub actions: Value,
    /// Who did it, if anybody is known.
    pub actor_id: Option<&'a str>,
}

/// Writes a step into the order's history.
pub(crate) fn transition(
    tx: &Tx<'_>,
    order_id: &OrderId,
    transition: &Transition<'_>,
) -> Result<(), Error> {
    queries::insert_transition(tx, order_id, transition)
}

/// Writes a change into the order's history: its version grows by one.
pub fn record_change(
    tx: &Tx<'_>,
    order_id: &OrderId,
    change: &OrderChange<'_>,
) -> Result<(), Error> {
    queries::raise_version(tx, order_id)?;
    queries::insert_change(tx, order_id, change)
}
