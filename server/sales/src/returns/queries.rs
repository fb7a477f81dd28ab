//! The SQL of returns, and of what is shown of returned lines.

use rusqlite::named_params;
use serde_json::{Value, json};

use super::pieces::{Progress, Returnable};
use super::steps::{Announced, NewReturn};
use super::view::ReturnedLineView;
use crate::database::{Error, FromRow, Tx};
use crate::ids::{
    self, ById, OrderId, OrderLineId, ReturnId, ReturnLineId, StockLocationId, VariantId,
};
use crate::orders::view::{DetailRow, DetailView};
use crate::statuses::{OrderStatus, ReturnStatus};

/// The columns of an order that returns need.
#[derive(Debug, FromRow)]
pub(crate) struct OrderRow {
    pub(crate) status: OrderStatus,
    /// The number of its changes.
    pub(crate) version: i64,
}

pub(crate) fn order(tx: &Tx<'_>, id: &OrderId) -> Result<Option<OrderRow>, Error> {
    tx.sql("select status, version from orders where id = :id")
        .first(named_params! { ":id": id }, OrderRow::from_row)
}

/// A line of an order.
#[derive(Debug, FromRow)]
pub(crate) struct LineRow {
    pub(crate) id: OrderLineId,
    pub(crate) variant_id: Option<VariantId>,
    #[column(flatten)]
    pub(crate) pieces: Returnable,
}

pub(crate) fn lines(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<LineRow>, Error> {
    tx.sql(
        "select id, variant_id, quantity, shipped_quantity, return_requested_quantity, return_received_quantity,
                return_dismissed_quantity, total_minor
           from order_line where order_id = :order_id order by position",
    )
    .all(named_params! { ":order_id": order_id }, LineRow::from_row)
}

/// The columns of a return that its steps need.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct ReturnState {
    pub(crate) order_id: OrderId,
    pub(crate) status: ReturnStatus,
    pub(crate) location_id: Option<StockLocationId>,
}

/// Returns the return, if it exists.
pub(crate) fn state(tx: &Tx<'_>, id: &ReturnId) -> Result<Option<ReturnState>, Error> {
    tx.sql("select order_id, status, location_id from order_return where id = :id")
        .first(named_params! { ":id": id }, ReturnState::from_row)
}

/// Inserts an open return; `order_version` is the order's version at present.
pub(crate) fn insert(
    tx: &Tx<'_>,
    id: &ReturnId,
    new: &NewReturn,
    order_version: i64,
) -> Result<(), Error> {
    tx.sql(
        "insert into order_return (id, order_id, display_id, status, location_id, order_version, no_notification,
                                   created_by, metadata, created_at, updated_at)
         values (:id, :order_id, (select coalesce(max(display_id), 0) + 1 from order_return), 'open', :location_id,
                 :order_version, :no_notification, :created_by, :metadata, :now, :now)",
    )
    .run(named_params! {
        ":id": id,
        ":order_id": new.order_id,
        ":order_version": order_version,
        ":location_id": new.location_id,
        ":no_notification": new.no_notification,
        ":created_by": new.actor_id,
        ":metadata": new.metadata,
        ":now": tx.now(),
    })
}

/// Returns the location of an order's first fulfillment from one that still exists, else the store's default location.
pub(crate) fn usual_location(
    tx: &Tx<'_>,
    order_id: &OrderId,
) -> Result<Option<StockLocationId>, Error> {
    tx.sql(
        "select coalesce(
            (select l.id from fulfillment f
               join stock_location l on l.id = f.location_id and l.deleted_at is null
              where f.order_id = :order_id and f.canceled_at is null
              order by f.created_at, f.id limit 1),
            (select l.id from store s
               join stock_location l on l.id = s.default_location_id and l.deleted_at is null
              order by s.id limit 1))",
    )
    .one(named_params! { ":order_id": order_id }, |row| row.get(0))
}

#[derive(Debug, FromRow)]
pub(crate) struct ReturnLineRow {
    pub(crate) line_id: OrderLineId,
    /// The pieces received and damaged so far.
    #[column(flatten)]
    pub(crate) progress: Progress,
    /// Pieces unpacked undamaged, to be received when the receipt is confirmed.
    pub(crate) receiving_quantity: i64,
    /// Pieces unpacked damaged, to be dismissed when the receipt is confirmed.
    pub(crate) dismissing_quantity: i64,
}

pub(crate) fn return_lines(tx: &Tx<'_>, id: &ReturnId) -> Result<Vec<ReturnLineRow>, Error> {
    tx.sql(
        "select line_id, quantity, received_quantity, damaged_quantity, receiving_quantity, dismissing_quantity
           from order_return_line where return_id = :id order by id",
    )
    .all(named_params! { ":id": id }, ReturnLineRow::from_row)
}

/// Inserts or replaces lines of a return.
pub(crate) fn put_lines(tx: &Tx<'_>, id: &ReturnId, lines: &[Announced]) -> Result<(), Error> {
    let rows = lines.iter().map(|line| {
        json!([ReturnLineId::new(), line.line_id, line.quantity, line.reason_id, line.note])
    });
    tx.sql(
        "insert into order_return_line (id, return_id, line_id, quantity, reason_id, note, created_at, updated_at)
         select value ->> 0, :id, value ->> 1, value ->> 2, value ->> 3, value ->> 4, :now, :now
           from json_each(:rows) where true
         on conflict (return_id, line_id) do update
            set quantity = excluded.quantity, reason_id = excluded.reason_id, note = excluded.note,
                updated_at = excluded.updated_at",
    )
    .run(named_params! {
        ":id": id, ":rows": rows.collect::<Value>().to_string(), ":now": tx.now(),
    })
}

/// Moves a return to a status and sets the status's timestamp.
pub(crate) fn set_status(tx: &Tx<'_>, id: &ReturnId, status: ReturnStatus) -> Result<(), Error> {
    tx.sql(
        "update order_return
            set status = :status, updated_at = :now,
                requested_at = case when :status = 'requested' then :now else requested_at end,
                received_at = case when :status in ('partially_received', 'received') then :now else received_at end,
                canceled_at = case when :status = 'canceled' then :now else canceled_at end
          where id = :id",
    )
    .run(named_params! { ":id": id, ":status": status.as_str(), ":now": tx.now() })
}

/// Sets the location that the items are returned to.
pub(crate) fn set_location(
    tx: &Tx<'_>,
    id: &ReturnId,
    location_id: &StockLocationId,
) -> Result<(), Error> {
    tx.sql("update order_return set location_id = :location_id, updated_at = :now where id = :id")
        .run(named_params! { ":id": id, ":location_id": location_id, ":now": tx.now() })
}

/// Sets the unpacked pieces of a return, undamaged or damaged.
pub(crate) fn set_unpacked(
    tx: &Tx<'_>,
    id: &ReturnId,
    pieces: &[(&OrderLineId, i64)],
    is_damaged: bool,
) -> Result<(), Error> {
    tx.sql(
        "update order_return_line
            set receiving_quantity = case when :is_damaged then receiving_quantity else moved.quantity end,
                dismissing_quantity = case when :is_damaged then moved.quantity else dismissing_quantity end,
                updated_at = :now
           from (select value ->> 0 as line_id, value ->> 1 as quantity from json_each(:pieces)) moved
          where return_id = :id and order_return_line.line_id = moved.line_id",
    )
    .run(named_params! {
        ":id": id, ":pieces": json!(pieces).to_string(), ":is_damaged": is_damaged, ":now": tx.now(),
    })
}

/// Clears the unpacked pieces that are not confirmed.
pub(crate) fn clear_unpacked(tx: &Tx<'_>, id: &ReturnId) -> Result<(), Error> {
    tx.sql(
        "update order_return_line set receiving_quantity = 0, dismissing_quantity = 0, updated_at = :now
          where return_id = :id",
    )
    .run(named_params! { ":id": id, ":now": tx.now() })
}

/// Counts the unpacked pieces as received or damaged.
pub(crate) fn take_unpacked(tx: &Tx<'_>, id: &ReturnId) -> Result<(), Error> {
    tx.sql(
        "update order_return_line
            set received_quantity = received_quantity + receiving_quantity,
                damaged_quantity = damaged_quantity + dismissing_quantity,
                receiving_quantity = 0, dismissing_quantity = 0, updated_at = :now
          where return_id = :id",
    )
    .run(named_params! { ":id": id, ":now": tx.now() })
}

/// Adds to the amount owed for a return.
pub(crate) fn add_refund(tx: &Tx<'_>, id: &ReturnId, refund_minor: i64) -> Result<(), Error> {
    tx.sql("update order_return set refund_minor = coalesce(refund_minor, 0) + :refund_minor where id = :id")
        .run(named_params! { ":id": id, ":refund_minor": refund_minor })
}

/// The changes of an order line's quantities by a step of a return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReturnedQuantities {
    /// The change of the requested pieces; negative for fewer.
    pub(crate) requested: i64,
    /// The additional pieces returned undamaged.
    pub(crate) received: i64,
    /// The additional pieces returned damaged.
    pub(crate) dismissed: i64,
    /// The additional amount owed to the customer, in minor units.
    pub(crate) refunded_minor: i64,
}

/// Changes of an order's lines.
pub(crate) type LineChanges<'a> = Vec<(&'a OrderLineId, ReturnedQuantities)>;

pub(crate) fn change_lines(
    tx: &Tx<'_>,
    order_id: &OrderId,
    changes: &LineChanges<'_>,
) -> Result<(), Error> {
    let rows = changes.iter().map(|(line_id, change)| {
        let ReturnedQuantities { requested, received, dismissed, refunded_minor } = change;
        json!([line_id, requested, received, dismissed, refunded_minor])
    });
    tx.sql(
        "update order_line
            set return_requested_quantity = return_requested_quantity + (change.value ->> 1),
                return_received_quantity = return_received_quantity + (change.value ->> 2),
                return_dismissed_quantity = return_dismissed_quantity + (change.value ->> 3),
                refunded_minor = refunded_minor + (change.value ->> 4),
                updated_at = :now
           from json_each(:rows) change
          where order_line.order_id = :order_id and order_line.id = change.value ->> 0",
    )
    .run(named_params! {
        ":order_id": order_id, ":rows": rows.collect::<Value>().to_string(), ":now": tx.now(),
    })
}

/// Returns lines of orders with their progress.
pub(crate) fn shown_lines(
    tx: &Tx<'_>,
    orders: &[&OrderId],
    lines: &[&OrderLineId],
) -> Result<ById<(ReturnedLineView, DetailView)>, Error> {
    tx.sql(
        "select l.id, l.order_id, o.version, o.currency, o.placed_at, o.updated_at, l.title, l.subtitle, l.thumbnail,
                l.variant_sku, l.unit_price_minor, l.compare_at_unit_price_minor, l.metadata, l.quantity,
                l.fulfilled_quantity, l.delivered_quantity, l.shipped_quantity,
                l.return_requested_quantity, l.return_received_quantity, l.return_dismissed_quantity,
                l.written_off_quantity
           from order_line l join orders o on o.id = l.order_id
          where l.order_id in (select value from json_each(:orders))
            and l.id in (select value from json_each(:lines))",
    )
    .all(named_params! { ":orders": ids::list(orders), ":lines": ids::list(lines) }, |row| {
        Ok((row.get::<_, OrderLineId>(0)?, (ReturnedLineView::from_row(row)?, DetailRow::from_row(row)?.into())))
    })
}
