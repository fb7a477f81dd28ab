//! `PostgreSQL`: placeholders carry their type, sums are `numeric`, texts compare by the collation
//! `C`.

use super::{BoundColumnKind, DialectSyntax};
use crate::sql::query::BoundValue;

pub(super) struct PostgreSql;

impl DialectSyntax for PostgreSql {
    fn mark(&self, number: usize, value: &BoundValue) -> String {
        match value {
            BoundValue::Integer(_) => format!("${number}::bigint"),
            BoundValue::Text(_) => format!("${number}::text"),
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

    fn null(&self, made: BoundColumnKind) -> &'static str {
        match made {
            BoundColumnKind::Integer => "NULL::bigint",
            BoundColumnKind::Text => "NULL::text",
        }
    }
}
