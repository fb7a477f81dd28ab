//! The steps of a return before the items arrive: open, add items, request, cancel.

use crate::database::{Tx, first_missing};
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnReasonId, StockLocationId};
use crate::metadata::Metadata;
use crate::returns::ReturnError;
use crate::returns::pieces;
use crate::returns::queries::{self, LineRow, NewLine, NewReturnRow, ReturnedQuantities};
use crate::statuses::ReturnStatus;

use super::record::{actions, changed, known_location, may_become, note, only_if, state};

#[derive(Debug, Clone)]
pub struct NewReturn {
    /// The order whose items are returned.
    pub order_id: OrderId,
    /// The location that they are returned to; defaults to the one that shipped them.
    pub location_id: Option<StockLocationId>,
    /// Whether to skip the notification of the customer.
    pub(crate) no_notification: bool,
    pub metadata: Metadata,
    /// The user who opens it.
    pub actor_id: Option<String>,
}

/// Pieces of a line to return.
#[derive(Debug, Clone)]
pub struct Announced {
    pub line_id: OrderLineId,
    pub quantity: i64,
    pub reason_id: Option<ReturnReasonId>,
    pub note: Option<String>,
}

/// Opens an empty return.
///
/// # Errors
/// [`ReturnError`] if the order does not exist or is not placed, or the location does not exist.
pub fn begin(tx: &Tx<'_>, new: NewReturn) -> Result<ReturnId, ReturnError> {
    let NewReturn { order_id, location_id, no_notification, metadata, actor_id } = new;
    let order =
        queries::order(tx, &order_id)?.ok_or_else(|| ReturnError::unknown("Order", &order_id))?;
    pieces::check_order(order.status)?;
    let location_id = match location_id {
        Some(id) => Some(known_location(tx, id)?),
        None => queries::usual_location(tx, &order_id)?,
    };
    let id = ReturnId::new();
    queries::insert(
        tx,
        &NewReturnRow {
            id: &id,
            order_id: &order_id,
            order_version: order.version,
            location_id: location_id.as_ref(),
            no_notification,
            metadata: &metadata,
            created_by: actor_id.as_deref(),
        },
    )?;
    let to = ReturnStatus::Open;
    note(tx, (&order_id, &id), (None, to), actor_id.as_deref(), "return.created")?;
    Ok(id)
}

/// Adds items to an open return; a line that it already has is replaced.
///
/// # Errors
/// [`ReturnError`] if the return is already requested, or the items cannot be returned.
pub fn put_items(tx: &Tx<'_>, id: &ReturnId, announced: &[Announced]) -> Result<(), ReturnError> {
    let state = state(tx, id)?;
    only_if(&state, &[ReturnStatus::Open], "changed")?;
    let lines = queries::lines(tx, &state.order_id)?;
    let quantities: Vec<(&OrderLineId, i64)> =
        announced.iter().map(|one| (&one.line_id, one.quantity)).collect();
    pieces::check_quantities(&quantities, |line_id| left_of(&lines, line_id))?;
    let reasons: Vec<&ReturnReasonId> =
        announced.iter().filter_map(|one| one.reason_id.as_ref()).collect();
    if let Some(unknown) = first_missing::<String>(tx, "return_reason", &reasons)? {
        return Err(ReturnError::unknown("Return reason", &unknown));
    }
    let new: Vec<NewLine> = announced
        .iter()
        .cloned()
        .map(|one| NewLine {
            line_id: one.line_id,
            quantity: one.quantity,
            reason_id: one.reason_id,
            note: one.note,
        })
        .collect();
    queries::put_lines(tx, id, &new)?;
    Ok(())
}

/// Requests a return: its items are awaited from now on.
///
/// # Errors
/// [`ReturnError`] if it has no items, is already requested, or its items can no longer be returned.
pub fn request(tx: &Tx<'_>, id: &ReturnId, actor_id: Option<&str>) -> Result<(), ReturnError> {
    let state = state(tx, id)?;
    may_become(&state, ReturnStatus::Requested)?;
    let lines = queries::lines(tx, &state.order_id)?;
    let returned = queries::return_lines(tx, id)?;
    let quantities: Vec<(&OrderLineId, i64)> =
        returned.iter().map(|line| (&line.line_id, line.progress.quantity)).collect();
    pieces::check_quantities(&quantities, |line_id| left_of(&lines, line_id))?;
    let changes: Vec<(&OrderLineId, ReturnedQuantities)> = returned
        .iter()
        .map(|line| {
            let requested = line.progress.quantity;
            (&line.line_id, ReturnedQuantities { requested, ..ReturnedQuantities::default() })
        })
        .collect();
    queries::change_lines(tx, &state.order_id, &changes)?;
    queries::set_status(tx, id, ReturnStatus::Requested)?;
    changed(tx, &state, "return_request", actions(id, "RETURN_ITEM", &changes), actor_id)?;
    let states = (Some(state.status), ReturnStatus::Requested);
    note(tx, (&state.order_id, id), states, actor_id, "return.requested")
}

/// Cancels a return before any of its items are received.
///
/// # Errors
/// [`ReturnError`] if items are already received, or it is already canceled.
pub fn cancel(tx: &Tx<'_>, id: &ReturnId, actor_id: Option<&str>) -> Result<(), ReturnError> {
    let state = state(tx, id)?;
    may_become(&state, ReturnStatus::Canceled)?;
    if state.status == ReturnStatus::Requested {
        let rows = queries::return_lines(tx, id)?;
        let changes: Vec<(&OrderLineId, ReturnedQuantities)> = rows
            .iter()
            .map(|row| {
                let requested = row.progress.quantity.saturating_neg();
                (&row.line_id, ReturnedQuantities { requested, ..ReturnedQuantities::default() })
            })
            .collect();
        queries::change_lines(tx, &state.order_id, &changes)?;
        changed(
            tx,
            &state,
            "return_cancel",
            actions(id, "CANCEL_RETURN_ITEM", &changes),
            actor_id,
        )?;
    }
    queries::clear_unpacked(tx, id)?;
    queries::set_status(tx, id, ReturnStatus::Canceled)?;
    let states = (Some(state.status), ReturnStatus::Canceled);
    note(tx, (&state.order_id, id), states, actor_id, "return.canceled")
}

fn left_of(lines: &[LineRow], line_id: &OrderLineId) -> Option<i64> {
    lines.iter().find(|line| line.id == *line_id).map(|line| line.pieces.left())
}
