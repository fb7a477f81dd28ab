//! Queries for computed values and how long they took.

use std::collections::BTreeMap;

use quotient::schema::{DataType, Source};
use rusqlite::{ToSql, named_params};

use super::Question;
use super::range::ResolvedRange;
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::registry::schema::has_currency;

/// The estimate for dimensions whose values are texts of orders, such as `utm_source`.
const TEXT_VALUES: usize = 100;

impl ResolvedRange {
    /// Returns the parameters of its currency and filters for statements over orders, with others of the statement.
    pub(crate) fn parameters<'r>(
        &'r self,
        others: &[(&'r str, &'r dyn ToSql)],
    ) -> Vec<(&'r str, &'r dyn ToSql)> {
        let own: [(&str, &dyn ToSql); 4] = [
            (":currency", &self.currency_code),
            (":channel", &self.asked.filters.sales_channel_id),
            (":region", &self.asked.filters.region_id),
            (":country", &self.asked.filters.country_code),
        ];
        [own.as_slice(), others].concat()
    }
}

/// Returns about how many values a dimension has, or a key by which rows are grouped.
pub(crate) fn dimension_size(tx: &Tx<'_>, dimension: &str) -> Result<usize, database::Error> {
    let sql = match dimension {
        "product" | "product_id" => "select count(*) from product",
        "variant" | "variant_id" => "select count(*) from product_variant",
        "category" => "select count(*) from product_category",
        "sales_channel" | "sales_channel_id" => "select count(*) from sales_channel",
        "region" | "region_id" => "select count(*) from region",
        "country" => "select count(*) from region_country",
        "customer" | "customer_id" => "select coalesce(max(rowid), 0) from customer",
        "order" | "order_id" => "select coalesce(max(rowid), 0) from orders",
        // Nearly every row has its own.
        "id" | "session_id" => return Ok(usize::MAX),
        _other => return Ok(TEXT_VALUES),
    };
    let count: i64 = tx.sql(sql).one([], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Returns the number of rows that a source has in the range of a question, but no more than a limit; 0 for sources
/// whose rows have no instant.
pub(crate) fn row_count(
    tx: &Tx<'_>,
    source: &Source,
    question: &Question,
    limit: usize,
) -> Result<usize, database::Error> {
    let date = source.date.as_ref().and_then(|date| source.fields.get(date.field.0));
    let date = date.filter(|date| date.data_type == DataType::DateTime);
    let Some((date, (start, end))) = date.zip(question.instants()) else { return Ok(0) };
    let currency = question.currency.code().to_ascii_lowercase();
    let code = if has_currency(source) { "currency_code" } else { ":currency" };
    let sql = format!(
        "select count(*) from (select 1 from metric_{}
          where {date} >= :start and {date} < :end and {code} = :currency limit :limit)",
        source.name,
        date = date.name,
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let count: i64 = tx.sql(&sql).one(
        named_params! { ":start": start, ":end": end, ":currency": currency, ":limit": limit },
        |row| row.get(0),
    )?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The key of a daily snapshot: the day, and the filters as canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SnapshotKey {
    pub day: String,
    pub scope: String,
}

/// Returns the stored values of a day, by metric.
pub(crate) fn snapshots(
    tx: &Tx<'_>,
    of: &SnapshotKey,
) -> Result<BTreeMap<String, String>, database::Error> {
    tx.sql("select metric, record from metric_day_snapshot where day = :day and scope = :scope")
        .all(named_params! { ":day": of.day, ":scope": of.scope }, |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
}

/// Stores a value; an existing one is kept unless `replace` is set.
pub(crate) fn keep_snapshot(
    tx: &Tx<'_>,
    of: &SnapshotKey,
    (metric, record): (&str, &str),
    (taken_by, replace): (&str, bool),
) -> Result<(), database::Error> {
    let taken_at: Timestamp = tx.now();
    tx.sql(
        "insert into metric_day_snapshot (day, scope, metric, record, taken_by, taken_at)
         values (:day, :scope, :metric, :record, :taken_by, :taken_at)
         on conflict (day, scope, metric) do update
            set record = excluded.record, taken_by = excluded.taken_by, taken_at = excluded.taken_at
            where :replace",
    )
    .run(named_params! {
        ":day": of.day,
        ":scope": of.scope,
        ":metric": metric,
        ":record": record,
        ":taken_by": taken_by,
        ":taken_at": taken_at,
        ":replace": replace,
    })
}

/// Returns the version of each table, which every row written to it raises by one.
pub(crate) fn data_versions(tx: &Tx<'_>) -> Result<BTreeMap<String, i64>, database::Error> {
    tx.sql("select name, version from metric_data_version")
        .all([], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the sum of all versions, which every row written to a table of metrics raises.
pub(crate) fn sum_of_data_versions(tx: &Tx<'_>) -> Result<i64, database::Error> {
    tx.sql("select coalesce(sum(version), 0) from metric_data_version").one([], |row| row.get(0))
}

pub(crate) fn insert_performance_report(
    tx: &Tx<'_>,
    id: &str,
    body: &str,
    created_by: &str,
) -> Result<(), database::Error> {
    tx.insert(
        "metric_performance_report",
        named_params! {
            ":id": id, ":body": body, ":created_by": created_by, ":created_at": tx.now(),
        },
    )
}
