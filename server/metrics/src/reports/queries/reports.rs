//! Queries for stored reports.

use rusqlite::named_params;
use serde::Serialize;
use serde_json::Value;

use crate::clock::Timestamp;
use crate::database::listing::ListQuery;
use crate::database::{self, Record, Stored, Table as _, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::ReportId;

/// A stored report.
#[derive(Debug, Serialize, ToSchema, Record, Resource)]
#[record(table = "metric_report r", list(plural = "reports", order = "-created_at"))]
#[resource(name = "report")]
pub(crate) struct SavedReport {
    #[column(filter, order)]
    pub(crate) id: ReportId,
    pub(crate) name: Option<String>,
    #[column(json)]
    pub(crate) question: Value,
    /// The result; only on request.
    #[field(extra)]
    #[column(json)]
    pub(crate) result: Option<Value>,
    pub(crate) row_count: i64,
    pub(crate) created_by: String,
    /// When the report was created.
    #[column(order)]
    pub(crate) created_at: Timestamp,
}

/// Narrows a list to the reports whose metrics a reader may see.
fn visible(query: ListQuery, reader: &str) -> ListQuery {
    query.narrow(
        "r.id not in (select u.report_id from metric m join metric_report_use u on u.metric_key = m.key
           where m.visibility = 'private' and m.owner_id is not ?)",
        [reader.to_owned().into()],
    )
}

/// Returns a page of the reports whose metrics a reader may see, and the total count.
pub(crate) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
    (with_result, reader): (bool, &str),
) -> Result<(Vec<SavedReport>, u64), database::Error> {
    let columns = if with_result {
        "r.id, r.name, r.question, r.result, r.row_count, r.created_by, r.created_at"
    } else {
        "r.id, r.name, r.question, 'null' as result, r.row_count, r.created_by, r.created_at"
    };
    let query = visible(query, reader);
    Ok((query.page(tx, columns, SavedReport::read)?, query.count(tx)?))
}

/// Returns the bytes of the results of a page, without reading them.
pub(crate) fn result_bytes(
    tx: &Tx<'_>,
    query: ListQuery,
    reader: &str,
) -> Result<i64, database::Error> {
    let sizes = visible(query, reader).page(tx, "octet_length(r.result)", |row| row.get(0))?;
    Ok(sizes.into_iter().fold(0, i64::saturating_add))
}

/// Stores a report and the metrics that it shows.
pub(crate) fn insert(
    tx: &Tx<'_>,
    row: &SavedReport,
    metrics: &[String],
) -> Result<(), database::Error> {
    row.insert(tx)?;
    tx.sql("insert into metric_report_use (metric_key, report_id) select distinct value, :id from json_each(:metrics)")
        .run(named_params! { ":id": row.id, ":metrics": Stored(metrics) })
}
