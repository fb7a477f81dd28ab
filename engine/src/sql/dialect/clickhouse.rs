//! `ClickHouse`: integers of 256 bits, placeholders with a type, and joins that must be told to give
//! NULL where nothing matches.

use super::{Made, Words};
use crate::sql::query::Bound;

pub(super) struct ClickHouse;

impl Words for ClickHouse {
    fn mark(&self, number: usize, value: &Bound) -> String {
        match value {
            Bound::Integer(_) => format!("{{p{number}:Int64}}"),
            Bound::Text(_) => format!("{{p{number}:String}}"),
        }
    }

    fn wide(&self, integer: &str) -> String {
        format!("toInt256({integer})")
    }

    fn narrow(&self, integer: &str) -> String {
        format!("toString({integer})")
    }

    fn buckets(&self, made: &[Made], rows: &[Vec<String>]) -> String {
        let column = |(index, made): (usize, &Made)| match made {
            Made::Integer => format!(", c{index} Nullable(Int64)"),
            Made::Text => format!(", c{index} Nullable(String)"),
        };
        let columns: String = made.iter().enumerate().map(column).collect();
        let rows: Vec<String> =
            rows.iter().map(|row| format!("    ({})", row.join(", "))).collect();
        format!("b AS (SELECT * FROM values('i Int64{columns}',\n{}))", rows.join(",\n"))
    }

    fn end(&self) -> &'static str {
        "\nSETTINGS join_use_nulls = 1"
    }
}
