//! Queries for parcels: the reports of carriers and warehouses.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{Error, Record as _, Tx};
use crate::fulfillment::parcels::Parcel;
use crate::ids::{FulfillmentId, OrderId, OrderLineId};

/// Returns the parcel of an order with a tracking number.
pub(crate) fn find(
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
pub(crate) fn put(tx: &Tx<'_>, parcel: &Parcel) -> Result<(), Error> {
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
pub(crate) fn labelled(
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
pub(crate) fn waiting(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<FulfillmentId>, Error> {
    tx.sql(
        "select f.id from fulfillment f
          where f.order_id = :order_id and f.shipped_at is null and f.delivered_at is null and f.canceled_at is null
            and not exists (select 1 from parcel where parcel.fulfillment_id = f.id)
          order by f.created_at, f.id",
    )
    .all(named_params! { ":order_id": order_id }, |row| row.get(0))
}

/// Returns the lines of an order with an SKU, each with the pieces that are not packed yet.
pub(crate) fn lines_of_sku(
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
pub(crate) fn set_earlier_times(
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
