//! The steps of a return before the items arrive: open, add items, request, cancel.

use crate::database::{Table as _, Tx, first_missing};
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnReasonId, StockLocationId};
use crate::inventory::StockLocation;
use crate::metadata::Metadata;
use crate::returns::queries::{self, LineChanges, LineRow, ReturnLineRow, ReturnedQuantities};
use crate::returns::{ReturnError, pieces};
use crate::statuses::ReturnStatus;

use super::record::{change, note, state_before, state_in};

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
pub fn begin(tx: &Tx<'_>, mut new: NewReturn) -> Result<ReturnId, ReturnError> {
    let order = queries::order(tx, &new.order_id)?;
    let order = order.ok_or_else(|| ReturnError::unknown("Order", &new.order_id))?;
    pieces::check_order(order.status)?;
    new.location_id = match new.location_id {
        Some(id) => Some(StockLocation::require::<ReturnError>(tx, &id)?.id),
        None => queries::usual_location(tx, &new.order_id)?,
    };
    let id = ReturnId::new();
    queries::insert(tx, &id, &new, order.version)?;
    let (states, actor_id) = ((None, ReturnStatus::Open), new.actor_id.as_deref());
    note(tx, (&new.order_id, &id), states, actor_id, "return.created")?;
    Ok(id)
}

/// Adds items to an open return; a line that it already has is replaced.
///
/// # Errors
/// [`ReturnError`] if the return is already requested, or the items cannot be returned.
pub fn put_items(tx: &Tx<'_>, id: &ReturnId, announced: &[Announced]) -> Result<(), ReturnError> {
    let state = state_in(tx, id, &[ReturnStatus::Open], "changed")?;
    let lines = queries::lines(tx, &state.order_id)?;
    let quantities: Vec<(&OrderLineId, i64)> =
        announced.iter().map(|one| (&one.line_id, one.quantity)).collect();
    pieces::check_quantities(&quantities, |line_id| left_of(&lines, line_id))?;
    let reasons: Vec<&ReturnReasonId> =
        announced.iter().filter_map(|one| one.reason_id.as_ref()).collect();
    if let Some(unknown) = first_missing::<String>(tx, "return_reason", &reasons)? {
        return Err(ReturnError::unknown("Return reason", &unknown));
    }
    Ok(queries::put_lines(tx, id, announced)?)
}

/// Requests a return: its items are awaited from now on.
///
/// # Errors
/// [`ReturnError`] if it has no items, is already requested, or its items can no longer be returned.
pub fn request(tx: &Tx<'_>, id: &ReturnId, actor_id: Option<&str>) -> Result<(), ReturnError> {
    let state = state_before(tx, id, ReturnStatus::Requested)?;
    let lines = queries::lines(tx, &state.order_id)?;
    let returned = queries::return_lines(tx, id)?;
    let quantities: Vec<(&OrderLineId, i64)> =
        returned.iter().map(|line| (&line.line_id, line.progress.quantity)).collect();
    pieces::check_quantities(&quantities, |line_id| left_of(&lines, line_id))?;
    let changes = requested(&returned, |quantity| quantity);
    change(tx, (&state.order_id, id), ("return_request", "RETURN_ITEM"), &changes, actor_id)?;
    queries::set_status(tx, id, ReturnStatus::Requested)?;
    let states = (Some(state.status), ReturnStatus::Requested);
    note(tx, (&state.order_id, id), states, actor_id, "return.requested")
}

/// Cancels a return before any of its items are received.
///
/// # Errors
/// [`ReturnError`] if items are already received, or it is already canceled.
pub fn cancel(tx: &Tx<'_>, id: &ReturnId, actor_id: Option<&str>) -> Result<(), ReturnError> {
    let state = state_before(tx, id, ReturnStatus::Canceled)?;
    if state.status == ReturnStatus::Requested {
        let rows = queries::return_lines(tx, id)?;
        let changes = requested(&rows, i64::saturating_neg);
        let words = ("return_cancel", "CANCEL_RETURN_ITEM");
        change(tx, (&state.order_id, id), words, &changes, actor_id)?;
    }
    queries::clear_unpacked(tx, id)?;
    queries::set_status(tx, id, ReturnStatus::Canceled)?;
    let states = (Some(state.status), ReturnStatus::Canceled);
    note(tx, (&state.order_id, id), states, actor_id, "return.canceled")
}

/// Returns the changes of the requested pieces, by the quantity of each line.
fn requested(rows: &[ReturnLineRow], change: fn(i64) -> i64) -> LineChanges<'_> {
    rows.iter()
        .map(|row| {
            let requested = change(row.progress.quantity);
            (&row.line_id, ReturnedQuantities { requested, ..ReturnedQuantities::default() })
        })
        .collect()
}

fn left_of(lines: &[LineRow], line_id: &OrderLineId) -> Option<i64> {
    lines.iter().find(|line| line.id == *line_id).map(|line| line.pieces.left())
}
