//! The changes of an order, as admins see them.

use rusqlite::Row;
use serde::Serialize;
use serde_json::Value;

use super::placed_status;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Tx};
use crate::http::ToSchema;
use crate::ids::{OrderChangeId, OrderId, ReturnId};
use crate::orders::OrderError;
use crate::orders::queries::admin_history as queries;

/// A change of an order's terms.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow)]
pub(crate) struct OrderChangeView {
    id: OrderChangeId,
    order_id: OrderId,
    /// The return that made the change.
    #[column(skip)]
    return_id: Option<ReturnId>,
    /// Version of the order after the change.
    #[schema(example = 2)]
    version: i64,
    /// The kind of change: `update_order`, `transfer`, `cancel`, `credit_line`, `item_add`, `return_request`,
    /// `return_receive` or `return_cancel`.
    #[schema(example = "return_request")]
    change_type: String,
    /// Always `confirmed`: changes take effect at once.
    #[schema(example = "confirmed")]
    #[column(skip)]
    status: &'static str,
    #[schema(value_type = Vec<Object>)]
    #[column(json)]
    actions: Value,
    created_by: Option<String>,
    created_at: Timestamp,
    #[column(name = "created_at")]
    confirmed_at: Timestamp,
}

/// Returns the changes of an order, oldest first.
pub(super) fn of_order(tx: &Tx<'_>, id: &OrderId) -> Result<Vec<OrderChangeView>, OrderError> {
    placed_status(tx, id)?;
    Ok(queries::changes(tx, id)?)
}

/// Returns a return's latest change to its order; none if there is none.
pub(crate) fn last_of_return(
    tx: &Tx<'_>,
    id: &OrderId,
    return_id: &ReturnId,
) -> Result<Option<OrderChangeView>, Error> {
    queries::last_of_return(tx, id, return_id)
}

impl OrderChangeView {
    /// Reads a change, and sets the fields that are not stored.
    pub(in crate::orders) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let stored = Self::from_row(row)?;
        Ok(Self { return_id: return_in(&stored.actions), status: "confirmed", ..stored })
    }
}

/// Returns the return that the actions of a change refer to.
fn return_in(actions: &Value) -> Option<ReturnId> {
    let first = actions.get(0)?;
    let is_return = first.get("reference").is_some_and(|reference| reference == "return");
    first.get("reference_id").filter(|_| is_return)?.as_str()?.parse().ok()
}
