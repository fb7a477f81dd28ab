//! Rows whose values are read by column name.

use std::cell::Cell;

use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Error, Result, Row};

/// A row. Each name is searched from the column after the last one found, so that reading in about the order of the
/// statement is fast, and that one is looked at next, since two structs may share a column; [`Row::get`] searches from the
/// first column every time.
#[derive(Debug)]
pub struct Named<'r, 's> {
    row: &'r Row<'s>,
    place: Cell<usize>,
}

impl<'r, 's> Named<'r, 's> {
    /// Wraps a row, starting at the first column.
    pub const fn of(row: &'r Row<'s>) -> Self {
        Self { row, place: Cell::new(0) }
    }

    pub fn get<T: FromSql>(&self, name: &str) -> Result<T> {
        self.row.get(self.index(name)?)
    }

    pub fn get_ref(&self, name: &str) -> Result<ValueRef<'r>> {
        self.row.get_ref(self.index(name)?)
    }

    pub fn index(&self, name: &str) -> Result<usize> {
        let statement = self.row.as_ref();
        let (count, place) = (statement.column_count(), self.place.get());
        let index = [place, place.saturating_sub(1)]
            .into_iter()
            .chain(place..count)
            .chain(0..place)
            .find(|index| statement.column_name(*index).is_ok_and(|own| own == name))
            .ok_or_else(|| Error::InvalidColumnName(name.to_owned()))?;
        self.place.set(index.saturating_add(1));
        Ok(index)
    }
}

/// A struct whose fields are read from the columns of their names, by `#[derive(FromRow)]`.
pub trait FromRow: Sized {
    /// Reads the struct from a row.
    fn from_named(row: &Named<'_, '_>) -> Result<Self>;

    /// Returns the columns of its fields, for writing with [`Tx::put_rows`](super::Tx::put_rows); none if it is read by
    /// hand.
    fn columns() -> Vec<&'static str> {
        Vec::new()
    }

    /// Reads the struct from a row, for use in statements.
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Self::from_named(&Named::of(row))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::Named;

    #[test]
    fn names_are_found_in_any_order_and_missing_ones_are_errors() {
        let connection = Connection::open_in_memory().unwrap();
        let read = connection.query_row("select 1 as a, 2 as b, 3 as c", [], |row| {
            let row = Named::of(row);
            let found: [i64; 4] = [row.get("b")?, row.get("c")?, row.get("a")?, row.get("a")?];
            Ok((found, row.get::<i64>("d").is_err()))
        });

        assert_eq!(read.unwrap(), ([2, 3, 1, 1], true));
    }
}
