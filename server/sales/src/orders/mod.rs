//! Orders: what was bought, and how far its payment and its delivery have come.
//!
//! [`place()`] writes an order, with everything in it, in the caller's transaction. While its payment is being asked
//! for it is a draft, which no list and no route shows; [`confirm`] makes it an order and tells it, [`discard`] takes
//! it away. What an administrator offers is a draft too, of its own kind: it holds nothing, and only its own routes show
//! it, [`admin::drafts`]. After payments or fulfillments of an order have changed, [`settle()`] works out where it stands, in the same
//! transaction. [`view::views`] is what routes answer.
//!
//! Invariants: a cart gives one order at most; what was ordered and what it cost never changes afterwards; a state
//! moves only along the edges of [`crate::statuses`], and every step is kept.

pub mod admin;
mod error;
pub mod history;
mod import;
pub mod money;
pub mod order;
mod place;
mod queries;
mod refund_parts;
mod routes;
mod settle;
#[cfg(test)]
mod tests;
pub mod view;

pub use error::OrderError;
pub use import::{ImportedProgress, import};
pub use place::place;
pub use settle::{change_status, confirm, discard, settle};

use utoipa_axum::router::OpenApiRouter;

use crate::database::Tx;
use crate::http::Selection;
use crate::ids::OrderId;
use crate::state::AppState;
use crate::statuses::OrderStatus;
use view::OrderView;

/// Orders on the store's side and on the admins'.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router().merge(admin::router())
}

/// An order under its key.
pub(crate) type OrderResponse = crate::http::One<OrderView>;

/// An order with what `selection` asks for; a draft is no order.
pub fn show(tx: &Tx<'_>, id: &OrderId, selection: &Selection) -> Result<OrderView, OrderError> {
    let order = queries::lookup::order(tx, id)?
        .filter(|order| order.status != OrderStatus::Draft)
        .ok_or_else(|| OrderError::NotFound(id.clone()))?;
    view::views(tx, vec![order], selection)?.pop().ok_or_else(|| OrderError::NotFound(id.clone()))
}
