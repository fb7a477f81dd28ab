//! The steps of a return, each in the caller's transaction: open and request in [`announce`], unpack and receive in
//! [`receipt`].

mod announce;
mod receipt;
mod record;

use super::ReturnError;
use crate::database::Tx;
use crate::ids::{OrderId, OrderLineId, ReturnReasonId};
use crate::metadata::Metadata;

pub use announce::{Announced, NewReturn, begin, cancel, put_items, request};
pub use receipt::{Received, begin_receipt, confirm_receipt, unpack};

/// Runs all steps at once: the items are requested, returned undamaged, and put back into stock.
pub fn return_lines(
    tx: &Tx<'_>,
    order_id: &OrderId,
    lines: &[(OrderLineId, i64)],
    reason_id: Option<&ReturnReasonId>,
) -> Result<Received, ReturnError> {
    let new = NewReturn {
        order_id: order_id.clone(),
        location_id: None,
        no_notification: false,
        metadata: Metadata::default(),
        actor_id: None,
    };
    let id = begin(tx, new)?;
    let announced: Vec<Announced> = lines
        .iter()
        .map(|(line_id, quantity)| Announced {
            line_id: line_id.clone(),
            quantity: *quantity,
            reason_id: reason_id.cloned(),
            note: None,
        })
        .collect();
    put_items(tx, &id, &announced)?;
    request(tx, &id, None)?;
    unpack(tx, &id, lines, false)?;
    confirm_receipt(tx, &id, None)
}
