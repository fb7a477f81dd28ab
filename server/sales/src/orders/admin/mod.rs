//! The admin side of orders: lists, corrections, cancellation and archiving.
//!
//! Items of a placed order never change here; only credit lowers what is due ([`credit`]). Start at
//! [`cancel::cancel`] and [`edit::correct`].

pub mod cancel;
pub mod changes;
mod credit;
mod destination;
pub mod drafts;
pub mod edit;
pub mod fulfillments;
mod routes;

use serde_json::json;

use super::order::Order;
use super::queries::admin_history::record_change;
use super::queries::progress;
use super::view::{self, OrderView};
use super::{OrderError, show};
use crate::database::Tx;
use crate::events;
use crate::http::Selection;
use crate::ids::{self, OrderId};
use crate::statuses::OrderStatus;

pub use super::view::shape::{AdminDraftOrders, AdminOrders};
pub use routes::{DraftOrderResponse, router};

/// Returns an order with the fields that an admin selected.
pub(crate) fn order_view(
    tx: &Tx<'_>,
    id: &OrderId,
    selection: &Selection,
) -> Result<OrderView, OrderError> {
    let mut view = show(tx, id, selection)?;
    attach(tx, std::slice::from_mut(&mut view), selection)?;
    Ok(view)
}

/// Returns a page of orders with the fields that an admin selected.
pub(crate) fn order_views(
    tx: &Tx<'_>,
    orders: Vec<Order>,
    selection: &Selection,
) -> Result<Vec<OrderView>, OrderError> {
    let mut views = view::views(tx, orders, selection)?;
    attach(tx, &mut views, selection)?;
    Ok(views)
}

/// Attaches the data that only admins see.
fn attach(tx: &Tx<'_>, views: &mut [OrderView], selection: &Selection) -> Result<(), OrderError> {
    if selection.wants("transactions") {
        view::attach_transactions(tx, views)?;
    }
    if views.is_empty() || !selection.wants("fulfillments") {
        return Ok(());
    }
    let ids = ids::list(views.iter().map(|view| &view.id));
    let mut found = fulfillments::of_orders(tx, &ids, selection)?;
    for view in views {
        view.fulfillments = found.take(&view.id);
    }
    Ok(())
}

/// Returns an order's status. An order that still awaits its payment is not found.
fn placed_status(tx: &Tx<'_>, id: &OrderId) -> Result<OrderStatus, OrderError> {
    let status = progress::status(tx, id)?.filter(|status| *status != OrderStatus::Draft);
    status.ok_or_else(|| OrderError::NotFound(id.clone()))
}

fn record_event(tx: &Tx<'_>, event: &'static str, id: &OrderId) -> Result<(), OrderError> {
    Ok(events::record(tx, event, &json!({ "id": id }))?)
}
