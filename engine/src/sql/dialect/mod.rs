//! What differs between databases; everything else in a statement reads the same in all of them.

mod clickhouse;
mod datafusion;
mod postgres;
mod sqlite;

use super::query::BoundValue;

/// A database's way of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `SQLite`, from 3.39 on.
    Sqlite,
    /// `PostgreSQL`, from 12 on, and what speaks like it.
    PostgreSql,
    /// `ClickHouse`.
    ClickHouse,
    /// Apache `DataFusion`.
    DataFusion,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 4] = [Self::Sqlite, Self::PostgreSql, Self::ClickHouse, Self::DataFusion];

    /// Its name, in lower case: `sqlite`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::PostgreSql => "postgresql",
            Self::ClickHouse => "clickhouse",
            Self::DataFusion => "datafusion",
        }
    }

    pub(super) const fn words(self) -> &'static dyn Words {
        match self {
            Self::Sqlite => &sqlite::Sqlite,
            Self::PostgreSql => &postgres::PostgreSql,
            Self::ClickHouse => &clickhouse::ClickHouse,
            Self::DataFusion => &datafusion::DataFusion,
        }
    }
}

/// The kind of a column that is made of bound values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundColumnKind {
    Integer,
    Text,
}

/// The parts of a statement that one dialect writes in its own way.
pub(super) trait Words {
    /// The placeholder of a value.
    fn mark(&self, number: usize, value: &BoundValue) -> String;

    /// A 64-bit integer as one that neither a sum nor a product of two can overflow. Where there is
    /// none, a sum that overflows must raise an error.
    fn wide(&self, integer: &str) -> String;

    /// A wide integer in a form that a cell can hold.
    fn narrow(&self, integer: &str) -> String;

    /// Whether sums are of 64 bits and taken in halves once they overflow.
    fn sums_in_halves(&self) -> bool {
        false
    }

    /// A text that is compared, ordered and sorted by its bytes.
    fn by_bytes(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Whether a text matches a pattern of `%` and `_`, with regard to case.
    fn like(&self, text: &str, pattern: &str) -> String {
        format!("{text} LIKE {pattern}")
    }

    /// The pattern as [`like`](Self::like) wants it.
    fn pattern(&self, pattern: &str) -> String {
        pattern.replace('\\', "\\\\")
    }

    /// The table `b` of buckets: their number `i`, and a column for each of `made`. Rows hold
    /// placeholders or NULL.
    fn buckets(&self, made: &[BoundColumnKind], rows: &[Vec<String>]) -> String {
        let columns = made.iter().enumerate().map(|(index, _)| format!(", c{index}"));
        let rows: Vec<String> =
            rows.iter().map(|row| format!("    ({})", row.join(", "))).collect();
        format!("b(i{}) AS (VALUES\n{})", columns.collect::<String>(), rows.join(",\n"))
    }

    /// A NULL in a column of that kind.
    fn null(&self, _made: BoundColumnKind) -> &'static str {
        "NULL"
    }

    /// What stands at the very end.
    fn end(&self) -> &'static str {
        ""
    }
}

/// A name, quoted.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
