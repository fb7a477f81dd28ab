//! Placed orders, and the records of their changes.

use serde_json::{Value, json};

use super::OrderAdminError;
use crate::database::Tx;
use crate::events;
use crate::ids::OrderId;
use crate::orders::OrderError;
use crate::orders::history::{self, OrderChange};
use crate::orders::order::Order;
use crate::orders::queries::{lookup, progress};
use crate::statuses::OrderStatus;

/// Returns an order's status. An order that still awaits its payment is not found.
pub(super) fn placed(tx: &Tx<'_>, id: &OrderId) -> Result<OrderStatus, OrderAdminError> {
    let status = progress::status(tx, id)?.filter(|status| *status != OrderStatus::Draft);
    Ok(status.ok_or_else(|| OrderError::NotFound(id.clone()))?)
}

/// Returns the order. An order that still awaits its payment is not found.
pub(super) fn placed_order(tx: &Tx<'_>, id: &OrderId) -> Result<Order, OrderAdminError> {
    let order = lookup::order(tx, id)?.filter(|order| order.status != OrderStatus::Draft);
    Ok(order.ok_or_else(|| OrderError::NotFound(id.clone()))?)
}

pub(super) fn record_change(
    tx: &Tx<'_>,
    id: &OrderId,
    kind: &'static str,
    actions: Value,
    actor_id: Option<&str>,
) -> Result<(), OrderAdminError> {
    Ok(history::record_change(tx, id, &OrderChange { kind, actions, actor_id })?)
}

pub(super) fn record_event(
    tx: &Tx<'_>,
    event: &'static str,
    id: &OrderId,
) -> Result<(), OrderAdminError> {
    Ok(events::record(tx, event, &json!({ "id": id }))?)
}
