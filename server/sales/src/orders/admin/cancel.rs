//! Cancels, completes and archives orders.

use serde_json::json;

use super::{credit, placed_status, record_change, record_event};
use crate::database::{Error, Tx};
use crate::http::Refusal;
use crate::ids::OrderId;
use crate::inventory;
use crate::orders::queries::{admin as queries, progress, refunds};
use crate::orders::reversal;
use crate::orders::{OrderError, change_status};
use crate::promotions;
use crate::statuses::{OrderStatus, PaymentStatus};

/// Cancels an order: releases its stock, returns the uses of its promotions and refunds the store credit it used. Its
/// payments are canceled or refunded afterwards by [`crate::orders::reversal::reverse`], which a job retries. Idempotent.
/// Returns whether this call canceled the order.
///
/// # Errors
/// [`OrderError::Refused`] while it has open fulfillments or returns, or a part of it was refunded to store credit;
/// [`OrderError::NotAllowed`] for a completed or archived order; [`OrderError::NotFound`].
pub fn cancel(tx: &Tx<'_>, id: &OrderId, actor_id: Option<&str>) -> Result<bool, OrderError> {
    let from = placed_status(tx, id)?;
    if from == OrderStatus::Canceled {
        return Ok(false);
    }
    let to = OrderStatus::Canceled;
    if !from.may_become(to) {
        return Err(OrderError::NotAllowed { id: id.clone(), from, to });
    }
    let (fulfillments, returns) = queries::open_work(tx, id)?;
    if fulfillments > 0 {
        let message = format!(
            "all fulfillments of order `{id}` must be canceled before the order is; what is shipped comes back by a return"
        );
        return Err(Refusal::not_allowed(message).into());
    }
    if returns > 0 {
        let message = format!("order `{id}` has open returns: receive or cancel them first");
        return Err(Refusal::not_allowed(message).into());
    }
    let is_credited = refunds::is_credited(tx, id)?;
    // Canceling would refund the same money to the card once more.
    if is_credited && !is_refunded(tx, id)? {
        let message = format!(
            "a part of order `{id}` was refunded to store credit: refund the rest before canceling it"
        );
        return Err(Refusal::not_allowed(message).into());
    }
    inventory::release(tx, id)?;
    promotions::give_back(tx, id)?;
    if !is_credited {
        credit::give_back(tx, id, actor_id)?;
    }
    change_status(tx, id, to)?;
    reversal::reverse_later(tx, id, actor_id)?;
    let actions = json!([{ "action": "CANCEL_ORDER" }]);
    record_change(tx, id, "cancel", &actions, actor_id)?;
    record_event(tx, "order.canceled", id)?;
    Ok(true)
}

fn is_refunded(tx: &Tx<'_>, id: &OrderId) -> Result<bool, Error> {
    let progress = progress::find(tx, id)?;
    Ok(progress.is_some_and(|order| order.payment_status == PaymentStatus::Refunded))
}

/// Completes an order.
///
/// # Errors
/// [`OrderError::NotAllowed`] for a canceled or archived order; [`OrderError::NotFound`].
pub fn complete(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    if placed_status(tx, id)? == OrderStatus::Completed {
        return Ok(());
    }
    change_status(tx, id, OrderStatus::Completed)?;
    record_event(tx, "order.completed", id)
}

/// Archives an order. It can no longer be fulfilled, so it holds no stock.
///
/// # Errors
/// [`OrderError::NotAllowed`] for an order that is neither completed nor canceled, whose payment may still have to be
/// captured or released; [`OrderError::NotFound`].
pub fn archive(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    if placed_status(tx, id)? == OrderStatus::Archived {
        return Ok(());
    }
    change_status(tx, id, OrderStatus::Archived)?;
    inventory::release(tx, id)?;
    record_event(tx, "order.archived", id)
}

/// Refuses to delete an order.
pub(super) fn refuse_deletion(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    placed_status(tx, id)?;
    let message = format!(
        "order `{id}` is a record of money and is kept: cancel it, or complete and archive it, instead"
    );
    Err(Refusal::not_allowed(message).into())
}
