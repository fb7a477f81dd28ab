//! Stored performance reports.

use rusqlite::named_params;

use crate::database::{self, Tx};

pub(crate) fn insert(
    tx: &Tx<'_>,
    id: &str,
    body: &str,
    created_by: &str,
) -> Result<(), database::Error> {
    tx.insert(
        "metric_performance_report",
        named_params! {
            ":id": id, ":body": body, ":created_by": created_by, ":created_at": tx.now(),
        },
    )
}
