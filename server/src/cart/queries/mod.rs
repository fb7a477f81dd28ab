//! The SQL of carts: one statement a function, the same number of statements for one line as for fifty.

mod carts;
mod credit;
mod lines;
mod methods;

pub(super) use carts::{find_cart, insert_cart, insert_past, update_cart};
pub(super) use credit::{credit_lines, delete_credit_lines, put_credit_lines};
pub(crate) use lines::read_item;
pub(super) use lines::{delete_lines, lines, put_lines};
pub(super) use methods::{delete_methods, put_methods, shipping_methods};

use rusqlite::Row;
use rusqlite::types::Type;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A column that holds JSON.
fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let index = row.as_ref().column_index(column)?;
    let text = row.get_ref(index)?.as_str()?;
    serde_json::from_str(text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(index, Type::Text, error.into()))
}

/// A column that holds JSON or nothing.
fn json_or_null<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<T>> {
    let index = row.as_ref().column_index(column)?;
    if row.get_ref(index)? == rusqlite::types::ValueRef::Null {
        Ok(None)
    } else {
        json(row, column).map(Some)
    }
}

/// The JSON of a value that is to be stored.
fn text(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// The JSON of a value that may be missing.
fn text_or_null<T: Serialize>(value: Option<&T>) -> rusqlite::Result<Option<String>> {
    value.map(text).transpose()
}
