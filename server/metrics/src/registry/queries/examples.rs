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

impl From<ExampleRow> for Example {
    fn from(row: ExampleRow) -> Self {
        Self { context: row.context, expected: row.expected }
    }
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

/// Replaces the context of a metric's example, given by its index, after names in it changed.
pub(crate) fn set_context(
    tx: &Tx<'_>,
    metric_seq: i64,
    index: i64,
    context: &str,
) -> Result<(), database::Error> {
    // Positions have gaps where examples were removed.
    tx.sql(
        "update metric_example set context = :context
          where id = (select id from metric_example where metric_seq = :metric
                       order by position limit 1 offset :index)",
    )
    .run(named_params! { ":context": context, ":metric": metric_seq, ":index": index })
}

pub(crate) fn remove(tx: &Tx<'_>, id: &MetricExampleId) -> Result<(), database::Error> {
    tx.sql("delete from metric_example where id = :id").run(named_params! { ":id": id })
}

/// Returns the examples of a metric, in order.
pub(crate) fn of_metric(tx: &Tx<'_>, metric_seq: i64) -> Result<Vec<ExampleRow>, database::Error> {
    tx.sql(
        "select id, metric_seq, context, expected, created_at from metric_example where metric_seq = :metric
         order by position",
    )
    .all(named_params! { ":metric": metric_seq }, ExampleRow::from_row)
}
