//! The changes of an order, as admins see them.

use serde::Serialize;
use serde_json::Value;

use super::{OrderAdminError, placed_status};
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::http::ToSchema;
use crate::ids::{OrderChangeId, OrderId, ReturnId};
use crate::orders::queries::admin_history::{self as queries, ChangeRow};

/// A change of an order's terms.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct OrderChangeView {
    id: OrderChangeId,
    order_id: OrderId,
    /// The return that made the change.
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
    status: &'static str,
    #[schema(value_type = Vec<Object>)]
    actions: Value,
    created_by: Option<String>,
    created_at: Timestamp,
    confirmed_at: Timestamp,
}

/// Returns the changes of an order, oldest first.
pub(super) fn of_order(tx: &Tx<'_>, id: &OrderId) -> Result<Vec<OrderChangeView>, OrderAdminError> {
    placed_status(tx, id)?;
    let rows = queries::changes(tx, id)?;
    Ok(rows.into_iter().map(|row| OrderChangeView::of(row, id)).collect())
}

/// Returns a return's latest change to its order; none if there is none.
pub(crate) fn last_of_return(
    tx: &Tx<'_>,
    id: &OrderId,
    return_id: &ReturnId,
) -> Result<Option<OrderChangeView>, Error> {
    let row = queries::last_of_return(tx, id, return_id)?;
    Ok(row.map(|row| OrderChangeView::of(row, id)))
}

impl OrderChangeView {
    fn of(row: ChangeRow, order_id: &OrderId) -> Self {
        Self {
            id: row.id,
            order_id: order_id.clone(),
            return_id: return_in(&row.actions),
            version: row.version,
            change_type: row.change_type,
            status: "confirmed",
            actions: row.actions,
            created_by: row.created_by,
            created_at: row.created_at,
            confirmed_at: row.created_at,
        }
    }
}

/// Returns the return that the actions of a change refer to.
fn return_in(actions: &Value) -> Option<ReturnId> {
    let first = actions.get(0)?;
    let is_return = first.get("reference").is_some_and(|reference| reference == "return");
    first.get("reference_id").filter(|_| is_return)?.as_str()?.parse().ok()
}
