//! Statements on an order's history: its transitions and changes.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{OrderChangeId, OrderId, ReturnId};
use crate::orders::admin::changes::OrderChangeView;
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

/// Increments an order's version, and inserts a change under it.
pub(crate) fn record_change(
    tx: &Tx<'_>,
    order_id: &OrderId,
    change: &OrderChange<'_>,
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
        ":change_type": change.kind,
        ":actions": change.actions.to_string(),
        ":created_by": change.actor_id,
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
