//! Queries for versions of metrics.

use quotient::registry::Version;
use rusqlite::named_params;

use crate::database::{self, FromRow as _, Stored, Tx};
use crate::ids::MetricVersionId;
use crate::registry::metric::{Metric, VersionView};

/// Stores a version of a metric, whose other columns are those of the metric.
pub(crate) fn insert(
    tx: &Tx<'_>,
    metric: &Metric,
    version: &Version,
) -> Result<(), database::Error> {
    tx.insert(
        "metric_version",
        named_params! {
            ":metric_seq": metric.seq, ":number": version.number, ":id": MetricVersionId::new(),
            ":name": metric.name, ":formula": version.definition.formula,
            ":canonical": version.canonical, ":hash": version.hash.to_string(),
            ":data_type": metric.data_type, ":formatting_rules": Stored(&metric.formatting_rules),
            ":body": Stored(version), ":author": version.signed.author,
            ":note": version.signed.note, ":restored_from": version.restored_from,
            ":created_at": tx.now(),
        },
    )
}

/// Returns the engine's records of all versions of all metrics, each with its metric, in order.
pub(crate) fn bodies(tx: &Tx<'_>) -> Result<Vec<(i64, Version)>, database::Error> {
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
