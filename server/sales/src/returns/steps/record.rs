//! What the steps share: the state of a return, its checks, and its entries in the order's history.

use serde_json::{Value, json};

use crate::database::Tx;
use crate::events;
use crate::http::Refusal;
use crate::ids::{OrderId, OrderLineId, ReturnId, StockLocationId};
use crate::orders::history::{self, OrderChange, Transition};
use crate::returns::ReturnError;
use crate::returns::queries::{self, ReturnState, ReturnedQuantities};
use crate::statuses::ReturnStatus;

/// The aspect under which returns write the order's history.
const ASPECT: &str = "return";

pub(super) fn state(tx: &Tx<'_>, id: &ReturnId) -> Result<ReturnState, ReturnError> {
    queries::state(tx, id)?.ok_or_else(|| ReturnError::unknown("Return", id))
}

pub(super) fn only_if(
    state: &ReturnState,
    statuses: &[ReturnStatus],
    step: &'static str,
) -> Result<(), ReturnError> {
    let status = state.status;
    if statuses.contains(&status) { Ok(()) } else { Err(refused(status, step)) }
}

/// Checks that a return may move to this status.
pub(super) fn may_become(state: &ReturnState, next: ReturnStatus) -> Result<(), ReturnError> {
    let status = state.status;
    if status.may_become(next) {
        return Ok(());
    }
    Err(refused(status, next.as_str()))
}

pub(super) fn known_location(
    tx: &Tx<'_>,
    id: StockLocationId,
) -> Result<StockLocationId, ReturnError> {
    if queries::location_exists(tx, &id)? {
        return Ok(id);
    }
    Err(ReturnError::unknown("Stock location", &id))
}

/// Returns the actions of a change for the order's history.
pub(super) fn actions(
    id: &ReturnId,
    action: &str,
    changes: &[(&OrderLineId, ReturnedQuantities)],
) -> Value {
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

pub(super) fn changed(
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
pub(super) fn note(
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

fn refused(status: ReturnStatus, step: &str) -> ReturnError {
    let status = status.as_str();
    Refusal::not_allowed(format!("a return that is {status} cannot be {step}")).into()
}
