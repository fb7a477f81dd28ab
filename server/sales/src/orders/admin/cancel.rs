//! Cancels, completes and archives orders.

use serde_json::{Value, json};

use super::{OrderAdminError, credit};
use crate::database::Tx;
use crate::events;
use crate::ids::OrderId;
use crate::inventory;
use crate::orders::history::{self, OrderChange};
use crate::orders::money;
use crate::orders::queries::{admin as queries, lookup, progress};
use crate::orders::{OrderError, change_status};
use crate::promotions;
use crate::statuses::OrderStatus;

/// Cancels an order: releases its stock, returns the uses of its promotions and refunds the store credit it used. Its
/// payments are canceled or refunded afterwards by [`crate::orders::money::give_up`], which a job retries. Idempotent.
/// Returns whether this call canceled the order.
///
/// # Errors
/// [`OrderAdminError::Fulfilled`] while it has open fulfillments; [`OrderError::Refused`] for a completed or archived
/// order; [`OrderError::NotFound`].
pub fn cancel(tx: &Tx<'_>, id: &OrderId, actor_id: Option<&str>) -> Result<bool, OrderAdminError> {
    let order = placed(tx, id)?;
    if order == OrderStatus::Canceled {
        return Ok(false);
    }
    let to = OrderStatus::Canceled;
    if !order.may_become(to) {
        return Err(OrderError::Refused { id: id.clone(), from: order, to }.into());
    }
    let (fulfillments, returns) = queries::open_work(tx, id)?;
    if fulfillments > 0 {
        return Err(OrderAdminError::Fulfilled(id.clone()));
    }
    if returns > 0 {
        return Err(OrderAdminError::Returning(id.clone()));
    }
    inventory::release(tx, id)?;
    promotions::give_back(tx, id)?;
    credit::give_back(tx, id, actor_id)?;
    change_status(tx, id, to)?;
    money::give_up_later(tx, id, actor_id)?;
    let actions = json!([{ "action": "CANCEL_ORDER" }]);
    record_change(tx, id, "cancel", actions, actor_id)?;
    record_event(tx, "order.canceled", id)?;
    Ok(true)
}

/// Completes an order.
///
/// # Errors
/// [`OrderError::Refused`] for a canceled or archived order; [`OrderError::NotFound`].
pub fn complete(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderAdminError> {
    if placed(tx, id)? == OrderStatus::Completed {
        return Ok(());
    }
    change_status(tx, id, OrderStatus::Completed)?;
    record_event(tx, "order.completed", id)
}

/// Archives an order.
///
/// # Errors
/// [`OrderError::Refused`] if its status does not allow it; [`OrderError::NotFound`].
pub fn archive(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderAdminError> {
    if placed(tx, id)? == OrderStatus::Archived {
        return Ok(());
    }
    change_status(tx, id, OrderStatus::Archived)?;
    record_event(tx, "order.archived", id)
}

/// Returns an order's status. An order that still awaits its payment is not found.
pub(super) fn placed(tx: &Tx<'_>, id: &OrderId) -> Result<OrderStatus, OrderAdminError> {
    let status = progress::status(tx, id)?.filter(|status| *status != OrderStatus::Draft);
    Ok(status.ok_or_else(|| OrderError::NotFound(id.clone()))?)
}

/// Returns the order. An order that still awaits its payment is not found.
pub(super) fn placed_order(
    tx: &Tx<'_>,
    id: &OrderId,
) -> Result<crate::orders::order::Order, OrderAdminError> {
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

/// Returns the error for the deletion of an order.
pub(super) fn deletion_error(tx: &Tx<'_>, id: &OrderId) -> OrderAdminError {
    match placed(tx, id) {
        Ok(_) => OrderAdminError::NotDeletable(id.clone()),
        Err(error) => error,
    }
}
