//! The steps for arriving items: unpack, then confirm.

use crate::database::{Table as _, Tx};
use crate::ids::{OrderLineId, ReturnId, StockLocationId, VariantId};
use crate::inventory::{self, StockLocation};
use crate::proportion::add;
use crate::returns::ReturnError;
use crate::returns::pieces::{self, Progress};
use crate::returns::queries::{self, LineChanges, LineRow, ReturnLineRow, ReturnedQuantities};
use crate::statuses::ReturnStatus;

use super::record::{change, note, state_in};

/// The reason of stock movements caused by returns.
const MOVEMENT: &str = "return";

/// The statuses in which items are awaited.
const AWAITED: &[ReturnStatus] = &[ReturnStatus::Requested, ReturnStatus::PartiallyReceived];

/// A return whose items were received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub id: ReturnId,
    /// The amount owed to the customer for the items received this time, in minor units of the order's currency.
    pub refund_minor: i64,
}

/// Starts unpacking a requested return; unpacked pieces that are not confirmed are discarded.
///
/// # Errors
/// [`ReturnError`] if no items are awaited.
pub fn begin_receipt(
    tx: &Tx<'_>,
    id: &ReturnId,
    location_id: Option<StockLocationId>,
) -> Result<(), ReturnError> {
    state_in(tx, id, AWAITED, "received")?;
    if let Some(location_id) = location_id {
        StockLocation::require::<ReturnError>(tx, &location_id)?;
        queries::set_location(tx, id, &location_id)?;
    }
    Ok(queries::clear_unpacked(tx, id)?)
}

/// Records pieces of a return as unpacked, undamaged or damaged; confirming the receipt applies them. Another call for
/// the same line replaces its quantity.
///
/// # Errors
/// [`ReturnError`] if no items are awaited, or fewer than were unpacked.
pub fn unpack(
    tx: &Tx<'_>,
    id: &ReturnId,
    unpacked: &[(OrderLineId, i64)],
    is_damaged: bool,
) -> Result<(), ReturnError> {
    state_in(tx, id, AWAITED, "received")?;
    let lines = queries::return_lines(tx, id)?;
    let quantities: Vec<(&OrderLineId, i64)> =
        unpacked.iter().map(|(line_id, quantity)| (line_id, *quantity)).collect();
    pieces::check_quantities(&quantities, |line_id| {
        let line = lines.iter().find(|line| line.line_id == *line_id)?;
        let other = if is_damaged { line.receiving_quantity } else { line.dismissing_quantity };
        Some(line.progress.left().saturating_sub(other).max(0))
    })?;
    Ok(queries::set_unpacked(tx, id, &quantities, is_damaged)?)
}

/// Confirms the unpacked pieces: undamaged ones are restocked, and the customer is owed their value.
///
/// # Errors
/// [`ReturnError`] if nothing is unpacked.
pub fn confirm_receipt(
    tx: &Tx<'_>,
    id: &ReturnId,
    actor_id: Option<&str>,
) -> Result<Received, ReturnError> {
    let state = state_in(tx, id, AWAITED, "received")?;
    let rows = queries::return_lines(tx, id)?;
    let lines = queries::lines(tx, &state.order_id)?;
    let (changes, refund_minor) = receipt(&rows, &lines)?;
    let words = ("return_receive", "RECEIVE_ITEM");
    change(tx, (&state.order_id, id), words, &changes, actor_id)?;
    queries::take_unpacked(tx, id)?;
    queries::add_refund(tx, id, refund_minor)?;
    let location_id = match &state.location_id {
        Some(location_id) if StockLocation::find(tx, location_id)?.is_some() => {
            Some(location_id.clone())
        }
        Some(_) | None => queries::usual_location(tx, &state.order_id)?,
    };
    if let Some(location_id) = location_id {
        let back = back_in_stock(&changes, &lines);
        inventory::restock(tx, &location_id, &back, MOVEMENT, Some(id.as_str()))?;
    }
    let status = pieces::status_of(&rows.iter().map(after_receipt).collect::<Vec<_>>());
    queries::set_status(tx, id, status)?;
    note(tx, (&state.order_id, id), (Some(state.status), status), actor_id, "return.received")?;
    Ok(Received { id: id.clone(), refund_minor })
}

/// Returns the changes of the order's lines, and the amount owed to the customer, in minor units.
fn receipt<'a>(
    rows: &'a [ReturnLineRow],
    lines: &[LineRow],
) -> Result<(LineChanges<'a>, i64), ReturnError> {
    let mut changes = Vec::with_capacity(rows.len());
    let mut refund_minor = 0;
    for row in rows {
        let (received, dismissed) = (row.receiving_quantity, row.dismissing_quantity);
        let unpacked = add(received, dismissed)?;
        if unpacked == 0 {
            continue;
        }
        let line = lines.iter().find(|line| line.id == row.line_id);
        let line = line.ok_or_else(|| pieces::no_item(&row.line_id))?;
        let refunded_minor = line.pieces.value_of(received)?;
        refund_minor = add(refund_minor, refunded_minor)?;
        let requested = unpacked.saturating_neg();
        changes.push((
            &row.line_id,
            ReturnedQuantities { requested, received, dismissed, refunded_minor },
        ));
    }
    if changes.is_empty() { Err(pieces::no_pieces()) } else { Ok((changes, refund_minor)) }
}

fn back_in_stock(changes: &LineChanges<'_>, lines: &[LineRow]) -> Vec<(VariantId, i64)> {
    changes
        .iter()
        .filter(|(_, change)| change.received > 0)
        .filter_map(|(line_id, change)| {
            let line = lines.iter().find(|line| line.id == **line_id)?;
            Some((line.variant_id.clone()?, change.received))
        })
        .collect()
}

fn after_receipt(row: &ReturnLineRow) -> Progress {
    let Progress { quantity, received_quantity, damaged_quantity } = row.progress;
    Progress {
        quantity,
        received_quantity: received_quantity.saturating_add(row.receiving_quantity),
        damaged_quantity: damaged_quantity.saturating_add(row.dismissing_quantity),
    }
}
