//! An order's history: its steps and its changes.

use rusqlite::named_params;
use serde_json::Value;

use crate::clock::Timestamp;
use crate::database::{Error, Stored, Tx};
use crate::ids::{OrderChangeId, OrderId};
use crate::orders::history::{OrderChange, Transition};

/// Writes a step of an order.
pub(in crate::orders) fn insert_transition(
    tx: &Tx<'_>,
    order_id: &OrderId,
    transition: &Transition<'_>,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into order_transition (order_id, aspect, from_state, to_state, actor_id, created_at)
         values (:order_id, :aspect, :from, :to, :actor_id, :now)",
    )?
    .execute(named_params! {
        ":order_id": order_id,
        ":aspect": transition.aspect,
        ":from": transition.from,
        ":to": transition.to,
        ":actor_id": transition.actor_id,
        ":now": tx.now(),
    })?;
    Ok(())
}

/// Counts one more change of an order.
pub(in crate::orders) fn raise_version(tx: &Tx<'_>, order_id: &OrderId) -> Result<(), Error> {
    tx.prepare_cached(
        "update orders set version = version + 1, updated_at = :now where id = :order_id",
    )?
    .execute(named_params! { ":order_id": order_id, ":now": tx.now() })?;
    Ok(())
}

/// Writes a change of an order under its version.
pub(in crate::orders) fn insert_change(
    tx: &Tx<'_>,
    order_id: &OrderId,
    change: &OrderChange<'_>,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into order_change (id, order_id, version, change_type, actions, created_by, created_at)
         select :id, orders.id, orders.version, :change_type, :actions, :created_by, :now
           from orders where orders.id = :order_id",
    )?
    .execute(named_params! {
        ":id": OrderChangeId::new(),
        ":order_id": order_id,
        ":change_type": change.kind,
        ":actions": change.actions.to_string(),
        ":created_by": change.actor_id,
        ":now": tx.now(),
    })?;
    Ok(())
}

/// A change as it is stored.
#[derive(Debug, Clone)]
pub(in crate::orders) struct ChangeRow {
    pub(in crate::orders) id: OrderChangeId,
    /// The order's version after it.
    pub(in crate::orders) version: i64,
    /// What kind.
    pub(in crate::orders) change_type: String,
    /// What was done.
    pub(in crate::orders) actions: Value,
    pub(in crate::orders) created_by: Option<String>,
    pub(in crate::orders) created_at: Timestamp,
}

/// The changes of an order, the first one first.
pub(in crate::orders) fn changes(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<ChangeRow>, Error> {
    let mut statement = tx.prepare_cached(
        "select id, version, change_type, actions, created_by, created_at from order_change
          where order_id = :order_id order by version, id",
    )?;
    let rows = statement.query_map(named_params! { ":order_id": order_id }, |row| {
        Ok(ChangeRow {
            id: row.get(0)?,
            version: row.get(1)?,
            change_type: row.get(2)?,
            actions: row.get::<_, Stored<Value>>(3)?.0,
            created_by: row.get(4)?,
            created_at: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
