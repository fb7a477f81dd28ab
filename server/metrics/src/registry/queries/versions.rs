//! Queries for versions of metrics.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{self, FromRow as _, Stored, Tx};
use crate::ids::MetricVersionId;
use crate::registry::metric::{FormattingRules, VersionView};
use crate::registry::vocabulary::DataType;

/// A version to store: the columns of lists, and the engine's own record.
#[derive(Debug)]
pub(crate) struct NewVersion<'a> {
    pub metric_seq: i64,
    pub version: &'a quotient::registry::Version,
    pub name: &'a str,
    pub data_type: DataType,
    pub formatting_rules: &'a FormattingRules,
    pub at: Timestamp,
}

pub(crate) fn insert(tx: &Tx<'_>, new: &NewVersion<'_>) -> Result<(), database::Error> {
    tx.insert("metric_version", named_params! {
        ":metric_seq": new.metric_seq, ":number": new.version.number, ":id": MetricVersionId::new(),
        ":name": new.name, ":formula": new.version.definition.formula,
        ":canonical": new.version.canonical, ":hash": new.version.hash.to_string(),
        ":data_type": new.data_type, ":formatting_rules": Stored(new.formatting_rules),
        ":body": Stored(new.version), ":author": new.version.signed.author,
        ":note": new.version.signed.note, ":restored_from": new.version.restored_from,
        ":created_at": new.at,
    })
}

/// Returns the engine's records of all versions of all metrics, each with its metric, in order.
pub(crate) fn bodies(
    tx: &Tx<'_>,
) -> Result<Vec<(i64, quotient::registry::Version)>, database::Error> {
    tx.sql("select metric_seq, body from metric_version order by metric_seq, number").all(
        [],
        |row| {
            let Stored(version) = row.get(1)?;
            Ok((row.get(0)?, version))
        },
    )
}

/// Returns the versions of a metric, the newest first.
pub(crate) fn of_metric(tx: &Tx<'_>, metric_seq: i64) -> Result<Vec<VersionView>, database::Error> {
    tx.sql("select * from metric_version where metric_seq = :metric order by number desc")
        .all(named_params! { ":metric": metric_seq }, VersionView::from_row)
}
