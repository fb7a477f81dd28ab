//! The SQL of reservations.

use rusqlite::named_params;
use serde_json::json;

use crate::database::{Error, FromRow as _, Tx};
use crate::ids::{InventoryItemId, OrderId, OrderLineId};
use crate::inventory::order::OrderReservation;

/// Returns the reservations of an order, including those whose pieces have shipped.
pub(crate) fn of_order(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<OrderReservation>, Error> {
    tx.sql(
        "select id, inventory_item_id as item_id, location_id, line_item_id as line_id, quantity,
                required_quantity as required, allow_backorder as may_backorder, deleted_at is null as is_open
           from reservation
          where order_id = :order and line_item_id is not null
          order by line_item_id, inventory_item_id, id",
    )
    .all(named_params! { ":order": order }, OrderReservation::from_row)
}

/// Inserts new reservations and updates changed ones.
pub(crate) fn save(tx: &Tx<'_>, order: &OrderId, rows: &[OrderReservation]) -> Result<(), Error> {
    let rows: serde_json::Value = rows
        .iter()
        .map(|reservation| {
            json!({
                "id": reservation.id, "item": reservation.item_id, "location": reservation.location_id, "line": reservation.line_id,
                "quantity": reservation.quantity, "required": reservation.required, "backorder": reservation.may_backorder,
                "open": reservation.is_open,
            })
        })
        .collect();
    tx.sql(
        "insert into reservation
           (id, inventory_item_id, location_id, line_item_id, order_id, quantity, required_quantity,
            allow_backorder, deleted_at, created_at, updated_at)
         select value ->> 'id', value ->> 'item', value ->> 'location', value ->> 'line', :order,
                value ->> 'quantity', value ->> 'required', value ->> 'backorder',
                iif(value ->> 'open', null, :now), :now, :now
           from json_each(:rows) where true
             on conflict (id) do update
            set quantity = excluded.quantity, deleted_at = excluded.deleted_at, updated_at = excluded.updated_at",
    )
    .run(named_params! { ":rows": rows.to_string(), ":order": order, ":now": tx.now() })
}

/// Closes the open reservations of an order.
pub(crate) fn close(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    tx.sql(
        "update reservation set deleted_at = :now, updated_at = :now
          where order_id = :order and deleted_at is null",
    )
    .run(named_params! { ":order": order, ":now": tx.now() })
}

/// Returns the order of a line that has or had reservations, whether the order may still be fulfilled, and the pieces of
/// an item in one piece of the line.
pub(crate) fn order_of_line(
    tx: &Tx<'_>,
    line: &OrderLineId,
    item: &InventoryItemId,
) -> Result<Option<(OrderId, bool, i64)>, Error> {
    tx.sql(
        "select o.id, o.status not in ('draft', 'canceled', 'archived'),
                coalesce(max(r.required_quantity) filter (where r.inventory_item_id = :item), 1)
           from reservation r join orders o on o.id = r.order_id
          where r.line_item_id = :line
          group by o.id",
    )
    .first(named_params! { ":line": line, ":item": item }, |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}
