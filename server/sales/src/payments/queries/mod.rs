//! The statements of payments: the only place of this domain with SQL.

pub(super) mod admin_payments;
pub(super) mod collections;
pub(super) mod payments;
pub(super) mod sessions;

use rusqlite::Row;

use crate::database::Stored;

/// The value of a column of JSON.
fn stored<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    row.get::<_, Option<Stored<T>>>(column).map(|stored| stored.map(|Stored(value)| value))
}

/// The state of a word in a column.
fn word<T>(row: &Row<'_>, column: &str, parse: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let index = row.as_ref().column_index(column)?;
    let word = row.get_ref(index)?.as_str()?;
    parse(word).ok_or_else(|| {
        let what = format!("`{word}` is no {column}").into();
        rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Text, what)
    })
}
