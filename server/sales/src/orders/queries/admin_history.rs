//! Statements on an order's history: its transitions and changes.

use rusqlite::{named_params, params};
use serde_json::Value;

use crate::database::{Error, Tx};
use crate::ids::{OrderChangeId, OrderId, ReturnId};
use crate::orders::admin::changes::OrderChangeView;

/// Inserts a transition of an order at the transaction's instant. `aspect` is `status`, `payment`, `fulfillment` or
/// `return`; `actor_id` is the user who caused it, if known.
pub(crate) fn transition(
    tx: &Tx<'_>,
    order_id: &OrderId,
    aspect: &'static str,
    (from, to): (Option<&'static str>, &'static str),
    actor_id: Option<&str>,
) -> Result<(), Error> {
    tx.sql(
        "insert into order_transition (order_id, aspect, from_state, to_state, actor_id, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6)",
    )
    .run(params![order_id, aspect, from, to, actor_id, tx.now()])
}

/// Increments an order's version, and inserts a change of its terms under it. `kind` is such as `return_request`;
/// `actor_id` is the user who caused it, if known.
pub(crate) fn record_change(
    tx: &Tx<'_>,
    order_id: &OrderId,
    kind: &'static str,
    actions: &Value,
    actor_id: Option<&str>,
) -> Result<(), Error> {
    tx.sql("update orders set version = version + 1, updated_at = :now where id = :order_id")
        .run(named_params! { ":order_id": order_id, ":now": tx.now() })?;
    tx.sql(
        "insert into order_change (id, order_id, version, change_type, actions, created_by, created_at)
         select :id, orders.id, orders.version, :change_type, :actions, :created_by, :now
           from orders where orders.id = :order_id",
    )
    .run(named_params! {
        ":id": OrderChangeId::new(),
        ":order_id": order_id,
        ":change_type": kind,
        ":actions": actions.to_string(),
        ":created_by": actor_id,
        ":now": tx.now(),
    })
}

/// Returns the changes of an order, oldest first.
pub(crate) fn changes(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<OrderChangeView>, Error> {
    tx.sql("select * from order_change where order_id = :order_id order by version, id")
        .all(named_params! { ":order_id": order_id }, OrderChangeView::read)
}

/// Returns the last change of an order whose actions refer to a return.
pub(crate) fn last_of_return(
    tx: &Tx<'_>,
    order_id: &OrderId,
    return_id: &ReturnId,
) -> Result<Option<OrderChangeView>, Error> {
    tx.sql(
        "select * from order_change
          where order_id = :order_id
            and exists (select 1 from json_each(actions) where value ->> 'reference_id' = :return_id)
          order by version desc, id desc limit 1",
    )
    .first(
        named_params! { ":order_id": order_id, ":return_id": return_id },
        OrderChangeView::read,
    )
}
