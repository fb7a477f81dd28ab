//! `SQLite`: sums of integers raise an error on overflow; `LIKE` ignores case and `GLOB` does not.

use super::DialectSyntax;
use crate::sql::query::BoundValue;

pub(super) struct Sqlite;

impl DialectSyntax for Sqlite {
    fn mark(&self, number: usize, _value: &BoundValue) -> String {
        format!("?{number}")
    }

    fn wide(&self, integer: &str) -> String {
        integer.to_owned()
    }

    fn narrow(&self, integer: &str) -> String {
        integer.to_owned()
    }

    fn sums_in_halves(&self) -> bool {
        true
    }

    fn like(&self, text: &str, pattern: &str) -> String {
        format!("{text} GLOB {pattern}")
    }

    fn pattern(&self, pattern: &str) -> String {
        let piece = |letter: char| match letter {
            '%' => "*".to_owned(),
            '_' => "?".to_owned(),
            '*' | '?' | '[' => format!("[{letter}]"),
            other => other.to_string(),
        };
        pattern.chars().map(piece).collect()
    }
}
