//! `ClickHouse`: integers of 256 bits, placeholders with a type, and joins that must be told to give
//! NULL where nothing matches.

use super::{BoundColumnKind, DialectSyntax};
use crate::sql::query::BoundValue;

pub(super) struct ClickHouse;

impl DialectSyntax for ClickHouse {
    fn mark(&self, number: usize, value: &BoundValue) -> String {
        match value {
            BoundValue::Integer(_) => format!("{{p{number}:Int64}}"),
            BoundValue::Text(_) => format!("{{p{number}:String}}"),
        }
    }

    fn wide(&self, integer: &str) -> String {
        format!("toInt256({integer})")
    }

    fn narrow(&self, integer: &str) -> String {
        format!("toString({integer})")
    }

    fn buckets(&self, made: &[BoundColumnKind], rows: &[Vec<String>]) -> String {
        let column = |(index, made): (usize, &BoundColumnKind)| match made {
            BoundColumnKind::Integer => format!(", c{index} Nullable(Int64)"),
            BoundColumnKind::Text => format!(", c{index} Nullable(String)"),
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
