//! The schema's history: files that are only ever added to, run once each, in order, in one transaction.

use rusqlite::{Connection, TransactionBehavior};

use super::Error;

/// Every migration in order; the position of the last one is the schema's version.
const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_store.sql"),
    include_str!("../../migrations/0002_metrics.sql"),
];

/// Brings the file to this program's schema, or leaves it as it was.
///
/// # Errors
/// [`Error::Newer`] if a later program wrote the file.
pub(super) fn run(connection: &mut Connection) -> Result<(), Error> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let tx = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let found: i64 = tx.query_row("pragma user_version", [], |row| row.get(0))?;
    if found > known {
        return Err(Error::Newer { found, known });
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        tx.execute_batch(migration)?;
    }
    tx.pragma_update(None, "user_version", known)?;
    tx.commit()?;
    Ok(())
}
