//! Computes an order's statuses from its payments and fulfillments, and records each transition; writes those of imported
//! orders.

use serde_json::json;

use super::error::OrderError;
use super::queries::admin_history::transition;
use super::queries::progress::{self, OrderProgress};
use super::queries::refunds;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::events;
use crate::ids::OrderId;
use crate::proportion::{add, slice, subtract};
use crate::statuses::{self, FulfillmentStatus, OrderStatus, PaymentStatus};

/// Recomputes an order's payment and fulfillment status after its payments or fulfillments have changed, and records
/// each transition. Does nothing if nothing has changed.
///
/// # Errors
/// [`OrderError::NotFound`]; [`OrderError::Totals`] if sums overflow.
pub fn settle(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    let before = progress::find(tx, id)?.ok_or_else(|| OrderError::NotFound(id.clone()))?;
    let (paid_minor, refunded_minor) = progress::moved(tx, id)?;
    let after = OrderProgress {
        payment_status: payment_status(tx, id, (paid_minor, refunded_minor))?,
        fulfillment_status: statuses::fulfillment_status(
            &progress::stages(tx, id)?,
            &progress::lines(tx, id)?,
        ),
        paid_minor,
        refunded_minor,
        goodwill_minor: goodwill(tx, id, &before, paid_minor, refunded_minor)?,
    };
    if before == after {
        return Ok(());
    }
    progress::update(tx, id, &after)?;
    if refunded_minor > before.refunded_minor {
        split_refunds(tx, id)?;
    }
    let steps = [
        ("payment", before.payment_status.as_str(), after.payment_status.as_str()),
        ("fulfillment", before.fulfillment_status.as_str(), after.fulfillment_status.as_str()),
    ];
    for (aspect, from, to) in steps.into_iter().filter(|(_, from, to)| from != to) {
        transition(tx, id, aspect, (Some(from), to), None)?;
    }
    Ok(())
}

/// Returns the payment status of an order by its payments, and by its refunds to store credit, which belong to none of them.
fn payment_status(
    tx: &Tx<'_>,
    id: &OrderId,
    (paid_minor, refunded_minor): (i64, i64),
) -> Result<PaymentStatus, OrderError> {
    use PaymentStatus::{Captured, PartiallyCaptured, PartiallyRefunded, Refunded};

    let status = statuses::payment_status(&progress::collections(tx, id)?)?;
    let is_captured = matches!(status, Captured | PartiallyCaptured | PartiallyRefunded | Refunded);
    if !is_captured || !refunds::is_credited(tx, id)? {
        return Ok(status);
    }
    let paid_minor = add(paid_minor, refunds::paid_by_credit(tx, id)?)?;
    Ok(if refunded_minor < paid_minor { PartiallyRefunded } else { Refunded })
}

/// Returns the part of an order's refunds that was not owed: for a new refund, the excess over the amount owed before it.
/// Goods on their way back may be refunded in advance.
fn goodwill(
    tx: &Tx<'_>,
    id: &OrderId,
    before: &OrderProgress,
    paid_minor: i64,
    refunded_minor: i64,
) -> Result<i64, OrderError> {
    let new_minor = subtract(refunded_minor, before.refunded_minor)?;
    if new_minor < 1 {
        return Ok(before.goodwill_minor);
    }
    let mut owed_minor = subtract(paid_minor, progress::total(tx, id)?)?;
    for (total_minor, pieces, quantity) in progress::coming_back(tx, id)? {
        owed_minor = add(owed_minor, slice(total_minor, 0, pieces, quantity)?)?;
    }
    let settled_minor = subtract(before.refunded_minor, before.goodwill_minor)?;
    let owed_minor = subtract(owed_minor, settled_minor)?.max(0);
    Ok(add(before.goodwill_minor, subtract(new_minor, owed_minor)?.max(0))?)
}

/// Computes the tax and shipping parts of each new refund.
fn split_refunds(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    let Some(order) = refunds::totals(tx, id)? else { return Ok(()) };
    let mut before_minor = 0;
    for refund in refunds::of_order(tx, id)? {
        let after_minor = add(before_minor, refund.amount_minor)?;
        if !refund.is_split {
            let parts = order.parts_between(before_minor, after_minor)?;
            refunds::split(tx, refund.seq, &parts)?;
        }
        before_minor = after_minor;
    }
    Ok(())
}

/// Moves an order to another status and records the transition. Moving to the same status does nothing.
///
/// # Errors
/// [`OrderError::NotFound`]; [`OrderError::NotAllowed`] if no edge leads there.
pub fn change_status(tx: &Tx<'_>, id: &OrderId, to: OrderStatus) -> Result<(), OrderError> {
    let from = progress::status(tx, id)?.ok_or_else(|| OrderError::NotFound(id.clone()))?;
    if from == to {
        return Ok(());
    }
    if !from.may_become(to) {
        return Err(OrderError::NotAllowed { id: id.clone(), from, to });
    }
    progress::move_to(tx, id, to)?;
    transition(tx, id, "status", (Some(from.as_str()), to.as_str()), None)?;
    Ok(())
}

/// Places a draft whose payment succeeded, and records the event.
///
/// # Errors
/// [`OrderError::NotFound`]; [`OrderError::NotAllowed`] if it was canceled in the meantime.
pub fn confirm(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    change_status(tx, id, OrderStatus::Pending)?;
    Ok(events::record(tx, "order.placed", &json!({ "id": id }))?)
}

/// Deletes a draft whose payment failed. Its reservations must have been released before.
///
/// # Errors
/// [`OrderError::NotFound`] if there is no such draft.
pub fn discard(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    if progress::discard(tx, id)? { Ok(()) } else { Err(OrderError::NotFound(id.clone())) }
}

/// The progress of an imported order. A missing step has no later steps.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportedProgress {
    /// The amount paid when it was placed, with tax.
    pub paid_minor: i64,
    /// When all items were packed.
    pub packed_at: Option<Timestamp>,
    pub shipped_at: Option<Timestamp>,
    pub delivered_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
}

/// Writes an order's statuses and transitions, without an event. The payment and fulfillment domains import their own
/// rows, consistent with these, so that settling the order changes nothing.
pub fn import(tx: &Tx<'_>, id: &OrderId, imported: &ImportedProgress) -> Result<(), OrderError> {
    let mut from = FulfillmentStatus::NotFulfilled;
    let steps = [
        (imported.packed_at, FulfillmentStatus::Fulfilled),
        (imported.shipped_at, FulfillmentStatus::Shipped),
        (imported.delivered_at, FulfillmentStatus::Delivered),
    ];
    let paid = PaymentStatus::Captured;
    let unpaid = Some(PaymentStatus::NotPaid.as_str());
    transition(tx, id, "payment", (unpaid, paid.as_str()), None)?;
    let mut last = tx.now();
    for (at, to) in steps {
        let Some(at) = at else { break };
        transition(&tx.at(at), id, "fulfillment", (Some(from.as_str()), to.as_str()), None)?;
        (from, last) = (to, at);
    }
    let progress = OrderProgress {
        payment_status: paid,
        fulfillment_status: from,
        paid_minor: imported.paid_minor,
        refunded_minor: 0,
        goodwill_minor: 0,
    };
    progress::update(&tx.at(last), id, &progress)?;
    if let Some(at) = imported.completed_at {
        change_status(&tx.at(at), id, OrderStatus::Completed)?;
    }
    Ok(())
}
