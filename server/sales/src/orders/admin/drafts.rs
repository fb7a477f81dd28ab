//! Draft orders of administrators, which are not placed yet. They reserve no stock and use no promotion, and lists of
//! orders omit them; checkout creates and places them.

use super::placed_status;
use crate::database::Tx;
use crate::http::{Refusal, Selection};
use crate::ids::OrderId;
use crate::orders::order::Order;
use crate::orders::queries::lookup;
use crate::orders::view::{self, OrderView};
use crate::orders::{OrderError, discard};

/// Returns the draft.
///
/// # Errors
/// [`OrderError::Refused`] for a placed order; [`OrderError::NotFound`].
pub fn find(tx: &Tx<'_>, id: &OrderId) -> Result<Order, OrderError> {
    if let Some(draft) = lookup::draft(tx, id)? {
        return Ok(draft);
    }
    placed_status(tx, id)?;
    let message = format!(
        "order `{id}` is no draft any more: cancel it, or complete and archive it, instead"
    );
    Err(Refusal::not_allowed(message).into())
}

/// Returns the draft with the selected fields. A placed order is not a draft and is not found.
pub fn view(tx: &Tx<'_>, id: &OrderId, selection: &Selection) -> Result<OrderView, OrderError> {
    let draft = lookup::draft(tx, id)?.ok_or_else(|| OrderError::NotFound(id.clone()))?;
    view::view(tx, draft, selection)
}

pub fn delete(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    find(tx, id)?;
    discard(tx, id)
}
