//! The steps of a return, each in the caller's transaction: open and request in [`announce`], unpack and receive in
//! [`receipt`].

mod announce;
mod receipt;

use serde_json::{Value, json};

use crate::database::Tx;
use crate::events;
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnReasonId, StockLocationId};
use crate::metadata::Metadata;
use crate::orders::history::{self, OrderChange, Transition};
use crate::statuses::ReturnStatus;

use super::ReturnError;
use super::queries::steps::{self as queries, ReturnState, ReturnedQuantities};

pub use announce::{Announced, NewReturn, begin, cancel, put_items, request};
pub use receipt::{Received, begin_receipt, cancel_receipt, confirm_receipt, unpack};

/// The aspect under which returns write the order's history.
const ASPECT: &str = "return";

/// Runs all steps at once: the items are requested, returned undamaged, and put back into stock.
///
/// # Errors
/// [`ReturnError`] of the individual steps.
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

fn state(tx: &Tx<'_>, id: &ReturnId) -> Result<ReturnState, ReturnError> {
    queries::state(tx, id)?.ok_or_else(|| ReturnError::unknown("Return", id))
}

fn only_if(
    state: &ReturnState,
    statuses: &[ReturnStatus],
    step: &'static str,
) -> Result<(), ReturnError> {
    let status = state.status;
    if statuses.contains(&status) { Ok(()) } else { Err(ReturnError::Refused { status, step }) }
}

/// Checks that a return may move to this status.
fn may_become(state: &ReturnState, next: ReturnStatus) -> Result<(), ReturnError> {
    let status = state.status;
    if status.may_become(next) {
        return Ok(());
    }
    Err(ReturnError::Refused { status, step: next.as_str() })
}

fn known_location(tx: &Tx<'_>, id: StockLocationId) -> Result<StockLocationId, ReturnError> {
    if queries::location_exists(tx, &id)? {
        return Ok(id);
    }
    Err(ReturnError::unknown("Stock location", &id))
}

/// Returns the actions of a change for the order's history.
fn actions(id: &ReturnId, action: &str, changes: &[(&OrderLineId, ReturnedQuantities)]) -> Value {
    changes
        .iter()
        .map(|(line_id, change)| {
            let quantity = change.requested.saturating_abs();
            json!({
                "action": action,
                "reference": "return",
                "reference_id": id,
                "details": { "reference_id": line_id, "quantity": quantity },
            })
        })
        .collect()
}

fn changed(
    tx: &Tx<'_>,
    state: &ReturnState,
    kind: &'static str,
    actions: Value,
    actor_id: Option<&str>,
) -> Result<(), ReturnError> {
    let change = OrderChange { kind, actions, actor_id };
    history::record_change(tx, &state.order_id, &change)?;
    Ok(())
}

/// Ends a step: adds an entry to the order's history and records an event.
fn note(
    tx: &Tx<'_>,
    (order_id, id): (&OrderId, &ReturnId),
    (from, to): (Option<ReturnStatus>, ReturnStatus),
    actor_id: Option<&str>,
    event: &'static str,
) -> Result<(), ReturnError> {
    let from = from.map(ReturnStatus::as_str);
    let transition = Transition { aspect: ASPECT, from, to: to.as_str(), actor_id };
    history::transition(tx, order_id, &transition)?;
    events::record(tx, event, &json!({ "order_id": order_id, "return_id": id }))?;
    Ok(())
}
