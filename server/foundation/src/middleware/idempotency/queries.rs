//! Queries for idempotency keys.

use std::collections::BTreeMap;

use rusqlite::{Connection, named_params};

use crate::clock::Timestamp;
use crate::database::{Error, Stored, Tx};

#[derive(Debug, Clone)]
pub(super) struct KeyedRequest {
    pub(super) principal: String,
    pub(super) key: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body_sha256: Vec<u8>,
}

impl KeyedRequest {
    pub(super) fn id(&self) -> (String, String) {
        (self.principal.clone(), self.key.clone())
    }
}

#[derive(Debug)]
pub(super) struct StoredRequest {
    method: String,
    path: String,
    body_sha256: Vec<u8>,
    pub(super) created_at: Timestamp,
    pub(super) progress: Progress,
}

/// How far a request got.
#[derive(Debug)]
pub(super) enum Progress {
    /// It has changed nothing yet.
    Running,
    /// It has changed something, and has no response yet.
    Committed,
    /// It has changed something, but its response was lost.
    Lost,
    Done(StoredResponse),
}

#[derive(Debug)]
pub(super) struct StoredResponse {
    pub(super) status: u16,
    /// The headers that are sent again.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

impl StoredRequest {
    pub(super) fn is_for(&self, place: &KeyedRequest) -> bool {
        self.method == place.method
            && self.path == place.path
            && self.body_sha256 == place.body_sha256
    }
}

/// Returns the stored request of a key.
pub(super) fn find(tx: &Tx<'_>, place: &KeyedRequest) -> Result<Option<StoredRequest>, Error> {
    tx.sql(
        "select method, path, body_sha256, created_at, state, status, headers, body
           from idempotency_key
          where principal = :principal and key = :key",
    )
    .first(named_params! { ":principal": place.principal, ":key": place.key }, |row| {
        let progress = match row.get_ref(4)?.as_str()? {
            "running" => Progress::Running,
            "committed" => Progress::Committed,
            "lost" => Progress::Lost,
            _done => Progress::Done(StoredResponse {
                status: row.get(5)?,
                headers: row.get::<_, Stored<_>>(6)?.0,
                body: row.get(7)?,
            }),
        };
        Ok(StoredRequest {
            method: row.get(0)?,
            path: row.get(1)?,
            body_sha256: row.get(2)?,
            created_at: row.get(3)?,
            progress,
        })
    })
}

pub(super) fn put_running(tx: &Tx<'_>, place: &KeyedRequest) -> Result<(), Error> {
    tx.sql(
        "insert or replace into idempotency_key
                (principal, key, method, path, body_sha256, state, created_at)
         values (:principal, :key, :method, :path, :body_sha256, 'running', :now)",
    )
    .run(named_params! {
        ":principal": place.principal, ":key": place.key, ":method": place.method, ":path": place.path,
        ":body_sha256": place.body_sha256, ":now": tx.now(),
    })
}

/// Records that a running request has changed something.
pub(super) fn put_committed(connection: &Connection, place: &KeyedRequest) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "update idempotency_key
                set state = 'committed'
              where principal = :principal and key = :key and state = 'running'",
        )?
        .execute(named_params! { ":principal": place.principal, ":key": place.key })
        .map(drop)
}

pub(super) fn put_done(
    tx: &Tx<'_>,
    place: &KeyedRequest,
    answer: &StoredResponse,
) -> Result<(), Error> {
    tx.sql(
        "update idempotency_key
            set state = 'done', status = :status, headers = :headers, body = :body
          where principal = :principal and key = :key",
    )
    .run(named_params! {
        ":principal": place.principal, ":key": place.key, ":status": answer.status,
        ":headers": Stored(&answer.headers), ":body": answer.body,
    })
}

/// Releases the key of a request that failed; it is lost if the request has changed something.
pub(super) fn release(tx: &Tx<'_>, place: &KeyedRequest) -> Result<(), Error> {
    if forget(tx, place)? {
        return Ok(());
    }
    tx.sql(
        "update idempotency_key
            set state = 'lost'
          where principal = :principal and key = :key and state = 'committed'",
    )
    .run(named_params! { ":principal": place.principal, ":key": place.key })
}

/// Deletes a key, unless its request has changed something. Returns whether it did.
pub(super) fn forget(tx: &Tx<'_>, place: &KeyedRequest) -> Result<bool, Error> {
    let sql = "delete from idempotency_key
                where principal = :principal and key = :key and state = 'running'";
    let key = named_params! { ":principal": place.principal, ":key": place.key };
    Ok(tx.sql(sql).execute(key)? > 0)
}

/// Deletes the keys claimed before an instant and returns how many.
pub(super) fn delete_before(tx: &Tx<'_>, before: Timestamp) -> Result<usize, Error> {
    tx.sql("delete from idempotency_key where created_at < :before")
        .execute(named_params! { ":before": before })
}
