//! Daily snapshots of values.

use std::collections::BTreeMap;

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{self, Tx};

/// The key of a daily snapshot: the day, and the filters as canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SnapshotOf {
    pub day: String,
    pub scope: String,
}

/// Returns the stored values of a day, by metric.
pub(crate) fn of(
    tx: &Tx<'_>,
    of: &SnapshotOf,
) -> Result<BTreeMap<String, String>, database::Error> {
    tx.sql("select metric, record from metric_day_snapshot where day = :day and scope = :scope")
        .all(named_params! { ":day": of.day, ":scope": of.scope }, |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
}

/// Stores a value; an existing one is kept unless `replace` is set.
pub(crate) fn keep(
    tx: &Tx<'_>,
    of: &SnapshotOf,
    (metric, record): (&str, &str),
    (taken_by, replace): (&str, bool),
) -> Result<(), database::Error> {
    let taken_at: Timestamp = tx.now();
    tx.sql(
        "insert into metric_day_snapshot (day, scope, metric, record, taken_by, taken_at)
         values (:day, :scope, :metric, :record, :taken_by, :taken_at)
         on conflict (day, scope, metric) do update
            set record = excluded.record, taken_by = excluded.taken_by, taken_at = excluded.taken_at
            where :replace",
    )
    .run(named_params! {
        ":day": of.day,
        ":scope": of.scope,
        ":metric": metric,
        ":record": record,
        ":taken_by": taken_by,
        ":taken_at": taken_at,
        ":replace": replace,
    })
}
