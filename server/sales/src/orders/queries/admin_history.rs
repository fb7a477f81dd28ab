//! Statements on an order's history: its transitions and changes.

use rusqlite::named_params;
use serde_json::Value;

use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Tx};
use crate::ids::{OrderChangeId, OrderId, ReturnId};
use crate::orders::history::{OrderChange, Transition};

pub(crate) fn insert_transition(
    tx: &Tx<'_>,
    order_id: &OrderId,
    transition: &Transition<'_>,
) -> Result<(), Error> {
    tx.insert(
        "order_transition",
        named_params! {
            ":order_id": order_id, ":aspect": transition.aspect, ":from_state": transition.from,
            ":to_state": transition.to, ":actor_id": transition.actor_id, ":created_at": tx.now(),
        },
    )
}

/// Increments an order's version.
pub(crate) fn raise_version(tx: &Tx<'_>, order_id: &OrderId) -> Result<(), Error> {
    tx.sql("update orders set version = version + 1, updated_at = :now where id = :order_id")
        .run(named_params! { ":order_id": order_id, ":now": tx.now() })
}

/// Inserts a change of an order under the order's current version.
pub(crate) fn insert_change(
    tx: &Tx<'_>,
    order_id: &OrderId,
    change: &OrderChange<'_>,
) -> Result<(), Error> {
    tx.sql(
        "insert into order_change (id, order_id, version, change_type, actions, created_by, created_at)
         select :id, orders.id, orders.version, :change_type, :actions, :created_by, :now
           from orders where orders.id = :order_id",
    )
    .run(named_params! {
        ":id": OrderChangeId::new(),
        ":order_id": order_id,
        ":change_type": change.kind,
        ":actions": change.actions.to_string(),
        ":created_by": change.actor_id,
        ":now": tx.now(),
    })
}

/// A stored change.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct ChangeRow {
    pub(crate) id: OrderChangeId,
    /// The order's version after the change.
    pub(crate) version: i64,
    pub(crate) change_type: String,
    #[column(json)]
    pub(crate) actions: Value,
    pub(crate) created_by: Option<String>,
    pub(crate) created_at: Timestamp,
}

/// Returns the changes of an order, oldest first.
pub(crate) fn changes(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<ChangeRow>, Error> {
    tx.sql(
        "select id, version, change_type, actions, created_by, created_at from order_change
          where order_id = :order_id order by version, id",
    )
    .all(named_params! { ":order_id": order_id }, ChangeRow::from_row)
}

/// Returns the last change of an order whose actions refer to a return.
pub(crate) fn last_of_return(
    tx: &Tx<'_>,
    order_id: &OrderId,
    return_id: &ReturnId,
) -> Result<Option<ChangeRow>, Error> {
    tx.sql(
        "select id, version, change_type, actions, created_by, created_at from order_change
          where order_id = :order_id
            and exists (select 1 from json_each(actions) where value ->> 'reference_id' = :return_id)
          order by version desc, id desc limit 1",
    )
    .first(
        named_params! { ":order_id": order_id, ":return_id": return_id },
        ChangeRow::from_row,
    )
}
