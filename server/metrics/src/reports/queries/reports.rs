//! Queries for stored reports.

use rusqlite::named_params;
use serde::Serialize;
use serde_json::Value;

use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{self, FromRow, Stored, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::ReportId;

pub(crate) static REPORTS: Listing = Listing {
    plural: "reports",
    table: "metric_report r",
    tie_breaker: "r.id",
    columns: &[
        Column::new("id", "r.id", Kind::Id),
        Column::order("created_at", "r.created_at", Kind::Time),
    ],
    search: &[],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

/// A stored report.
#[derive(Debug, Serialize, ToSchema, Resource, FromRow)]
#[resource(name = "report", list = REPORTS)]
pub(crate) struct SavedReport {
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
    Ok((query.page(tx, columns, SavedReport::from_row)?, query.count(tx)?))
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
    tx.insert("metric_report", named_params! {
        ":id": row.id, ":name": row.name, ":question": Stored(&row.question),
        ":result": Stored(&row.result), ":row_count": row.row_count, ":created_by": row.created_by,
        ":created_at": row.created_at,
    })?;
    tx.sql("insert into metric_report_use (metric_key, report_id) select distinct value, :id from json_each(:metrics)")
        .run(named_params! { ":id": row.id, ":metrics": Stored(metrics) })
}
