//! What the steps share: the state of a return, its checks, and its entries in the order's history.

use serde_json::json;

use crate::database::Tx;
use crate::events;
use crate::http::Refusal;
use crate::ids::{OrderId, ReturnId};
use crate::orders;
use crate::returns::ReturnError;
use crate::returns::queries::{self, LineChanges, ReturnState};
use crate::statuses::ReturnStatus;

fn state(tx: &Tx<'_>, id: &ReturnId) -> Result<ReturnState, ReturnError> {
    queries::state(tx, id)?.ok_or_else(|| ReturnError::unknown("Return", id))
}

/// Returns the state of a return, which must have one of these statuses.
pub(super) fn state_in(
    tx: &Tx<'_>,
    id: &ReturnId,
    statuses: &[ReturnStatus],
    step: &str,
) -> Result<ReturnState, ReturnError> {
    let state = state(tx, id)?;
    if statuses.contains(&state.status) { Ok(state) } else { Err(refused(state.status, step)) }
}

/// Returns the state of a return, which may move to this status.
pub(super) fn state_before(
    tx: &Tx<'_>,
    id: &ReturnId,
    next: ReturnStatus,
) -> Result<ReturnState, ReturnError> {
    let state = state(tx, id)?;
    let is_allowed = state.status.may_become(next);
    if is_allowed { Ok(state) } else { Err(refused(state.status, next.as_str())) }
}

/// Changes the order's lines, and adds the change to the order's history, with an action for each line.
pub(super) fn change(
    tx: &Tx<'_>,
    (order_id, id): (&OrderId, &ReturnId),
    (kind, action): (&'static str, &str),
    changes: &LineChanges<'_>,
    actor_id: Option<&str>,
) -> Result<(), ReturnError> {
    queries::change_lines(tx, order_id, changes)?;
    let actions = changes.iter().map(|(line_id, change)| {
        json!({
            "action": action,
            "reference": "return",
            "reference_id": id,
            "details": { "reference_id": line_id, "quantity": change.requested.saturating_abs() },
        })
    });
    Ok(orders::record_change(tx, order_id, kind, &actions.collect(), actor_id)?)
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
    orders::transition(tx, order_id, "return", (from, to.as_str()), actor_id)?;
    Ok(events::record(tx, event, &json!({ "order_id": order_id, "return_id": id }))?)
}

fn refused(status: ReturnStatus, step: &str) -> ReturnError {
    let status = status.as_str();
    Refusal::not_allowed(format!("a return that is {status} cannot be {step}")).into()
}
