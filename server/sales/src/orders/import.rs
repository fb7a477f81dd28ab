//! The progress of imported orders.

use super::error::OrderError;
use super::queries::insert;
use super::queries::progress::{self, OrderProgress};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::OrderId;
use crate::statuses::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// The progress of an imported order. A missing step has no later steps.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportedProgress {
    /// The amount paid when it was placed, with tax.
    pub paid_minor: i64,
    /// When all items were packed.
    pub packed_at: Option<Timestamp>,
    pub shipped_at: Option<Timestamp>,
    pub delivered_at: Option<Timestamp>,
    /// When it was completed.
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
    insert::transition(tx, id, "payment", (unpaid, paid.as_str()), tx.now())?;
    let mut last = tx.now();
    for (at, to) in steps {
        let Some(at) = at else { break };
        insert::transition(tx, id, "fulfillment", (Some(from.as_str()), to.as_str()), at)?;
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
        super::settle::change_status(&tx.at(at), id, OrderStatus::Completed)?;
    }
    Ok(())
}
