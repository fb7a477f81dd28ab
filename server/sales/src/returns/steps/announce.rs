//! Returns up to the day the goods arrive: begun, put together, announced, or called off.

use crate::database::Tx;
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnReasonId, StockLocationId};
use crate::metadata::Metadata;
use crate::returns::ReturnError;
use crate::returns::pieces;
use crate::returns::queries::steps::{
    self as queries, LineRow, NewLine, NewReturnRow, ReturnedQuantities,
};
use crate::statuses::ReturnStatus;

use super::{actions, changed, known_location, may_become, note, only_if, state};

/// A return that is about to begin.
#[derive(Debug, Clone)]
pub struct NewReturn {
    /// The order whose goods come back.
    pub order_id: OrderId,
    /// Where they come back to; by default where they came from.
    pub location_id: Option<StockLocationId>,
    /// Whether the customer hears nothing of it.
    pub(crate) no_notification: bool,
    pub metadata: Metadata,
    /// Who begins it.
    pub actor_id: Option<String>,
}

/// Pieces that are announced.
#[derive(Debug, Clone)]
pub struct Announced {
    pub line_id: OrderLineId,
    pub quantity: i64,
    pub reason_id: Option<ReturnReasonId>,
    pub note: Option<String>,
}

/// Begins a return, without any goods in it.
///
/// # Errors
/// [`ReturnError`] if the order is not there or was not placed, or the place does not exist.
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

/// Puts goods into a return that was begun; a line that is in it already is replaced.
///
/// # Errors
/// [`ReturnError`] if the return was announced already, or the goods cannot come back.
pub fn put_items(tx: &Tx<'_>, id: &ReturnId, announced: &[Announced]) -> Result<(), ReturnError> {
    let state = state(tx, id)?;
    only_if(&state, &[ReturnStatus::Open], "changed")?;
    let lines = queries::lines(tx, &state.order_id)?;
    let wanted: Vec<(&OrderLineId, i64)> =
        announced.iter().map(|one| (&one.line_id, one.quantity)).collect();
    pieces::check_quantities(&wanted, |line_id| left_of(&lines, line_id))?;
    let reasons: Vec<&ReturnReasonId> =
        announced.iter().filter_map(|one| one.reason_id.as_ref()).collect();
    if let Some(unknown) = queries::unknown_reason(tx, &reasons)? {
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

/// Announces a return: from now on its goods are awaited.
///
/// # Errors
/// [`ReturnError`] if it has no goods, was announced already, or its goods cannot come back any more.
pub fn request(tx: &Tx<'_>, id: &ReturnId, actor_id: Option<&str>) -> Result<(), ReturnError> {
    let state = state(tx, id)?;
    may_become(&state, ReturnStatus::Requested)?;
    let lines = queries::lines(tx, &state.order_id)?;
    let returned = queries::return_lines(tx, id)?;
    let wanted: Vec<(&OrderLineId, i64)> =
        returned.iter().map(|line| (&line.line_id, line.progress.quantity)).collect();
    pieces::check_quantities(&wanted, |line_id| left_of(&lines, line_id))?;
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

/// Calls a return off before any of it came back.
///
/// # Errors
/// [`ReturnError`] if goods came back already, or it was called off.
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
