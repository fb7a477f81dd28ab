//! Tables of pairs of ids, such as the sales channels of products.

use rusqlite::named_params;
use rusqlite::types::FromSql;

use super::{Error, Tx};
use crate::ids;

/// A table of pairs of ids: `Link::new("product_tag_product", "product_id", "product_tag_id")` are the tags of products.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    table: &'static str,
    of: &'static str,
    to: &'static str,
}

impl Link {
    pub const fn new(table: &'static str, of: &'static str, to: &'static str) -> Self {
        Self { table, of, to }
    }

    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { table: self.table, of: self.to, to: self.of }
    }

    /// Returns the pairs of these ids, by the second one.
    pub fn pairs<A: FromSql, B: FromSql>(
        self,
        tx: &Tx<'_>,
        of: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<Vec<(A, B)>, Error> {
        let Self { table, of: left, to: right } = self;
        tx.sql(&format!(
            "select {left}, {right} from {table}
              where {left} in (select value from json_each(:of)) order by {right}"
        ))
        .all(named_params! { ":of": ids::list(of) }, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Links each id of `of` to each of `to`; links that exist stay.
    pub fn add(
        self,
        tx: &Tx<'_>,
        of: impl IntoIterator<Item: AsRef<str>>,
        to: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<(), Error> {
        let Self { table, of: left, to: right } = self;
        tx.sql(&format!(
            "insert or ignore into {table} ({left}, {right})
             select a.value, b.value from json_each(:of) a, json_each(:to) b"
        ))
        .run(named_params! { ":of": ids::list(of), ":to": ids::list(to) })
    }

    /// Removes the links from each id of `of` to each of `to`.
    pub fn remove(
        self,
        tx: &Tx<'_>,
        of: impl IntoIterator<Item: AsRef<str>>,
        to: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<(), Error> {
        let Self { table, of: left, to: right } = self;
        tx.sql(&format!(
            "delete from {table} where {left} in (select value from json_each(:of))
                and {right} in (select value from json_each(:to))"
        ))
        .run(named_params! { ":of": ids::list(of), ":to": ids::list(to) })
    }

    /// Removes all links of an id.
    pub fn clear(self, tx: &Tx<'_>, of: impl AsRef<str>) -> Result<(), Error> {
        let Self { table, of: left, .. } = self;
        tx.sql(&format!("delete from {table} where {left} = :of"))
            .run(named_params! { ":of": of.as_ref() })
    }

    pub fn replace(
        self,
        tx: &Tx<'_>,
        of: impl AsRef<str>,
        to: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<(), Error> {
        self.clear(tx, &of)?;
        self.add(tx, [of], to)
    }
}

/// Returns the first id without a row in a table, ignoring ids that were present before: a referenced row may have been
/// deleted, which must not prevent other changes.
pub fn first_missing_of_new<'i, I: AsRef<str> + PartialEq + FromSql + 'i>(
    tx: &Tx<'_>,
    table: &str,
    ids: impl IntoIterator<Item = &'i I>,
    before: impl IntoIterator<Item = &'i I>,
) -> Result<Option<I>, Error> {
    let before: Vec<&I> = before.into_iter().collect();
    first_missing(tx, table, ids.into_iter().filter(|id| !before.contains(id)))
}

/// Returns the first id without a row in a table with soft deletion.
pub fn first_missing<I: FromSql>(
    tx: &Tx<'_>,
    table: &str,
    ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Option<I>, Error> {
    tx.sql(&format!(
        "select sent.value from json_each(:ids) sent
          where not exists (select 1 from {table} where id = sent.value and deleted_at is null) limit 1"
    ))
    .first(named_params! { ":ids": ids::list(ids) }, |row| row.get(0))
}
