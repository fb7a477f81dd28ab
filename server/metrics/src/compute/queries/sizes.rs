//! The sizes of dimensions and sources.

use rusqlite::named_params;

use crate::compute::Question;
use crate::database::{self, Tx};

/// The estimate for dimensions whose values are texts of orders, such as `utm_source`.
const TEXT_VALUES: usize = 100;

/// The sources whose rows have an instant, found by an index.
const DATED: &[&str] = &[
    "orders",
    "items",
    "refunds",
    "fulfillments",
    "carts",
    "promotions",
    "bundle_sales",
    "tax_lines",
];

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
        // About every row has one of its own.
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
    source: &str,
    question: &Question,
    limit: usize,
) -> Result<usize, database::Error> {
    let Some((start, end)) = question.instants().filter(|_| DATED.contains(&source)) else {
        return Ok(0);
    };
    let mut statement = tx.prepare_cached(&format!(
        "select count(*) from (select 1 from metric_{source}
          where created_at >= :start and created_at < :end and currency_code = :currency limit :limit)"
    ))?;
    let currency = question.currency.code().to_ascii_lowercase();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let count: i64 = statement.query_row(
        named_params! { ":start": start, ":end": end, ":currency": currency, ":limit": limit },
        |row| row.get(0),
    )?;
    Ok(usize::try_from(count).unwrap_or(0))
}
