//! Versions of the tables that sources read.

use std::collections::BTreeMap;

use crate::database::{self, Tx};

/// Returns the version of each table, which every row written to it raises by one.
pub(crate) fn read(tx: &Tx<'_>) -> Result<BTreeMap<String, i64>, database::Error> {
    tx.sql("select name, version from metric_data_version")
        .all([], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the sum of all versions, which every row written to a table of metrics raises.
pub(crate) fn sum(tx: &Tx<'_>) -> Result<i64, database::Error> {
    tx.sql("select coalesce(sum(version), 0) from metric_data_version").one([], |row| row.get(0))
}
