//! Versions of the tables that sources read.

use std::collections::BTreeMap;

use crate::database::{self, Tx};

/// Returns the version of each table, which every row written to it raises by one.
pub(crate) fn read(tx: &Tx<'_>) -> Result<BTreeMap<String, i64>, database::Error> {
    let mut statement = tx.prepare_cached("select name, version from metric_data_version")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
