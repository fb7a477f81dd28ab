//! Statements on sessions and presses.

use rusqlite::named_params;
use serde_json::Value;

use crate::auth::{Pseudonym, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{Error, Record as _, Stored, Tx};
use crate::definition::draft::Pii;
use crate::ids::{CartId, FlowButtonId, FlowId, FlowPressId, FlowSessionId, OrderId};
use crate::sessions::session::{Press, Session};

/// Limit: tokens of one session; the oldest end.
const MAX_TOKENS: i64 = 20;

/// Returns the session that a token opens.
pub(crate) fn of_token(tx: &Tx<'_>, digest: SecretDigest) -> Result<Option<Session>, Error> {
    let rest = "where s.id = (select session_id from flow_token where digest = :digest)";
    Session::select_one(tx, rest, named_params! { ":digest": digest })
}

/// Returns the session of a flow for a cart or an order.
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

/// Returns what a shopper did at a button, unless a charge was refused.
pub(crate) fn press_at(
    tx: &Tx<'_>,
    session: &FlowSessionId,
    button: &FlowButtonId,
) -> Result<Option<Press>, Error> {
    let rest = "where p.session_id = :session and p.button_id = :button
                  and p.action <> 'shown' and p.state <> 'refused'";
    Press::select_one(tx, rest, named_params! { ":session": session, ":button": button })
}

/// Returns when a button was shown.
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
    (key, value, pii): (&str, &Value, Pii),
) -> Result<(), Error> {
    tx.insert(
        "flow_answer",
        named_params! {
            ":press_id": press, ":field_key": key, ":value": Stored(value), ":pii": pii,
            ":created_at": tx.now(),
        },
    )
}

/// Removes the personal data in answers from before a time, and reasons; at most `limit` of each.
pub(crate) fn forget_before(tx: &Tx<'_>, before: Timestamp, limit: u32) -> Result<(), Error> {
    // Of what is deleted, nothing stays in free parts of pages.
    tx.execute_batch("pragma secure_delete = on")?;
    for statement in [
        "delete from flow_answer where (press_id, field_key) in
           (select press_id, field_key from flow_answer where created_at < :before and pii <> 'none' limit :limit)",
        "update flow_press set reason = null where id in
           (select id from flow_press where created_at < :before and reason is not null limit :limit)",
    ] {
        tx.sql(statement).run(named_params! { ":before": before, ":limit": limit })?;
    }
    Ok(tx.execute_batch("pragma secure_delete = off")?)
}

/// Returns the number of open sessions that an address has begun, by its pseudonyms.
pub(crate) fn open_from(tx: &Tx<'_>, [today, yesterday]: [Pseudonym; 2]) -> Result<u32, Error> {
    tx.sql(
        "select count(*) from flow_session
          where address_digest in (:today, :yesterday) and status = 'open'",
    )
    .one(named_params! { ":today": today, ":yesterday": yesterday }, |row| row.get(0))
}

/// Notes the address that a session was begun from.
pub(crate) fn note_source(
    tx: &Tx<'_>,
    session: &FlowSessionId,
    digest: Pseudonym,
) -> Result<(), Error> {
    tx.sql("update flow_session set address_digest = :digest where id = :session")
        .run(named_params! { ":session": session, ":digest": digest })
}

/// Forgets the addresses of sessions from before a time.
pub(crate) fn forget_sources(tx: &Tx<'_>, before: Timestamp) -> Result<(), Error> {
    tx.sql(
        "update flow_session set address_digest = null
          where address_digest is not null and started_at < :before",
    )
    .run(named_params! { ":before": before })
}

/// Returns whether a published flow may begin after an order.
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

/// Returns the claimed presses from before a time, oldest first.
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

/// Returns the open sessions whose time is over.
pub(crate) fn expired(tx: &Tx<'_>, limit: u32) -> Result<Vec<Session>, Error> {
    let rest =
        "where s.status = 'open' and s.expires_at <= :now order by s.expires_at limit :limit";
    Session::select(tx, rest, named_params! { ":now": tx.now(), ":limit": limit })
}
