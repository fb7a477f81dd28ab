//! Statements for e-mails about orders.

use rusqlite::named_params;

use crate::database::{self, Tx};
use crate::ids::{FulfillmentId, OrderId};

/// Returns whether e-mails about an order are disabled.
pub(crate) fn is_muted(tx: &Tx<'_>, id: &OrderId) -> Result<bool, database::Error> {
    tx.sql("select no_notification from orders where id = :id")
        .one(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the titles and quantities of the goods in a parcel.
pub(crate) fn parcel(
    tx: &Tx<'_>,
    id: &FulfillmentId,
) -> Result<Vec<(String, i64)>, database::Error> {
    tx.sql(
        "select l.title, p.quantity from fulfillment f
           join fulfillment_line p on p.fulfillment_id = f.id
           join order_line l on l.order_id = f.order_id and l.id = p.line_id
          where f.id = :id order by l.position",
    )
    .all(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the tracking numbers of a parcel.
pub(crate) fn tracking_numbers(
    tx: &Tx<'_>,
    id: &FulfillmentId,
) -> Result<Vec<String>, database::Error> {
    tx.sql(
        "select tracking_number from fulfillment_label
          where fulfillment_id = :id and tracking_number <> '' order by position",
    )
    .all(named_params! { ":id": id }, |row| row.get(0))
}
