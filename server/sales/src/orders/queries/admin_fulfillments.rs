//! The fulfillments of a page of orders, by three statements.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{FulfillmentId, OrderId};
use crate::orders::admin::fulfillments::{FulfillmentItemView, FulfillmentView, LabelView};

/// The fulfillments of orders, the first packed first, without what they hold.
pub(in crate::orders) fn of_orders(
    tx: &Tx<'_>,
    orders: &str,
) -> Result<Vec<(OrderId, FulfillmentView)>, Error> {
    let mut statement = tx.prepare_cached(
        "select order_id, id, location_id, provider_id, shipping_option_id, requires_shipping, packed_at, shipped_at,
                delivered_at, canceled_at, created_by, metadata, created_at, updated_at
           from fulfillment
          where order_id in (select value from json_each(:orders)) order by order_id, created_at, id",
    )?;
    let rows = statement.query_map(named_params! { ":orders": orders }, |row| {
        let view = FulfillmentView {
            id: row.get(1)?,
            location_id: row.get(2)?,
            provider_id: row.get(3)?,
            shipping_option_id: row.get(4)?,
            requires_shipping: row.get(5)?,
            packed_at: row.get(6)?,
            shipped_at: row.get(7)?,
            delivered_at: row.get(8)?,
            canceled_at: row.get(9)?,
            created_by: row.get(10)?,
            data: serde_json::Map::new(),
            metadata: row.get(11)?,
            created_at: row.get(12)?,
            updated_at: row.get(13)?,
            deleted_at: None,
            items: Vec::new(),
            labels: Vec::new(),
        };
        Ok((row.get(0)?, view))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What the fulfillments of orders hold.
pub(in crate::orders) fn items(
    tx: &Tx<'_>,
    orders: &str,
) -> Result<Vec<FulfillmentItemView>, Error> {
    let mut statement = tx.prepare_cached(
        "select held.fulfillment_id, held.line_id, held.quantity, line.title, line.variant_sku, line.variant_barcode
           from fulfillment
           join fulfillment_line held on held.fulfillment_id = fulfillment.id
           join order_line line on line.order_id = fulfillment.order_id and line.id = held.line_id
          where fulfillment.order_id in (select value from json_each(:orders))
          order by held.fulfillment_id, line.position",
    )?;
    let rows = statement.query_map(named_params! { ":orders": orders }, |row| {
        Ok(FulfillmentItemView {
            id: String::new(),
            fulfillment_id: row.get::<_, FulfillmentId>(0)?,
            line_item_id: row.get(1)?,
            quantity: row.get(2)?,
            title: row.get(3)?,
            sku: row.get(4)?,
            barcode: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The labels of the fulfillments of orders.
pub(in crate::orders) fn labels(tx: &Tx<'_>, orders: &str) -> Result<Vec<LabelView>, Error> {
    let mut statement = tx.prepare_cached(
        "select label.fulfillment_id, label.tracking_number, label.tracking_url, label.label_url
           from fulfillment
           join fulfillment_label label on label.fulfillment_id = fulfillment.id
          where fulfillment.order_id in (select value from json_each(:orders))
          order by label.fulfillment_id, label.position",
    )?;
    let rows = statement.query_map(named_params! { ":orders": orders }, |row| {
        Ok(LabelView {
            id: String::new(),
            fulfillment_id: row.get(0)?,
            tracking_number: row.get(1)?,
            tracking_url: row.get(2)?,
            label_url: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
