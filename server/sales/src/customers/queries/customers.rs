//! Statements on customers.

use rusqlite::named_params;

use crate::auth::Email;
use crate::customers::CustomerOrder;
use crate::database::{Error, FromRow as _, Tx};
use crate::ids::{CustomerId, SubscriptionId};

/// Limit: orders that are returned with their customer.
const MAX_ORDERS: usize = 50;

pub(crate) fn guest(tx: &Tx<'_>, email: &Email) -> Result<Option<CustomerId>, Error> {
    let sql =
        "select id from customer where email = :email and has_account = 0 and deleted_at is null";
    tx.sql(sql).first(named_params! { ":email": email }, |row| row.get(0))
}

/// Returns a subscription of a customer that has not ended.
pub fn subscription(tx: &Tx<'_>, id: &CustomerId) -> Result<Option<SubscriptionId>, Error> {
    tx.sql("select id from subscription where customer_id = :customer and ended_at is null limit 1")
        .first(named_params! { ":customer": id }, |row| row.get(0))
}

/// Returns the newest orders of a customer in these channels, given as a JSON array of ids.
pub(crate) fn orders(
    tx: &Tx<'_>,
    id: &CustomerId,
    channels: &str,
) -> Result<Vec<CustomerOrder>, Error> {
    let sql = format!(
        "select id, display_id, status, payment_status, fulfillment_status, email, currency, region_id,
                sales_channel_id, canceled_at, placed_at, updated_at
           from orders
          where customer_id = :customer and status <> 'draft'
            and (sales_channel_id is null or sales_channel_id in (select value from json_each(:channels)))
          order by placed_at desc, id desc limit {MAX_ORDERS}"
    );
    let parameters = named_params! { ":customer": id, ":channels": channels };
    tx.sql(&sql).all(parameters, CustomerOrder::from_row)
}
