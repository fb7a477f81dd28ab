//! Records: structs whose columns are said once, by `#[derive(Record)]`, and the statements that follow from them.

use std::fmt;

use rusqlite::types::FromSql;
use rusqlite::{OptionalExtension, Params, Row, ToSql, named_params};

use super::listing::{ListQuery, Listing};
use super::{Error, Tx};
use crate::clock::Timestamp;
use crate::ids;

/// A struct that is read from rows.
pub trait Record: Sized {
    /// The table with its alias, as `product_tag g`.
    const FROM: &'static str;
    /// What stands behind `select`, as `g.id, g.value`.
    const COLUMNS: &'static str;

    /// Reads the cells of its columns.
    ///
    /// # Errors
    /// A cell that holds something else.
    fn read_cells(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self>;

    /// Reads a row that begins with its columns.
    ///
    /// # Errors
    /// A cell that holds something else.
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Self::read_cells(&mut Cells::new(row))
    }

    /// The records of `select … from …` with this behind it, as `where g.value = :value order by g.id`.
    ///
    /// # Errors
    /// When they cannot be read.
    fn select(tx: &Tx<'_>, rest: &str, parameters: impl Params) -> Result<Vec<Self>, Error> {
        let sql = format!("select {} from {} {rest}", Self::COLUMNS, Self::FROM);
        let mut statement = tx.prepare_cached(&sql)?;
        let rows = statement.query_map(parameters, Self::read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The first of these records.
    ///
    /// # Errors
    /// When it cannot be read.
    fn select_one(tx: &Tx<'_>, rest: &str, parameters: impl Params) -> Result<Option<Self>, Error> {
        let sql = format!("select {} from {} {rest}", Self::COLUMNS, Self::FROM);
        Ok(tx.prepare_cached(&sql)?.query_row(parameters, Self::read).optional()?)
    }

    /// The records of `select …, key from …`, each behind its key, as `link.product_id`. What stands behind `from`
    /// joins the record's table by its alias.
    ///
    /// # Errors
    /// When they cannot be read.
    fn select_by<K: FromSql>(
        tx: &Tx<'_>,
        key: &str,
        from: &str,
        parameters: impl Params,
    ) -> Result<Vec<(K, Self)>, Error> {
        let sql = format!("select {}, {key} from {from}", Self::COLUMNS);
        let mut statement = tx.prepare_cached(&sql)?;
        let rows = statement.query_map(parameters, |row| {
            let mut cells = Cells::new(row);
            let record = Self::read_cells(&mut cells)?;
            Ok((cells.take()?, record))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// The cells of a row, one after the other.
#[derive(Debug)]
pub struct Cells<'r, 's> {
    row: &'r Row<'s>,
    place: usize,
}

impl<'r, 's> Cells<'r, 's> {
    /// All cells of a row.
    pub const fn new(row: &'r Row<'s>) -> Self {
        Self { row, place: 0 }
    }

    /// The next cell.
    ///
    /// # Errors
    /// When there is none, or it holds something else.
    pub fn take<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        let value = self.row.get(self.place)?;
        self.place = self.place.saturating_add(1);
        Ok(value)
    }
}

/// Nothing of this kind has the id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} with id: {id} was not found")]
pub struct Missing {
    /// What was looked for, as `Product tag`.
    pub what: &'static str,
    /// The id.
    pub id: String,
}

impl Missing {
    /// Nothing of this kind has the id.
    pub fn new(what: &'static str, id: &impl ToString) -> Self {
        Self { what, id: id.to_string() }
    }
}

/// A record that is a row of one table, with a key that finds it. What is deleted softly is not found.
pub trait Table: Record {
    /// The type of its key.
    type Id: ToSql + fmt::Display;

    /// What errors call it, as `Product tag`.
    const TITLE: &'static str;
    /// The key, as `g.id`.
    const KEY: &'static str;
    /// The condition that it is not deleted.
    const EXISTS: &'static str;
    /// The statement that adds it.
    const INSERT: &'static str;
    /// The statement that adds it, or changes the one of its key.
    const PUT: &'static str;
    /// The statement that changes the one of its key.
    const UPDATE: &'static str;
    /// The statement that deletes the one of `:id` at `:now`.
    const DELETE: &'static str;

    /// Its key.
    fn key(&self) -> &Self::Id;

    /// Runs with what is bound in the first three statements.
    fn bind<R>(&self, now: Timestamp, run: impl FnOnce(&[&dyn ToSql]) -> R) -> R;

    /// The one of a key.
    ///
    /// # Errors
    /// When it cannot be read.
    fn find(tx: &Tx<'_>, id: &Self::Id) -> Result<Option<Self>, Error> {
        let rest = format!("where {} = :id and {}", Self::KEY, Self::EXISTS);
        Self::select_one(tx, &rest, named_params! { ":id": id })
    }

    /// The one of a key, which must be there.
    ///
    /// # Errors
    /// [`Missing`] when it is not.
    fn require<E: From<Error> + From<Missing>>(tx: &Tx<'_>, id: &Self::Id) -> Result<Self, E> {
        Ok(Self::find(tx, id)?.ok_or_else(|| Missing::new(Self::TITLE, id))?)
    }

    /// Those of several keys, in no order.
    ///
    /// # Errors
    /// When they cannot be read.
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

    /// Adds it.
    ///
    /// # Errors
    /// [`Error::Duplicate`] when a key of the table is taken.
    fn insert(&self, tx: &Tx<'_>) -> Result<(), Error> {
        run(self, tx, Self::INSERT)
    }

    /// Adds it, or changes the one of its key.
    ///
    /// # Errors
    /// [`Error::Duplicate`] when another key of the table is taken.
    fn put(&self, tx: &Tx<'_>) -> Result<(), Error> {
        run(self, tx, Self::PUT)
    }

    /// Changes the one of its key.
    ///
    /// # Errors
    /// [`Error::Duplicate`] when another key of the table is taken.
    fn update(&self, tx: &Tx<'_>) -> Result<(), Error> {
        run(self, tx, Self::UPDATE)
    }

    /// Deletes the one of a key; gives whether it was there.
    ///
    /// # Errors
    /// When the database refuses.
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

    /// Deletes the one of a key, which must be there.
    ///
    /// # Errors
    /// [`Missing`] when it is not.
    fn remove<E: From<Error> + From<Missing>>(tx: &Tx<'_>, id: &Self::Id) -> Result<(), E> {
        if Self::delete(tx, id)? { Ok(()) } else { Err(Missing::new(Self::TITLE, id).into()) }
    }
}

fn run<T: Table>(record: &T, tx: &Tx<'_>, sql: &str) -> Result<(), Error> {
    let mut statement = tx.prepare_cached(sql)?;
    record.bind(tx.now(), |values| statement.execute(values))?;
    Ok(())
}

/// A record with a list.
pub trait Listable: Table {
    /// What its list can be asked for.
    const LISTING: &'static Listing;

    /// A page of what is there, and how many there are on all pages.
    ///
    /// # Errors
    /// When they cannot be read.
    fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<Self>, u64), Error> {
        let query = match Self::EXISTS {
            "true" => query,
            exists => query.narrow(exists, []),
        };
        Ok((query.page(tx, Self::COLUMNS, Self::read)?, query.count(tx)?))
    }
}
