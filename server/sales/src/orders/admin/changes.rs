//! The changes of an order, as admins see them.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::OrderAdminError;
use super::placed::placed;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{OrderChangeId, OrderId};
use crate::orders::queries::admin_history as queries;

/// A change of an order's terms.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct OrderChangeView {
    id: OrderChangeId,
    order_id: OrderId,
    /// Version of the order after the change.
    #[schema(example = 2)]
    version: i64,
    /// The kind of change: `update_order`, `transfer`, `cancel`, `credit_line`, `item_add`, `return_request` or
    /// `return_receive`.
    #[schema(example = "return_request")]
    change_type: String,
    /// Always `confirmed`: changes take effect at once.
    #[schema(example = "confirmed")]
    status: &'static str,
    /// Actions.
    #[schema(value_type = Vec<Object>)]
    actions: Value,
    created_by: Option<String>,
    created_at: Timestamp,
    confirmed_at: Timestamp,
}

/// Returns the changes of an order, oldest first.
pub(super) fn of_order(tx: &Tx<'_>, id: &OrderId) -> Result<Vec<OrderChangeView>, OrderAdminError> {
    placed(tx, id)?;
    let rows = queries::changes(tx, id)?;
    Ok(rows
        .into_iter()
        .map(|row| OrderChangeView {
            id: row.id,
            order_id: id.clone(),
            version: row.version,
            change_type: row.change_type,
            status: "confirmed",
            actions: row.actions,
            created_by: row.created_by,
            created_at: row.created_at,
            confirmed_at: row.created_at,
        })
        .collect())
}
