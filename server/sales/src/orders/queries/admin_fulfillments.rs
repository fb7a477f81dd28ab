//! Statements on the fulfillments of a page of orders, three in total.

use rusqlite::named_params;

use crate::database::{Error, FromRow as _, Record as _, Tx};
use crate::orders::admin::fulfillments::{FulfillmentItemView, FulfillmentView, LabelView};

/// Returns the fulfillments of orders, oldest first, without their items.
pub(crate) fn of_orders(tx: &Tx<'_>, orders: &str) -> Result<Vec<FulfillmentView>, Error> {
    let rest = "where f.order_id in (select value from json_each(:orders))
                order by f.order_id, f.created_at, f.id";
    FulfillmentView::select(tx, rest, named_params! { ":orders": orders })
}

pub(crate) fn items(tx: &Tx<'_>, orders: &str) -> Result<Vec<FulfillmentItemView>, Error> {
    tx.sql(
        "select held.fulfillment_id, held.line_id as line_item_id, held.quantity, line.title,
                line.variant_sku as sku, line.variant_barcode as barcode
           from fulfillment
           join fulfillment_line held on held.fulfillment_id = fulfillment.id
           join order_line line on line.order_id = fulfillment.order_id and line.id = held.line_id
          where fulfillment.order_id in (select value from json_each(:orders))
          order by held.fulfillment_id, line.position",
    )
    .all(named_params! { ":orders": orders }, FulfillmentItemView::from_row)
}

pub(crate) fn labels(tx: &Tx<'_>, orders: &str) -> Result<Vec<LabelView>, Error> {
    let rest = "where label.fulfillment_id in (select id from fulfillment
                       where order_id in (select value from json_each(:orders)))
                order by label.fulfillment_id, label.position";
    LabelView::select(tx, rest, named_params! { ":orders": orders })
}
