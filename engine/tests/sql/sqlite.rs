//! SQLite in memory, with its statements counted.

use std::cell::Cell as Count;

use quotient::sql::{BoundValue, EachRow, Query, SqlValue, Store, StoreError};
use rusqlite::types::{Value, ValueRef};

use crate::sql::tables::Ddl;

pub(crate) const DDL: Ddl = Ddl {
    integer: "INTEGER",
    text: "TEXT",
    boolean: "INTEGER",
    engine: " STRICT",
    has_booleans: false,
};

/// A database in memory.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: rusqlite::Connection,
    pub(crate) statements: Count<usize>,
}

impl Sqlite {
    pub(crate) fn new(script: &[String]) -> Self {
        let connection = rusqlite::Connection::open_in_memory().expect("a database");
        for statement in script {
            connection
                .execute_batch(statement)
                .unwrap_or_else(|error| panic!("{error}: {statement}"));
        }
        Self { connection, statements: Count::new(0) }
    }
}

fn failed(error: &rusqlite::Error) -> StoreError {
    let text = error.to_string();
    if text.contains("integer overflow") {
        StoreError::OutOfRange
    } else {
        StoreError::Failed(text)
    }
}

impl Store for Sqlite {
    fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        self.statements.set(self.statements.get() + 1);
        let failed = |error: rusqlite::Error| failed(&error);
        let mut statement = self.connection.prepare_cached(&query.text).map_err(failed)?;
        let values = query.values.iter().map(|value| match value {
            BoundValue::Integer(value) => Value::Integer(*value),
            BoundValue::Text(text) => Value::Text(text.clone()),
        });
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(values)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let cell = |index| match row.get_ref(index).map_err(failed)? {
                ValueRef::Null => Ok(SqlValue::Null),
                ValueRef::Integer(value) => Ok(SqlValue::Integer(value)),
                ValueRef::Text(text) => {
                    Ok(SqlValue::Text(String::from_utf8_lossy(text).into_owned()))
                }
                ValueRef::Real(_) | ValueRef::Blob(_) => Err(StoreError::OutOfRange),
            };
            each(&(0..columns).map(cell).collect::<Result<Vec<_>, _>>()?)?;
        }
        Ok(())
    }
}
