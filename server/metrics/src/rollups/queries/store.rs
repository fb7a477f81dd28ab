//! Runs the engine's statements in the snapshot of a transaction.

use quotient::sql::{BoundValue, EachRow, Query, SqlValue, Store, StoreError};
use rusqlite::types::{Value, ValueRef};

use crate::database::Tx;

/// A transaction as the engine's store.
#[derive(Debug)]
pub(crate) struct StoreRows<'t, 'c>(pub &'t Tx<'c>);

impl Store for StoreRows<'_, '_> {
    fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        let mut statement = self.0.prepare_cached(&query.text).map_err(|error| failed(&error))?;
        let values = query.values.iter().map(|value| match value {
            BoundValue::Integer(value) => Value::Integer(*value),
            BoundValue::Text(text) => Value::Text(text.clone()),
        });
        let columns = statement.column_count();
        let mut rows =
            statement.query(rusqlite::params_from_iter(values)).map_err(|error| failed(&error))?;
        let mut cells = Vec::with_capacity(columns);
        while let Some(row) = rows.next().map_err(|error| failed(&error))? {
            let cell = |index| match row.get_ref(index).map_err(|error| failed(&error))? {
                ValueRef::Null => Ok(SqlValue::Null),
                ValueRef::Integer(value) => Ok(SqlValue::Integer(value)),
                ValueRef::Text(text) => {
                    Ok(SqlValue::Text(String::from_utf8_lossy(text).into_owned()))
                }
                ValueRef::Real(_) | ValueRef::Blob(_) => Err(StoreError::OutOfRange),
            };
            cells.clear();
            for index in 0..columns {
                cells.push(cell(index)?);
            }
            each(&cells)?;
        }
        Ok(())
    }
}

/// Converts an error. A sum that overflows 64 bits is retried in another way; anything else is a failure.
fn failed(error: &rusqlite::Error) -> StoreError {
    let text = error.to_string();
    if text.contains("integer overflow") {
        return StoreError::OutOfRange;
    }
    StoreError::Failed(text)
}
