//! The history of orders: transitions of their statuses, and changes of their terms.

use serde_json::Value;

pub(crate) use super::queries::admin_history::{insert_transition as transition, record_change};

/// A transition from one status to another.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'a> {
    /// The kind of status: `status`, `payment`, `fulfillment` or `return`.
    pub(crate) aspect: &'static str,
    /// The previous status; none for the first one.
    pub from: Option<&'static str>,
    pub to: &'static str,
    /// The user who caused it, if known.
    pub actor_id: Option<&'a str>,
}

/// A change of an order's terms, as an entry of the history.
#[derive(Debug, Clone)]
pub struct OrderChange<'a> {
    /// The kind of change, such as `return_request`.
    pub kind: &'static str,
    pub actions: Value,
    /// The user who caused it, if known.
    pub actor_id: Option<&'a str>,
}
