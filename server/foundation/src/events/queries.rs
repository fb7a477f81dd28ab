//! Queries for the outbox: one row per event, in the order of commits.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::named_params;
use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::{self, EventId};

#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Event {
    /// The position in the outbox; grows with each event.
    pub seq: i64,
    /// The id, the same for every delivery.
    pub id: EventId,
    /// The name, such as `order.placed`.
    pub name: String,
    /// The payload, as JSON.
    pub payload: String,
    pub created_at: Timestamp,
}

/// Records an event in the outbox, in the same transaction.
pub fn record(tx: &Tx<'_>, name: &'static str, payload: &impl Serialize) -> Result<(), Error> {
    tx.insert(
        "event",
        named_params! {
            ":id": EventId::new(), ":name": name, ":payload": Stored(payload), ":created_at": tx.now(),
        },
    )
}

/// Records several events with one name by one statement.
pub fn record_all(
    tx: &Tx<'_>,
    name: &'static str,
    payloads: impl IntoIterator<Item = serde_json::Value>,
) -> Result<(), Error> {
    let rows: serde_json::Value = payloads
        .into_iter()
        .map(|payload| serde_json::json!({ "id": EventId::new(), "payload": payload.to_string() }))
        .collect();
    tx.sql(
        "insert into event (id, name, payload, created_at)
         select value ->> 'id', :name, value ->> 'payload', :now from json_each(:rows)",
    )
    .run(named_params! { ":name": name, ":now": tx.now(), ":rows": rows.to_string() })
}

/// Returns at most `limit` events after a position in the outbox.
pub(super) fn after(tx: &Tx<'_>, seq: i64, limit: u32) -> Result<Vec<Event>, Error> {
    tx.sql("select seq, id, name, payload, created_at from event where seq > :seq order by seq limit :limit")
        .all(named_params! { ":seq": seq, ":limit": limit }, Event::from_row)
}

/// Starts a new subscriber at the end of the outbox.
pub(super) fn begin(tx: &Tx<'_>, subscriber: &str) -> Result<(), Error> {
    tx.sql(
        "insert or ignore into event_cursor (subscriber, seq, updated_at)
         values (:subscriber, coalesce((select max(seq) from event), 0), :now)",
    )
    .run(named_params! { ":subscriber": subscriber, ":now": tx.now() })
}

/// Deletes the positions of all but these subscribers, so that events need not wait for them.
pub(super) fn keep_only(tx: &Tx<'_>, subscribers: &[&str]) -> Result<(), Error> {
    let names = ids::list(subscribers);
    tx.sql("delete from event_cursor where subscriber not in (select value from json_each(:names))")
        .run(named_params! { ":names": names })
}

/// Returns the subscribers that have not handled the newest event, by their position.
pub(super) fn behind(tx: &Tx<'_>) -> Result<BTreeMap<i64, BTreeSet<String>>, Error> {
    let mut behind = BTreeMap::<_, BTreeSet<_>>::new();
    let sql = "select seq, subscriber from event_cursor where seq < (select max(seq) from event)";
    let rows: Vec<(i64, String)> = tx.sql(sql).all([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (seq, subscriber) in rows {
        behind.entry(seq).or_default().insert(subscriber);
    }
    Ok(behind)
}

/// Sets the position of some subscribers.
pub(super) fn advance(tx: &Tx<'_>, subscribers: &[&str], seq: i64) -> Result<(), Error> {
    tx.sql(
        "update event_cursor set seq = :seq, updated_at = :now
          where subscriber in (select value from json_each(:names))",
    )
    .run(named_params! { ":seq": seq, ":now": tx.now(), ":names": ids::list(subscribers) })
}

/// The events that subscribers have not handled yet.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, crate::describe::ToSchema, FromRow)]
#[schema(example = json!({ "waiting": 3, "slowest": "webhooks.dispatch" }))]
pub struct EventBacklog {
    /// Those that the slowest subscriber has not handled.
    pub waiting: i64,
    /// The slowest subscriber; null if all are up to date.
    pub slowest: Option<String>,
}

/// Counts the events that the slowest subscriber has not handled.
pub fn backlog(tx: &Tx<'_>) -> Result<EventBacklog, Error> {
    let slowest = tx
        .sql(
            "select (select count(*) from event where event.seq > event_cursor.seq) as waiting,
                    subscriber as slowest
               from event_cursor order by seq, subscriber limit 1",
        )
        .first([], EventBacklog::from_row)?;
    let none = EventBacklog { waiting: 0, slowest: None };
    Ok(slowest.filter(|own| own.waiting > 0).unwrap_or(none))
}

/// Limit: events that one write deletes, so that other writes do not wait for it.
const CHUNK_LEN: u32 = 5_000;

/// Deletes some of the events before an instant that every subscriber has handled, except the newest one; returns how many.
pub(super) fn prune(tx: &Tx<'_>, before: Timestamp) -> Result<usize, Error> {
    tx.sql(
        "delete from event where seq in
           (select seq from event where created_at < :before and seq < (select max(seq) from event)
               and seq <= coalesce((select min(seq) from event_cursor), seq) limit :limit)",
    )
    .execute(named_params! { ":before": before, ":limit": CHUNK_LEN })
}
