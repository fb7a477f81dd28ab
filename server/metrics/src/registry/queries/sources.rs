//! Queries for the sources that have rows.

use crate::database::{self, Tx};

/// Returns the sources that have no rows.
pub(crate) fn empty<'s>(
    tx: &Tx<'_>,
    sources: impl Iterator<Item = &'s str>,
) -> Result<Vec<&'s str>, database::Error> {
    let mut empty = Vec::new();
    for source in sources {
        let mut statement =
            tx.prepare_cached(&format!("select exists (select 1 from metric_{source})"))?;
        if !statement.query_row([], |row| row.get::<_, bool>(0))? {
            empty.push(source);
        }
    }
    Ok(empty)
}
