//! Rows to write, with statements derived from the names of their values.

use rusqlite::{ToSql, named_params};

use super::{Error, Tx};

/// Columns and their values, by `named_params! { ":id": id, … }`.
type Row<'a> = &'a [(&'a str, &'a dyn ToSql)];

impl Tx<'_> {
    /// Inserts a row: `tx.insert("currency", named_params! { ":code": code, ":name": name })`.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if a key of the table is taken.
    pub fn insert(&self, table: &str, row: Row<'_>) -> Result<(), Error> {
        self.sql(&insertion(table, row)).run(row)
    }

    /// Inserts a row, or updates the one with the same `key`. `fixed` columns keep their first value, as
    /// `created_at` always does.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if another key of the table is taken.
    pub fn put(
        &self,
        table: &str,
        key: &[&str],
        fixed: &[&str],
        row: Row<'_>,
    ) -> Result<(), Error> {
        let change = change(key, fixed, &names(row));
        self.sql(&format!("{} {change}", insertion(table, row))).run(row)
    }

    /// Inserts several rows with one statement. `rows` is a JSON array of objects with the `columns`; the columns
    /// of `same` are the same in all rows, and the times are those of the transaction.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if a key of the table is taken.
    pub fn insert_rows(
        &self,
        table: &str,
        same: Row<'_>,
        columns: &[&str],
        rows: impl ToSql,
    ) -> Result<(), Error> {
        self.write_rows(&insertions(table, same, columns), same, rows)
    }

    /// Like [`insert_rows`](Self::insert_rows), but updates the rows whose `key` exists, except for `fixed` columns.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if another key of the table is taken.
    pub fn put_rows(
        &self,
        table: &str,
        (key, fixed): (&[&str], &[&str]),
        same: Row<'_>,
        (columns, rows): (&[&str], impl ToSql),
    ) -> Result<(), Error> {
        let changed = [columns, &["updated_at"]].concat();
        let sql = format!(
            "{} where true {}",
            insertions(table, same, columns),
            change(key, fixed, &changed)
        );
        self.write_rows(&sql, same, rows)
    }

    fn write_rows(&self, sql: &str, same: Row<'_>, rows: impl ToSql) -> Result<(), Error> {
        let now = self.now();
        let further: Row<'_> = named_params! { ":rows": rows, ":now": now };
        self.sql(sql).run(&*[same, further].concat())
    }
}

fn names(row: Row<'_>) -> Vec<&str> {
    row.iter().map(|(name, _)| name.trim_start_matches(':')).collect()
}

fn insertion(table: &str, row: Row<'_>) -> String {
    let values: Vec<&str> = row.iter().map(|(name, _)| *name).collect();
    format!("insert into {table} ({}) values ({})", names(row).join(", "), values.join(", "))
}

fn insertions(table: &str, same: Row<'_>, columns: &[&str]) -> String {
    let own = columns.iter().map(|name| format!("value ->> '{name}'"));
    let values = same.iter().map(|(name, _)| (*name).to_owned()).chain(own);
    format!(
        "insert into {table} ({}, created_at, updated_at) select {}, :now, :now from json_each(:rows)",
        [&*names(same), columns].concat().join(", "),
        values.collect::<Vec<_>>().join(", "),
    )
}

fn change(key: &[&str], fixed: &[&str], columns: &[&str]) -> String {
    let is_fixed =
        |name: &&str| key.contains(name) || fixed.contains(name) || *name == "created_at";
    let changed = columns.iter().filter(|name| !is_fixed(name));
    let changed: Vec<String> = changed.map(|name| format!("{name} = excluded.{name}")).collect();
    format!("on conflict ({}) do update set {}", key.join(", "), changed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_put_keeps_its_key_its_fixed_fields_and_its_creation_time() {
        let row: Row<'_> = named_params! {
            ":id": 1, ":code": "a", ":made_by": "b", ":created_at": 2, ":updated_at": 3,
        };

        assert_eq!(
            format!("{} {}", insertion("thing", row), change(&["id"], &["made_by"], &names(row))),
            "insert into thing (id, code, made_by, created_at, updated_at) \
             values (:id, :code, :made_by, :created_at, :updated_at) \
             on conflict (id) do update set code = excluded.code, updated_at = excluded.updated_at"
        );
    }

    #[test]
    fn several_rows_are_one_statement() {
        assert_eq!(
            insertions("thing", named_params! { ":owner": 1 }, &["id", "code"]),
            "insert into thing (owner, id, code, created_at, updated_at) \
             select :owner, value ->> 'id', value ->> 'code', :now, :now from json_each(:rows)"
        );
    }
}
