//! Orders as admins work with them: found, corrected, called off, put away.
//!
//! What was bought and what it cost never changes here. Start at [`cancel::cancel`] and [`edit::correct`].

pub mod cancel;
pub mod changes;
mod credit;
pub mod drafts;
pub mod edit;
mod error;
pub mod fulfillments;
mod routes;
mod sending;

use super::order::Order;
use super::queries::load;
use super::view::{self, OrderView};
use super::{OrderError, show};
use crate::database::Tx;
use crate::http::Selection;
use crate::ids::OrderId;

pub use super::view::shape::{AdminDraftOrders, AdminOrders};
pub use error::OrderAdminError;
pub use routes::{DraftOrderResponse, router};

/// An order with what an admin asks for of it.
pub(crate) fn order_view(
    tx: &Tx<'_>,
    id: &OrderId,
    selection: &Selection,
) -> Result<OrderView, OrderError> {
    let mut views = vec![show(tx, id, selection)?];
    attach_fulfillments(tx, &mut views, selection)?;
    views.pop().ok_or_else(|| OrderError::NotFound(id.clone()))
}

/// A page of orders with what an admin asks for of them.
pub(crate) fn order_views(
    tx: &Tx<'_>,
    orders: Vec<Order>,
    selection: &Selection,
) -> Result<Vec<OrderView>, OrderError> {
    let mut views = view::views(tx, orders, selection)?;
    attach_fulfillments(tx, &mut views, selection)?;
    Ok(views)
}

fn attach_fulfillments(
    tx: &Tx<'_>,
    views: &mut [OrderView],
    selection: &Selection,
) -> Result<(), OrderError> {
    if views.is_empty() || !selection.wants("fulfillments") {
        return Ok(());
    }
    let ids = load::list(views.iter().map(|view| &view.id));
    let mut found = fulfillments::of_orders(tx, &ids, selection)?;
    for view in views {
        view.fulfillments = found.remove(&view.id).unwrap_or_default();
    }
    Ok(())
}
