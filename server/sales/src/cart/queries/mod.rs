//! The SQL of carts: one statement per function, and the same number of statements for one line as for fifty.

mod carts;
mod credit;
mod lines;
mod methods;

pub(super) use carts::{find_cart, insert_cart, insert_imported, update_cart};
pub(super) use credit::{credit_lines, delete_credit_lines, put_credit_lines};
pub(crate) use lines::read_item;
pub(super) use lines::{delete_lines, lines, put_lines};
pub(super) use methods::{delete_methods, put_methods, shipping_methods};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::database::{Named, Stored};

/// Reads a JSON column.
fn json<T: DeserializeOwned>(row: &Named<'_, '_>, column: &str) -> rusqlite::Result<T> {
    row.get(column).map(|Stored(value)| value)
}

/// Reads a nullable JSON column.
fn json_or_null<T: DeserializeOwned>(
    row: &Named<'_, '_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    row.get::<Option<Stored<T>>>(column).map(|stored| stored.map(|Stored(value)| value))
}

/// Serializes a value to store.
fn text<T: Serialize + ?Sized>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// Serializes an optional value to store.
fn text_or_null<T: Serialize>(value: Option<&T>) -> rusqlite::Result<Option<String>> {
    value.map(text).transpose()
}
