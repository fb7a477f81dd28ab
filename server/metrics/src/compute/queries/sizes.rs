//! The sizes of dimensions.

use crate::database::{self, Tx};

/// The estimate for dimensions whose values are texts of orders, such as `utm_source`.
const TEXT_VALUES: usize = 100;

/// Returns about how many values a dimension has.
pub(crate) fn dimension_size(tx: &Tx<'_>, dimension: &str) -> Result<usize, database::Error> {
    let sql = match dimension {
        "product" => "select count(*) from product",
        "variant" => "select count(*) from product_variant",
        "category" => "select count(*) from product_category",
        "sales_channel" | "sales_channel_id" => "select count(*) from sales_channel",
        "region" | "region_id" => "select count(*) from region",
        "country" => "select count(*) from region_country",
        _other => return Ok(TEXT_VALUES),
    };
    let count: i64 = tx.sql(sql).one([], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}
