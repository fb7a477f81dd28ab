//! Queries for past orders and for what shoppers did.

use rusqlite::named_params;
use serde_json::Value;

use crate::clock::Timestamp;
use crate::database::{Error, Stored, Tx};
use crate::ids::{FlowPressId, FlowSessionId, OrderId};
use crate::money::Currency;

/// Returns the newest orders in a currency since a time.
pub(super) fn orders_since(
    tx: &Tx<'_>,
    currency: Currency,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<OrderId>, Error> {
    tx.sql(
        "select id from orders
          where placed_at >= :since and status <> 'draft' and +currency = :currency
          order by placed_at desc
          limit :limit",
    )
    .all(named_params! { ":since": since, ":currency": currency, ":limit": limit }, |row| {
        row.get(0)
    })
}

pub(super) fn answers(
    tx: &Tx<'_>,
    session: &FlowSessionId,
) -> Result<Vec<(FlowPressId, String, Value)>, Error> {
    tx.sql(
        "select p.id, a.field_key, a.value from flow_press p join flow_answer a on a.press_id = p.id
          where p.session_id = :session
          order by p.rowid, a.field_key",
    )
    .all(named_params! { ":session": session }, |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, Stored<Value>>(2)?.0))
    })
}

/// Erases what a person wrote in a session, and what the page reported about them.
pub(super) fn erase(tx: &Tx<'_>, session: &FlowSessionId) -> Result<(), Error> {
    let statements = [
        "delete from flow_answer where press_id in (select id from flow_press where session_id = :session)",
        "update flow_press set reason = null, record_hash = null where session_id = :session",
        "update flow_session set context = '{}', locale = null, customer_id = null where id = :session",
        "delete from flow_token where session_id = :session",
    ];
    tx.overwriting(|tx| {
        statements
            .into_iter()
            .try_for_each(|sql| tx.sql(sql).run(named_params! { ":session": session }))
    })
}
