//! Queries for the job queue: one row per job, found by due time.

use std::collections::BTreeSet;

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Tx};
use crate::ids;

#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Job {
    pub(super) seq: i64,
    pub(super) run_at: Timestamp,
    pub kind: String,
    /// The subject of the job; there is at most one job per kind and key.
    pub key: String,
    /// The payload, as JSON.
    pub payload: String,
    /// The number of failed attempts.
    pub attempt_count: u32,
}

/// Why a job failed; it will be retried. It does not implement [`std::error::Error`], so that every error can become one.
#[derive(Debug)]
pub struct JobError(pub String);

impl<E: std::error::Error> From<E> for JobError {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Limit: attempts before a delivery is abandoned, almost three hours after the first one.
const MAX_DELIVERIES: u32 = 12;

impl Job {
    /// Returns the kind and the part of the key before its first `/`: whom the job waits for, such as an endpoint. None if
    /// the key has only one part.
    pub(super) fn prefix(&self) -> Option<String> {
        let (prefix, _) = self.key.split_once('/')?;
        Some(format!("{}/{prefix}", self.kind))
    }

    /// Returns the outcome of a delivery job: a failure is retried, up to the limit.
    pub fn delivered(&self, sent: Result<(), String>) -> Result<(), JobError> {
        match sent {
            Err(reason) if self.attempt_count.saturating_add(1) >= MAX_DELIVERIES => {
                tracing::error!(kind = self.kind, reason, "a delivery failed for good");
                Ok(())
            }
            sent => sent.map_err(JobError),
        }
    }
}

/// Schedules a job in the caller's transaction; an existing job with the same kind and key is rescheduled.
pub fn schedule(
    tx: &Tx<'_>,
    kind: &str,
    key: &str,
    run_at: Timestamp,
    payload: &str,
) -> Result<(), Error> {
    tx.sql(
        "insert into job (kind, key, payload, run_at, created_at) values (:kind, :key, :payload, :run_at, :now)
         on conflict (kind, key) do update
            set run_at = excluded.run_at, payload = excluded.payload, attempt_count = 0, last_error = null",
    )
    .run(named_params! {
        ":kind": kind, ":key": key, ":payload": payload, ":run_at": run_at, ":now": tx.now(),
    })
}

pub fn payload(tx: &Tx<'_>, kind: &str, key: &str) -> Result<Option<String>, Error> {
    tx.sql("select payload from job where kind = :kind and key = :key")
        .first(named_params! { ":kind": kind, ":key": key }, |row| row.get(0))
}

/// Deletes a job that has nothing left to do.
pub fn cancel(tx: &Tx<'_>, kind: &str, key: &str) -> Result<(), Error> {
    tx.sql("delete from job where kind = :kind and key = :key")
        .run(named_params! { ":kind": kind, ":key": key })
}

pub fn run_now(tx: &Tx<'_>, kind: &str) -> Result<(), Error> {
    tx.sql("update job set run_at = :now where kind = :kind and run_at > :now")
        .run(named_params! { ":kind": kind, ":now": tx.now() })
}

/// The pending jobs.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, crate::describe::ToSchema, FromRow)]
pub struct JobBacklog {
    /// All of them, including those scheduled for later.
    pub waiting: i64,
    /// Those that are due.
    pub due: i64,
    /// Those that failed and are being retried.
    pub failing: i64,
    /// When the oldest due job became due.
    pub due_since: Option<Timestamp>,
}

pub fn backlog(tx: &Tx<'_>) -> Result<JobBacklog, Error> {
    tx.sql(
        "select count(*) as waiting, count(*) filter (where run_at <= :now) as due,
                count(*) filter (where attempt_count > 0) as failing,
                min(run_at) filter (where run_at <= :now) as due_since
           from job",
    )
    .one(named_params! { ":now": tx.now() }, JobBacklog::from_row)
}

/// Schedules a job, unless there already is one of this kind.
pub(super) fn ensure(tx: &Tx<'_>, kind: &str, run_at: Timestamp) -> Result<(), Error> {
    tx.sql("insert or ignore into job (kind, key, run_at, created_at) values (:kind, '', :run_at, :now)")
        .run(named_params! { ":kind": kind, ":run_at": run_at, ":now": tx.now() })
}

/// Returns the due jobs at an instant, the longest due first, without running ones and those of full kinds and prefixes.
pub(super) fn due(
    tx: &Tx<'_>,
    at: Timestamp,
    (running, (full_kinds, full_prefixes)): (&[i64], &(BTreeSet<String>, BTreeSet<String>)),
    limit: u32,
) -> Result<Vec<Job>, Error> {
    tx.sql(
        "select seq, run_at, kind, key, payload, attempt_count from job
          where run_at <= :at and seq not in (select value from json_each(:running))
            and kind not in (select value from json_each(:full_kinds))
            and kind || '/' || substr(key, 1, instr(key, '/') - 1)
                not in (select value from json_each(:full_prefixes))
          order by run_at, seq limit :limit",
    )
    .all(
        named_params! {
            ":at": at, ":running": serde_json::json!(running).to_string(), ":full_kinds": ids::list(full_kinds),
            ":full_prefixes": ids::list(full_prefixes), ":limit": limit,
        },
        Job::from_row,
    )
}

/// Deletes a finished job, unless it was rescheduled while it ran.
pub(super) fn finish(tx: &Tx<'_>, seq: i64, run_at: Timestamp) -> Result<(), Error> {
    tx.sql("delete from job where seq = :seq and run_at = :run_at")
        .run(named_params! { ":seq": seq, ":run_at": run_at })
}

/// Reschedules a job to its next time, with the error if it failed. If it was rescheduled while it ran, that time stays, and
/// its error is only logged.
pub(super) fn put_off(
    tx: &Tx<'_>,
    (seq, run_at): (i64, Timestamp),
    next_at: Timestamp,
    error: Option<&str>,
) -> Result<(), Error> {
    tx.sql(
        "update job set run_at = :next_at, last_error = :error,
                attempt_count = case when :error is null then 0 else attempt_count + 1 end
          where seq = :seq and run_at = :run_at",
    )
    .run(named_params! { ":seq": seq, ":run_at": run_at, ":next_at": next_at, ":error": error })
}
