//! The differences between databases; everything else in a statement is common to all.

mod clickhouse;
mod datafusion;
mod postgres;
mod sqlite;

use super::query::BoundValue;

/// The SQL dialect of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `SQLite`, from 3.39 on.
    Sqlite,
    /// `PostgreSQL`, from 12 on, and compatible databases.
    PostgreSql,
    /// `ClickHouse`.
    ClickHouse,
    /// Apache `DataFusion`.
    DataFusion,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 4] = [Self::Sqlite, Self::PostgreSql, Self::ClickHouse, Self::DataFusion];

    /// Returns the name in lower case: `sqlite`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::PostgreSql => "postgresql",
            Self::ClickHouse => "clickhouse",
            Self::DataFusion => "datafusion",
        }
    }

    pub(super) const fn words(self) -> &'static dyn DialectSyntax {
        match self {
            Self::Sqlite => &sqlite::Sqlite,
            Self::PostgreSql => &postgres::PostgreSql,
            Self::ClickHouse => &clickhouse::ClickHouse,
            Self::DataFusion => &datafusion::DataFusion,
        }
    }
}

/// The type of a column of bound values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundColumnKind {
    Integer,
    Text,
}

/// The dialect's own spelling of the parts of a statement.
pub(super) trait DialectSyntax {
    /// Returns the placeholder of a value.
    fn mark(&self, number: usize, value: &BoundValue) -> String;

    /// Casts a 64-bit integer to a type in which neither a sum nor a product of two overflows. In a
    /// dialect without one, an overflowing sum must raise an error.
    fn wide(&self, integer: &str) -> String;

    /// Casts a wide integer to a type that a cell can hold.
    fn narrow(&self, integer: &str) -> String;

    /// Returns whether sums have 64 bits and are split into halves on overflow.
    fn sums_in_halves(&self) -> bool {
        false
    }

    /// Makes a text compare and sort by its bytes.
    fn by_bytes(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Matches a text with a pattern of `%` and `_`, case-sensitively.
    fn like(&self, text: &str, pattern: &str) -> String {
        format!("{text} LIKE {pattern}")
    }

    /// Translates the pattern for [`like`](Self::like).
    fn pattern(&self, pattern: &str) -> String {
        pattern.replace('\\', "\\\\")
    }

    /// Writes the table `b` of buckets: their number `i`, and a column for each of `made`. Rows
    /// hold placeholders or NULL.
    fn buckets(&self, made: &[BoundColumnKind], rows: &[Vec<String>]) -> String {
        let columns = made.iter().enumerate().map(|(index, _)| format!(", c{index}"));
        let rows: Vec<String> =
            rows.iter().map(|row| format!("    ({})", row.join(", "))).collect();
        format!("b(i{}) AS (VALUES\n{})", columns.collect::<String>(), rows.join(",\n"))
    }

    /// Returns a NULL of the column's type.
    fn null(&self, _made: BoundColumnKind) -> &'static str {
        "NULL"
    }

    /// Returns the end of the statement.
    fn end(&self) -> &'static str {
        ""
    }
}

/// Quotes a name.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
