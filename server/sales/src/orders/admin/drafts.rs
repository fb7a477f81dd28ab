//! What administrators offer: orders that nobody has placed yet. They hold no stock and no promotion, and no list of
//! orders shows them; how one is made and placed is in checkout.

use super::OrderAdminError;
use super::cancel::placed;
use crate::database::Tx;
use crate::http::Selection;
use crate::ids::OrderId;
use crate::orders::order::Order;
use crate::orders::queries::lookup;
use crate::orders::view::{self, OrderView};
use crate::orders::{OrderError, discard};

/// The draft.
///
/// # Errors
/// [`OrderAdminError::NoDraft`] for an order that is placed; [`OrderError::NotFound`].
pub fn find(tx: &Tx<'_>, id: &OrderId) -> Result<Order, OrderAdminError> {
    if let Some(draft) = lookup::draft(tx, id)? {
        return Ok(draft);
    }
    placed(tx, id)?;
    Err(OrderAdminError::NoDraft(id.clone()))
}

/// The draft with what is asked for of it. A placed order is no draft, and so is not found.
pub fn view(tx: &Tx<'_>, id: &OrderId, selection: &Selection) -> Result<OrderView, OrderError> {
    let unknown = || OrderError::NotFound(id.clone());
    let draft = lookup::draft(tx, id)?.ok_or_else(unknown)?;
    view::views(tx, vec![draft], selection)?.pop().ok_or_else(unknown)
}

/// Takes a draft away.
pub fn delete(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderAdminError> {
    find(tx, id)?;
    Ok(discard(tx, id)?)
}
