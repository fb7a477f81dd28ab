//! The SQL of fulfillments, their pieces and labels, of parcels, and of the progress of order lines.

use std::collections::BTreeMap;

use rusqlite::named_params;

use super::packing::{PackableLine, Pieces};
use super::parcels::Parcel;
use super::steps::{Label, NewFulfillment};
use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Record as _, Stored, Tx};
use crate::ids::{FulfillmentId, OrderId, OrderLineId, StockLocationId};
use crate::orders::STAGE;
use crate::statuses::FulfillmentStage;

/// The columns of a fulfillment that its steps need.
#[derive(Debug, Clone, FromRow)]
pub(super) struct FulfillmentRow {
    pub(super) id: FulfillmentId,
    pub(super) location_id: Option<StockLocationId>,
    pub(super) stage: FulfillmentStage,
}

/// Returns the lines of an order, with the columns that packing needs.
pub(super) fn lines(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<PackableLine>, Error> {
    tx.sql(
        "select id, quantity, fulfilled_quantity, requires_shipping from order_line
          where order_id = :order_id order by position",
    )
    .all(named_params! { ":order_id": order_id }, PackableLine::from_row)
}

/// Returns the most likely location of an order's pieces: where they are reserved, else where other pieces of the order
/// are, else where its channel sells from, else the store's default location.
pub(super) fn usual_location(
    tx: &Tx<'_>,
    order_id: &OrderId,
    pieces: &[Pieces],
) -> Result<Option<StockLocationId>, Error> {
    tx.sql(
        "select coalesce(
            (select location_id from reservation where order_id = :order_id and deleted_at is null
              order by line_item_id in (select value ->> 'line_id' from json_each(:pieces)) desc, id limit 1),
            (select link.stock_location_id from orders
               join stock_location_sales_channel link on link.sales_channel_id = orders.sales_channel_id
               join stock_location on stock_location.id = link.stock_location_id and stock_location.deleted_at is null
              where orders.id = :order_id order by link.stock_location_id limit 1),
            (select default_location_id from store order by id limit 1))",
    )
    .one(named_params! { ":order_id": order_id, ":pieces": Stored(pieces) }, |row| row.get(0))
}

/// Inserts a fulfillment with its pieces. Its shipping option defaults to the order's own, and its provider is the option's.
pub(super) fn insert(
    tx: &Tx<'_>,
    id: &FulfillmentId,
    new: &NewFulfillment,
    requires_shipping: bool,
) -> Result<(), Error> {
    tx.sql(
        "insert into fulfillment (id, order_id, location_id, provider_id, shipping_option_id, requires_shipping,
                                  packed_at, data, metadata, created_by, created_at, updated_at)
         select :id, :order_id, :location_id,
                coalesce((select provider_id from shipping_option where id = way.id), 'manual_manual'), way.id,
                :requires_shipping, :now, '{}', :metadata, :created_by, :now, :now
           from (select coalesce(:shipping_option_id, (select shipping_option_id from order_shipping_method
                          where order_id = :order_id order by id limit 1)) as id) way",
    )
    .run(named_params! {
        ":id": id,
        ":order_id": new.order_id,
        ":location_id": new.location_id,
        ":shipping_option_id": new.shipping_option_id,
        ":requires_shipping": requires_shipping,
        ":metadata": new.metadata,
        ":created_by": new.actor_id,
        ":now": tx.now(),
    })?;
    tx.sql(
        "insert into fulfillment_line (fulfillment_id, line_id, quantity)
         select :id, value ->> 'line_id', value ->> 'quantity' from json_each(:pieces)",
    )
    .run(named_params! { ":id": id, ":pieces": Stored(&new.pieces) })
}

pub(super) fn insert_labels(
    tx: &Tx<'_>,
    id: &FulfillmentId,
    labels: &[Label],
) -> Result<(), Error> {
    tx.sql(
        "insert into fulfillment_label (fulfillment_id, position, tracking_number, tracking_url, label_url)
         select :id, (select count(*) from fulfillment_label where fulfillment_id = :id) + key,
                value ->> 'tracking_number', value ->> 'tracking_url', value ->> 'print_url' from json_each(:labels)",
    )
    .run(named_params! { ":id": id, ":labels": Stored(labels) })
}

pub(super) fn find(
    tx: &Tx<'_>,
    order_id: &OrderId,
    id: &FulfillmentId,
) -> Result<Option<FulfillmentRow>, Error> {
    Ok(of_order(tx, order_id)?.into_iter().find(|row| row.id == *id))
}

/// Returns the fulfillments of an order, oldest first.
pub(super) fn of_order(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<FulfillmentRow>, Error> {
    tx.sql(&format!(
        "select id, location_id, {STAGE}
           from fulfillment where order_id = :order_id order by created_at, id"
    ))
    .all(named_params! { ":order_id": order_id }, FulfillmentRow::from_row)
}

pub(super) fn pieces(tx: &Tx<'_>, id: &FulfillmentId) -> Result<Vec<Pieces>, Error> {
    tx.sql("select line_id, quantity from fulfillment_line where fulfillment_id = :id order by line_id")
        .all(named_params! { ":id": id }, Pieces::from_row)
}

/// Records that a fulfillment reaches a stage now.
pub(super) fn set_stage(
    tx: &Tx<'_>,
    id: &FulfillmentId,
    stage: FulfillmentStage,
) -> Result<(), Error> {
    tx.sql(
        "update fulfillment
            set shipped_at = iif(:stage = 'shipped', :now, shipped_at),
                delivered_at = iif(:stage = 'delivered', :now, delivered_at),
                canceled_at = iif(:stage = 'canceled', :now, canceled_at), updated_at = :now
          where id = :id",
    )
    .run(named_params! { ":id": id, ":stage": stage.as_str(), ":now": tx.now() })
}

/// The factors by which a step changes each count of pieces: 1 adds, -1 subtracts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    /// Packed, that is in fulfillments.
    pub(super) fulfilled: i64,
    pub(super) shipped: i64,
    pub(super) delivered: i64,
}

/// Changes the progress of order lines by the quantity of each piece times the factors of the step.
pub(super) fn advance_lines(
    tx: &Tx<'_>,
    order_id: &OrderId,
    pieces: &[Pieces],
    step: Step,
) -> Result<(), Error> {
    tx.sql(
        "update order_line
            set fulfilled_quantity = fulfilled_quantity + moved.quantity * :fulfilled,
                shipped_quantity = shipped_quantity + moved.quantity * :shipped,
                delivered_quantity = delivered_quantity + moved.quantity * :delivered,
                updated_at = :now
           from (select value ->> 'line_id' as line_id, value ->> 'quantity' as quantity from json_each(:pieces)) moved
          where order_line.order_id = :order_id and order_line.id = moved.line_id",
    )
    .run(named_params! {
        ":order_id": order_id,
        ":pieces": Stored(pieces),
        ":fulfilled": step.fulfilled,
        ":shipped": step.shipped,
        ":delivered": step.delivered,
        ":now": tx.now(),
    })
}

pub(super) fn find_parcel(
    tx: &Tx<'_>,
    order_id: &OrderId,
    tracking_number: &str,
) -> Result<Option<Parcel>, Error> {
    Parcel::select_one(
        tx,
        "where p.order_id = :order_id and p.tracking_number = :tracking_number",
        named_params! { ":order_id": order_id, ":tracking_number": tracking_number },
    )
}

/// Inserts a parcel, or updates the one of its order and number.
pub(super) fn put_parcel(tx: &Tx<'_>, parcel: &Parcel) -> Result<(), Error> {
    let row = named_params! {
        ":order_id": parcel.order_id, ":tracking_number": parcel.tracking_number,
        ":fulfillment_id": parcel.fulfillment_id, ":carrier": parcel.carrier,
        ":tracking_url": parcel.tracking_url, ":state": parcel.state,
        ":shipped_at": parcel.shipped_at, ":delivered_at": parcel.delivered_at,
        ":returned_at": parcel.returned_at, ":created_at": tx.now(), ":updated_at": tx.now(),
    };
    tx.put("parcel", &["order_id", "tracking_number"], &[], row)
}

/// Returns the fulfillment of an order, not canceled, with a label of this tracking number.
pub(super) fn labelled(
    tx: &Tx<'_>,
    order_id: &OrderId,
    tracking_number: &str,
) -> Result<Option<FulfillmentId>, Error> {
    tx.sql(
        "select f.id from fulfillment f
           join fulfillment_label l on l.fulfillment_id = f.id and l.tracking_number = :tracking_number
          where f.order_id = :order_id and f.canceled_at is null
          order by f.created_at, f.id limit 1",
    )
    .first(
        named_params! { ":order_id": order_id, ":tracking_number": tracking_number },
        |row| row.get(0),
    )
}

/// Returns the packed fulfillments of an order without a known parcel, oldest first.
pub(super) fn waiting(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<FulfillmentId>, Error> {
    tx.sql(
        "select f.id from fulfillment f
          where f.order_id = :order_id and f.shipped_at is null and f.delivered_at is null and f.canceled_at is null
            and not exists (select 1 from parcel where parcel.fulfillment_id = f.id)
          order by f.created_at, f.id",
    )
    .all(named_params! { ":order_id": order_id }, |row| row.get(0))
}

/// Returns the quantity of each SKU in a fulfillment; the one of pieces without an SKU is empty.
pub(super) fn contents(tx: &Tx<'_>, id: &FulfillmentId) -> Result<BTreeMap<String, i64>, Error> {
    tx.sql(
        "select coalesce(line.variant_sku, ''), sum(piece.quantity)
           from fulfillment f
           join fulfillment_line piece on piece.fulfillment_id = f.id
           join order_line line on line.order_id = f.order_id and line.id = piece.line_id
          where f.id = :id group by 1",
    )
    .all(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the lines of an order with an SKU, each with the pieces that are not packed yet.
pub(super) fn lines_of_sku(
    tx: &Tx<'_>,
    order_id: &OrderId,
    sku: &str,
) -> Result<Vec<(OrderLineId, i64)>, Error> {
    tx.sql(
        "select id, quantity - fulfilled_quantity from order_line
          where order_id = :order_id and variant_sku = :sku and quantity > fulfilled_quantity order by position",
    )
    .all(named_params! { ":order_id": order_id, ":sku": sku }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Sets the times of a fulfillment to earlier ones, where it has them.
pub(super) fn set_earlier_times(
    tx: &Tx<'_>,
    id: &FulfillmentId,
    shipped_at: Option<Timestamp>,
    delivered_at: Option<Timestamp>,
) -> Result<(), Error> {
    tx.sql(
        "update fulfillment
            set shipped_at = min(shipped_at, coalesce(:shipped_at, :delivered_at, shipped_at)),
                delivered_at = min(delivered_at, coalesce(:delivered_at, delivered_at))
          where id = :id",
    )
    .run(named_params! { ":id": id, ":shipped_at": shipped_at, ":delivered_at": delivered_at })
}
