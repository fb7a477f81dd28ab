//! Values stored as JSON in a text column, and types stored as what they wrap.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value stored as JSON text, which only its own row reads and writes. A null column is read as JSON's null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored<T>(pub T);

impl<T: Serialize> ToSql for Stored<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        serde_json::to_string(&self.0)
            .map(ToSqlOutput::from)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
    }
}

impl<T: DeserializeOwned> FromSql for Stored<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str_or_null()?.unwrap_or("null"))
            .map(Self)
            .map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

/// Stores a type as the value that it wraps: `stored_as_inner!(Email(String));`.
#[macro_export]
macro_rules! stored_as_inner {
    ($name:ident($inner:ty)) => {
        impl ::rusqlite::ToSql for $name {
            fn to_sql(&self) -> ::rusqlite::Result<::rusqlite::types::ToSqlOutput<'_>> {
                ::rusqlite::ToSql::to_sql(&self.0)
            }
        }

        impl ::rusqlite::types::FromSql for $name {
            fn column_result(
                value: ::rusqlite::types::ValueRef<'_>,
            ) -> ::rusqlite::types::FromSqlResult<Self> {
                <$inner as ::rusqlite::types::FromSql>::column_result(value).map(Self)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::Stored;

    #[test]
    fn a_value_is_stored_as_text_and_read_back_and_none_is_null() {
        let connection = Connection::open_in_memory().unwrap();
        let ask = |sent: Option<Stored<Vec<i64>>>| -> (Option<Stored<Vec<i64>>>, String) {
            connection
                .query_row("select ?1, typeof(?1)", [sent], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap()
        };

        assert_eq!(ask(Some(Stored(vec![1, 2]))), (Some(Stored(vec![1, 2])), "text".to_owned()));
        assert_eq!(ask(None), (None, "null".to_owned()));
    }

    #[test]
    fn text_that_is_something_else_is_an_error() {
        let connection = Connection::open_in_memory().unwrap();

        let read = connection.query_row("select '{}'", [], |row| row.get::<_, Stored<Vec<i64>>>(0));

        assert!(read.is_err());
    }
}
