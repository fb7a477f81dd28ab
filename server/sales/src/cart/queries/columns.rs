//! JSON columns.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::database::{Named, Stored};

/// Reads a JSON column.
pub(super) fn json<T: DeserializeOwned>(row: &Named<'_, '_>, column: &str) -> rusqlite::Result<T> {
    row.get(column).map(|Stored(value)| value)
}

/// Reads a nullable JSON column.
pub(super) fn json_or_null<T: DeserializeOwned>(
    row: &Named<'_, '_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    row.get::<Option<Stored<T>>>(column).map(|stored| stored.map(|Stored(value)| value))
}

/// Serializes a value to store.
pub(super) fn text<T: Serialize + ?Sized>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// Serializes an optional value to store.
pub(super) fn text_or_null<T: Serialize>(value: Option<&T>) -> rusqlite::Result<Option<String>> {
    value.map(text).transpose()
}
