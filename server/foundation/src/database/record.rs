//! Records: structs whose columns are declared once, by `#[derive(Record)]`, and the statements derived from them.

use std::fmt;

use rusqlite::types::FromSql;
use rusqlite::{Params, Row, ToSql, named_params};

use super::listing::{ListQuery, Listing};
use super::{Error, Tx};
use crate::clock::Timestamp;
use crate::ids;

/// A struct that is read from rows.
pub trait Record: Sized {
    /// The table with its alias, such as `product_tag g`.
    const FROM: &'static str;
    /// The columns after `select`, such as `g.id, g.value`.
    const COLUMNS: &'static str;

    fn read_cells(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self>;

    /// Reads a record from a row that begins with its columns.
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Self::read_cells(&mut Cells::new(row))
    }

    /// Returns the records of `select … from …` followed by `rest`, such as `where g.value = :value order by g.id`.
    fn select(tx: &Tx<'_>, rest: &str, parameters: impl Params) -> Result<Vec<Self>, Error> {
        let sql = format!("select {} from {} {rest}", Self::COLUMNS, Self::FROM);
        tx.sql(&sql).all(parameters, Self::read)
    }

    /// Returns the first of these records.
    fn select_one(tx: &Tx<'_>, rest: &str, parameters: impl Params) -> Result<Option<Self>, Error> {
        let sql = format!("select {} from {} {rest}", Self::COLUMNS, Self::FROM);
        tx.sql(&sql).first(parameters, Self::read)
    }

    /// Returns the records of `select …, key from …`, each with its key, such as `link.product_id`. `from` joins the
    /// record's table by its alias.
    fn select_by<K: FromSql>(
        tx: &Tx<'_>,
        key: &str,
        from: &str,
        parameters: impl Params,
    ) -> Result<Vec<(K, Self)>, Error> {
        let sql = format!("select {}, {key} from {from}", Self::COLUMNS);
        tx.sql(&sql).all(parameters, |row| {
            let mut cells = Cells::new(row);
            let record = Self::read_cells(&mut cells)?;
            Ok((cells.take()?, record))
        })
    }
}

/// The cells of a row, read one after the other.
#[derive(Debug)]
pub struct Cells<'r, 's> {
    row: &'r Row<'s>,
    place: usize,
}

impl<'r, 's> Cells<'r, 's> {
    pub const fn new(row: &'r Row<'s>) -> Self {
        Self { row, place: 0 }
    }

    pub fn take<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        let value = self.row.get(self.place)?;
        self.place = self.place.saturating_add(1);
        Ok(value)
    }
}

/// There is no record of this kind with the id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} with id: {id} was not found")]
pub struct Missing {
    /// The kind of record, such as `Product tag`.
    pub what: &'static str,
    pub id: String,
}

impl Missing {
    /// Creates the error for an id.
    pub fn new(what: &'static str, id: &impl ToString) -> Self {
        Self { what, id: id.to_string() }
    }
}

/// A record that is a row of one table, with a key. Soft-deleted records are not found.
pub trait Table: Record {
    type Id: ToSql + fmt::Display;

    /// The name in error messages, such as `Product tag`.
    const TITLE: &'static str;
    /// The key, such as `g.id`.
    const KEY: &'static str;
    /// The condition that a row is not deleted, or `true`.
    const EXISTS: &'static str;
    const INSERT: &'static str;
    const PUT: &'static str;
    const UPDATE: &'static str;
    /// The statement that deletes the row with `:id` at `:now`.
    const DELETE: &'static str;

    fn key(&self) -> &Self::Id;

    /// Runs a closure with the parameters of the first three statements.
    fn bind<R>(&self, now: Timestamp, run: impl FnOnce(&[&dyn ToSql]) -> R) -> R;

    fn find(tx: &Tx<'_>, id: &Self::Id) -> Result<Option<Self>, Error> {
        let rest = format!("where {} = :id and {}", Self::KEY, Self::EXISTS);
        Self::select_one(tx, &rest, named_params! { ":id": id })
    }

    fn require<E: From<Error> + From<Missing>>(tx: &Tx<'_>, id: &Self::Id) -> Result<Self, E> {
        Ok(Self::find(tx, id)?.ok_or_else(|| Missing::new(Self::TITLE, id))?)
    }

    /// Returns the records with several keys, in no particular order.
    fn find_all<'i>(
        tx: &Tx<'_>,
        ids: impl IntoIterator<Item = &'i Self::Id>,
    ) -> Result<Vec<Self>, Error>
    where
        Self::Id: 'i,
    {
        let ids = ids::list(ids.into_iter().map(ToString::to_string));
        let rest = format!(
            "where {} in (select value from json_each(:ids)) and {}",
            Self::KEY,
            Self::EXISTS
        );
        Self::select(tx, &rest, named_params! { ":ids": ids })
    }

    /// Returns the number of records.
    fn count(tx: &Tx<'_>) -> Result<u32, Error> {
        let rest = match Self::EXISTS {
            "true" => String::new(),
            exists => format!(" where {exists}"),
        };
        let sql = format!("select count(*) from {}{rest}", Self::FROM);
        tx.sql(&sql).one([], |row| row.get(0))
    }

    /// Inserts the record.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if a key of the table is taken.
    fn insert(&self, tx: &Tx<'_>) -> Result<(), Error> {
        run(self, tx, Self::INSERT)
    }

    /// Inserts the record, or updates the one with its key.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if another key of the table is taken.
    fn put(&self, tx: &Tx<'_>) -> Result<(), Error> {
        run(self, tx, Self::PUT)
    }

    /// Updates the record with its key.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if another key of the table is taken.
    fn update(&self, tx: &Tx<'_>) -> Result<(), Error> {
        run(self, tx, Self::UPDATE)
    }

    /// Deletes the record with a key; returns whether it existed.
    fn delete(tx: &Tx<'_>, id: &Self::Id) -> Result<bool, Error> {
        let mut statement = tx.prepare_cached(Self::DELETE)?;
        let now = tx.now();
        let count = if statement.parameter_index(":now")?.is_some() {
            statement.execute(named_params! { ":id": id, ":now": now })?
        } else {
            statement.execute(named_params! { ":id": id })?
        };
        Ok(count > 0)
    }

    /// Deletes the record with a key, which must exist.
    fn remove<E: From<Error> + From<Missing>>(tx: &Tx<'_>, id: &Self::Id) -> Result<(), E> {
        if Self::delete(tx, id)? { Ok(()) } else { Err(Missing::new(Self::TITLE, id).into()) }
    }
}

fn run<T: Table>(record: &T, tx: &Tx<'_>, sql: &str) -> Result<(), Error> {
    record.bind(tx.now(), |values| tx.sql(sql).run(values))
}

pub trait Listable: Table {
    const LISTING: &'static Listing;

    /// Returns a page of the records, and the number on all pages.
    fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<Self>, u64), Error> {
        let query = match Self::EXISTS {
            "true" => query,
            exists => query.narrow(exists, []),
        };
        Ok((query.page(tx, Self::COLUMNS, Self::read)?, query.count(tx)?))
    }
}
