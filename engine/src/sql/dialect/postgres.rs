//! `PostgreSQL`: placeholders say their type, sums are of `numeric`, texts compare by the collation
//! `C`.

use super::{Made, Words};
use crate::sql::query::Bound;

pub(super) struct PostgreSql;

impl Words for PostgreSql {
    fn mark(&self, number: usize, value: &Bound) -> String {
        match value {
            Bound::Integer(_) => format!("${number}::bigint"),
            Bound::Text(_) => format!("${number}::text"),
        }
    }

    fn wide(&self, integer: &str) -> String {
        format!("CAST({integer} AS numeric)")
    }

    fn narrow(&self, integer: &str) -> String {
        format!("CAST({integer} AS text)")
    }

    fn by_bytes(&self, text: &str) -> String {
        format!("{text} COLLATE \"C\"")
    }

    fn null(&self, made: Made) -> &'static str {
        match made {
            Made::Integer => "NULL::bigint",
            Made::Text => "NULL::text",
        }
    }
}
