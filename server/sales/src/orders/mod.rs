//! Orders: their items and amounts, and the progress of payment and fulfillment.
//!
//! [`place()`] writes a whole order in the caller's transaction. While its payment is pending the order is a draft that
//! no list and no route returns; [`confirm`] places it and records the event, [`discard`] deletes it. A draft order of
//! an administrator is another kind of draft: it reserves nothing, and only the routes of [`admin::drafts`] return it.
//! After payments or fulfillments of an order have changed, [`settle()`] recomputes its statuses in the same
//! transaction. [`view::views`] builds the responses.
//!
//! Invariants: a cart becomes at most one order; the items of an order never change afterwards, and only paid ones are
//! added ([`addition`]); a status moves only along the edges of [`crate::statuses`], and every transition is recorded.

pub mod access;
pub mod addition;
pub mod admin;
mod convert;
mod error;
pub mod mail;
pub mod money;
pub mod order;
mod place;
mod queries;
mod refund_parts;
pub mod refunding;
pub mod reversal;
mod routes;
mod settle;
#[cfg(test)]
mod tests;
pub mod view;

pub use convert::{discard_draft, of_cart, place_draft};
pub use error::OrderError;
pub use place::place;
pub(crate) use queries::admin_history::{record_change, transition};
pub(crate) use queries::progress::{STAGE, status};
pub use settle::{ImportedProgress, change_status, confirm, discard, import, settle};

use utoipa_axum::router::OpenApiRouter;

use crate::database::Tx;
use crate::http::Selection;
use crate::ids::OrderId;
use crate::state::AppState;
use view::OrderView;

pub fn router() -> OpenApiRouter<AppState> {
    routes::router().merge(admin::router())
}

/// The response body with one order.
pub(crate) type OrderResponse = crate::http::One<OrderView>;

/// Returns an order with the fields in `selection`; a draft is not found.
pub fn show(tx: &Tx<'_>, id: &OrderId, selection: &Selection) -> Result<OrderView, OrderError> {
    view::view(tx, addition::placed(tx, id)?, selection)
}
