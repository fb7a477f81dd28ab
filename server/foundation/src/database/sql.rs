//! Statements, run in a transaction and kept prepared for their next use.

use rusqlite::{OptionalExtension as _, Params, Row};

use super::{Error, Tx};

/// The text of a statement, to be run in a transaction.
#[derive(Debug, Clone, Copy)]
pub struct Sql<'t> {
    tx: &'t Tx<'t>,
    text: &'t str,
}

impl Tx<'_> {
    /// Returns a statement to run in this transaction: `tx.sql("select …").all(named_params! { … }, |row| row.get(0))`.
    pub fn sql<'t>(&'t self, text: &'t str) -> Sql<'t> {
        Sql { tx: self, text }
    }
}

impl Sql<'_> {
    pub fn all<T, C: FromIterator<T>>(
        self,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<C, Error> {
        let mut statement = self.tx.prepare_cached(self.text)?;
        Ok(statement.query_map(parameters, read)?.collect::<rusqlite::Result<_>>()?)
    }

    pub fn first<T>(
        self,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        Ok(self.tx.prepare_cached(self.text)?.query_row(parameters, read).optional()?)
    }

    /// Returns the first row, such as that of a count.
    pub fn one<T>(
        self,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        Ok(self.tx.prepare_cached(self.text)?.query_row(parameters, read)?)
    }

    pub fn exists(self, parameters: impl Params) -> Result<bool, Error> {
        Ok(self.tx.prepare_cached(self.text)?.exists(parameters)?)
    }

    /// Changes rows; returns their number.
    ///
    /// # Errors
    /// If the database refuses; [`Error::Duplicate`] if a key is taken.
    pub fn execute(self, parameters: impl Params) -> Result<usize, Error> {
        Ok(self.tx.prepare_cached(self.text)?.execute(parameters)?)
    }

    pub fn run(self, parameters: impl Params) -> Result<(), Error> {
        self.execute(parameters).map(drop)
    }
}
