//! Queries for examples: contexts with the expected results of metrics.

use quotient::registry::Example;
use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{self, FromRow, Tx};
use crate::ids::MetricExampleId;

#[derive(Debug, Clone, FromRow)]
pub(crate) struct ExampleRow {
    pub id: MetricExampleId,
    pub metric_seq: i64,
    /// The context record as JSON text.
    pub context: String,
    /// The expected result: a constant, or `null (reason)`.
    pub expected: String,
    pub created_at: Timestamp,
}

/// Returns the examples of all metrics, in order.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<ExampleRow>, database::Error> {
    tx.sql("select id, metric_seq, context, expected, created_at from metric_example order by metric_seq, position")
        .all([], ExampleRow::from_row)
}

/// Adds an example after the others of its metric; returns its id.
pub(crate) fn insert(
    tx: &Tx<'_>,
    metric_seq: i64,
    example: &Example,
) -> Result<MetricExampleId, database::Error> {
    let id = MetricExampleId::new();
    tx.sql(
        "insert into metric_example (id, metric_seq, position, context, expected, created_at)
         values (:id, :metric, (select coalesce(max(position) + 1, 0) from metric_example where metric_seq = :metric),
            :context, :expected, :now)",
    )
    .run(named_params! {
        ":id": id, ":metric": metric_seq, ":context": example.context, ":expected": example.expected,
        ":now": tx.now(),
    })?;
    Ok(id)
}

/// Replaces an example's context after names in it changed.
pub(crate) fn set_context(
    tx: &Tx<'_>,
    metric_seq: i64,
    position: i64,
    context: &str,
) -> Result<(), database::Error> {
    tx.sql("update metric_example set context = :context where metric_seq = :metric and position = :position")
        .run(named_params! { ":context": context, ":metric": metric_seq, ":position": position })
}

/// Returns the examples of a metric, in order.
pub(crate) fn of_metric(tx: &Tx<'_>, metric_seq: i64) -> Result<Vec<ExampleRow>, database::Error> {
    tx.sql(
        "select id, metric_seq, context, expected, created_at from metric_example where metric_seq = :metric
         order by position",
    )
    .all(named_params! { ":metric": metric_seq }, ExampleRow::from_row)
}
