//! Statements that find the order a delivery is about.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{OrderId, PaymentId, PaymentSessionId};

/// Returns the placed order with an id or a number.
pub(crate) fn by_reference(tx: &Tx<'_>, reference: &str) -> Result<Option<OrderId>, Error> {
    let number: Option<i64> = reference.trim_start_matches('#').parse().ok();
    tx.sql(
        "select id from orders where id = :reference and status <> 'draft'
         union all
         select id from orders where display_id = :number and status <> 'draft'
          limit 1",
    )
    .first(named_params! { ":reference": reference, ":number": number }, |row| row.get(0))
}

/// Returns the order of the newest parcel with a tracking number.
pub(crate) fn by_tracking_number(tx: &Tx<'_>, number: &str) -> Result<Option<OrderId>, Error> {
    tx.sql(
        "select order_id from (
            select order_id, created_at from parcel where tracking_number = :number
            union all
            select f.order_id, f.created_at from fulfillment_label l
              join fulfillment f on f.id = l.fulfillment_id where l.tracking_number = :number)
          order by created_at desc limit 1",
    )
    .first(named_params! { ":number": number }, |row| row.get(0))
}

pub(crate) fn payment_of(
    tx: &Tx<'_>,
    session: &PaymentSessionId,
) -> Result<Option<PaymentId>, Error> {
    tx.sql("select id from payment where payment_session_id = :session")
        .first(named_params! { ":session": session }, |row| row.get(0))
}
