//! Statements on sessions and presses, and on what the record of a visitor is made of.

use rusqlite::named_params;
use serde_json::Value;

use super::session::{Press, Session};
use crate::auth::{Pseudonym, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Record as _, Stored, Tx};
use crate::definition::draft::Pii;
use crate::ids::{
    CartId, CustomerId, FlowButtonId, FlowId, FlowPressId, FlowSessionId, OrderId, RegionId,
    SalesChannelId,
};

/// Limit: tokens of one session; the oldest expire.
const MAX_TOKENS: i64 = 20;

pub(crate) fn of_token(tx: &Tx<'_>, digest: SecretDigest) -> Result<Option<Session>, Error> {
    let rest = "where s.id = (select session_id from flow_token where digest = :digest)";
    Session::select_one(tx, rest, named_params! { ":digest": digest })
}

pub(crate) fn of_pair(
    tx: &Tx<'_>,
    flow: &FlowId,
    (cart, order): (Option<&CartId>, Option<&OrderId>),
) -> Result<Option<Session>, Error> {
    if let Some(order) = order {
        let rest = "where s.flow_id = :flow and s.order_id = :order";
        return Session::select_one(tx, rest, named_params! { ":flow": flow, ":order": order });
    }
    let rest = "where s.flow_id = :flow and s.cart_id = :cart and s.order_id is null";
    Session::select_one(tx, rest, named_params! { ":flow": flow, ":cart": cart })
}

pub(crate) fn insert_token(
    tx: &Tx<'_>,
    session: &FlowSessionId,
    digest: SecretDigest,
) -> Result<(), Error> {
    tx.insert(
        "flow_token",
        named_params! { ":digest": digest, ":session_id": session, ":created_at": tx.now() },
    )?;
    tx.sql(
        "delete from flow_token where digest in
           (select digest from flow_token where session_id = :session order by created_at desc limit -1 offset :max)",
    )
    .run(named_params! { ":session": session, ":max": MAX_TOKENS })
}

/// Returns the press of a button, unless its charge was refused.
pub(crate) fn press_at(
    tx: &Tx<'_>,
    session: &FlowSessionId,
    button: &FlowButtonId,
) -> Result<Option<Press>, Error> {
    let rest = "where p.session_id = :session and p.button_id = :button
                  and p.action <> 'shown' and p.state <> 'refused'";
    Press::select_one(tx, rest, named_params! { ":session": session, ":button": button })
}

pub(crate) fn shown_at(
    tx: &Tx<'_>,
    session: &FlowSessionId,
    button: &FlowButtonId,
) -> Result<Option<Timestamp>, Error> {
    tx.sql(
        "select created_at from flow_press where session_id = :session and button_id = :button and action = 'shown'",
    )
    .first(named_params! { ":session": session, ":button": button }, |row| row.get(0))
}

/// Returns the journey of a session, in order.
pub(crate) fn journey(tx: &Tx<'_>, session: &FlowSessionId) -> Result<Vec<Press>, Error> {
    let rest = "where p.session_id = :session order by p.rowid";
    Press::select(tx, rest, named_params! { ":session": session })
}

pub(crate) fn insert_answer(
    tx: &Tx<'_>,
    press: &FlowPressId,
    key: &str,
    value: &Value,
    pii: Pii,
) -> Result<(), Error> {
    tx.insert(
        "flow_answer",
        named_params! {
            ":press_id": press, ":field_key": key, ":value": Stored(value), ":pii": pii,
            ":created_at": tx.now(),
        },
    )
}

/// Erases the personal data in answers older than a given time, and the reasons; at most `limit` of
/// each.
pub(crate) fn forget_before(tx: &Tx<'_>, before: Timestamp, limit: u32) -> Result<(), Error> {
    let statements = [
        "delete from flow_answer where (press_id, field_key) in
           (select press_id, field_key from flow_answer where created_at < :before and pii <> 'none' limit :limit)",
        "update flow_press set reason = null where id in
           (select id from flow_press where created_at < :before and reason is not null limit :limit)",
    ];
    tx.overwriting(|tx| {
        statements.into_iter().try_for_each(|sql| {
            tx.sql(sql).run(named_params! { ":before": before, ":limit": limit })
        })
    })
}

/// Returns the number of open sessions started from an address, by its pseudonyms.
pub(crate) fn open_from(tx: &Tx<'_>, [today, yesterday]: [Pseudonym; 2]) -> Result<u32, Error> {
    tx.sql(
        "select count(*) from flow_session
          where address_digest in (:today, :yesterday) and status = 'open'",
    )
    .one(named_params! { ":today": today, ":yesterday": yesterday }, |row| row.get(0))
}

pub(crate) fn note_source(
    tx: &Tx<'_>,
    session: &FlowSessionId,
    digest: Pseudonym,
) -> Result<(), Error> {
    tx.sql("update flow_session set address_digest = :digest where id = :session")
        .run(named_params! { ":session": session, ":digest": digest })
}

/// Erases the addresses of sessions older than a given time.
pub(crate) fn forget_sources(tx: &Tx<'_>, before: Timestamp) -> Result<(), Error> {
    tx.sql(
        "update flow_session set address_digest = null
          where address_digest is not null and started_at < :before",
    )
    .run(named_params! { ":before": before })
}

/// Returns whether a published flow may start after an order.
pub(crate) fn may_be_followed(tx: &Tx<'_>, order: &OrderId) -> Result<bool, Error> {
    tx.sql(
        "select 1 from orders o
           join flow f on f.currency = o.currency and f.kind = 'post_purchase' and f.version is not null
                      and f.deleted_at is null
          where o.id = :order",
    )
    .exists(named_params! { ":order": order })
}

/// Returns when the last of an order's open sessions ends.
pub(crate) fn held_until(tx: &Tx<'_>, order: &OrderId) -> Result<Option<Timestamp>, Error> {
    tx.sql(
        "select max(expires_at) from flow_session
          where order_id = :order and status = 'open' and expires_at > :now",
    )
    .one(named_params! { ":order": order, ":now": tx.now() }, |row| row.get(0))
}

/// Returns the presses claimed before a given time, oldest first.
pub(crate) fn claimed_before(
    tx: &Tx<'_>,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<(FlowPressId, FlowSessionId)>, Error> {
    tx.sql(
        "select id, session_id from flow_press
          where state = 'claimed' and created_at < :before
          order by created_at
          limit :limit",
    )
    .all(named_params! { ":before": before, ":limit": limit }, |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(crate) fn expired(tx: &Tx<'_>, limit: u32) -> Result<Vec<Session>, Error> {
    let rest =
        "where s.status = 'open' and s.expires_at <= :now order by s.expires_at limit :limit";
    Session::select(tx, rest, named_params! { ":now": tx.now(), ":limit": limit })
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct LineRow {
    pub(crate) sku: Option<String>,
    pub(crate) product_id: Option<String>,
    pub(crate) quantity: i64,
}

pub(crate) fn order_lines(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<LineRow>, Error> {
    tx.sql(
        "select variant_sku as sku, product_id, quantity from order_line where order_id = :order order by position",
    )
    .all(named_params! { ":order": order }, LineRow::from_row)
}

pub(crate) fn order_codes(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<String>, Error> {
    tx.sql("select code from order_promotion where order_id = :order order by code")
        .all(named_params! { ":order": order }, |row| row.get(0))
}

pub(crate) fn category_handles(tx: &Tx<'_>, products: &str) -> Result<Vec<String>, Error> {
    tx.sql(
        "select distinct c.handle from product_category_product l
           join product_category c on c.id = l.product_category_id
          where l.product_id in (select value from json_each(:products)) and c.deleted_at is null
          order by c.handle",
    )
    .all(named_params! { ":products": products }, |row| row.get(0))
}

pub(crate) fn names(
    tx: &Tx<'_>,
    (region, channel): (Option<&RegionId>, Option<&SalesChannelId>),
) -> Result<(Option<String>, Option<String>), Error> {
    tx.sql(
        "select (select name from region where id = :region), (select name from sales_channel where id = :channel)",
    )
    .one(named_params! { ":region": region, ":channel": channel }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

#[derive(Debug, Clone, Copy, FromRow)]
pub(crate) struct PersonRow {
    pub(crate) has_account: bool,
    pub(crate) is_subscriber: bool,
    /// Uncanceled orders placed before `order`.
    pub(crate) orders_before: i64,
}

pub(crate) fn person(
    tx: &Tx<'_>,
    customer: Option<&CustomerId>,
    order: Option<&OrderId>,
) -> Result<PersonRow, Error> {
    tx.sql(
        "select coalesce((select has_account from customer where id = :customer), 0) as has_account,
                exists (select 1 from subscription where customer_id = :customer and ended_at is null) as is_subscriber,
                (select count(*) from orders
                  where customer_id = :customer and status <> 'draft' and canceled_at is null
                    and (:order is null
                         or (placed_at, id) < (select placed_at, id from orders where id = :order))) as orders_before",
    )
    .one(named_params! { ":customer": customer, ":order": order }, PersonRow::from_row)
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct ProgressRow {
    pub(crate) accepted_count: i64,
    pub(crate) declined_count: i64,
    pub(crate) step: i64,
    pub(crate) last_action: Option<String>,
}

pub(crate) fn progress(tx: &Tx<'_>, session: &FlowSessionId) -> Result<ProgressRow, Error> {
    tx.sql(
        "select count(*) filter (where action = 'accepted' and state = 'settled') as accepted_count,
                count(*) filter (where action = 'declined') as declined_count,
                count(*) filter (where action <> 'shown' and state in ('settled', 'closed')) as step,
                (select action from flow_press
                  where session_id = :session and action <> 'shown' and state in ('settled', 'closed')
                  order by rowid desc limit 1) as last_action
           from flow_press
          where session_id = :session",
    )
    .one(named_params! { ":session": session }, ProgressRow::from_row)
}

/// Returns the answers of a session without personal data.
pub(crate) fn answers(tx: &Tx<'_>, session: &FlowSessionId) -> Result<Vec<(String, Value)>, Error> {
    tx.sql(
        "select a.field_key, a.value from flow_press p join flow_answer a on a.press_id = p.id
          where p.session_id = :session and a.pii = 'none'",
    )
    .all(named_params! { ":session": session }, |row| {
        Ok((row.get(0)?, row.get::<_, Stored<Value>>(1)?.0))
    })
}
