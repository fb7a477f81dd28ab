//! Queries for tables with personal data, built from the parts of the static list.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, Statement, ToSql, named_params};
use serde_json::{Map, Value};

use super::tables::{Erasure, PersonalTable, SECRET, Scan};
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids::CustomerId;

/// Limit: rows of an export read at once.
const PAGE_ROWS: usize = 500;

/// Limit: rows erased in one transaction.
const CHUNK_ROWS: usize = 1_000;

/// Returns whether there is a customer whose rows may identify a person: one who has not been erased, deleted or not.
pub fn is_known(tx: &Tx<'_>, id: &CustomerId) -> Result<bool, database::Error> {
    tx.sql(
        "select 1 from customer
          where id = :id and (deleted_at is null or email not like 'erased+%@erased.invalid')",
    )
    .exists(named_params! { ":id": id })
}

/// Returns the e-mail address of a customer; empty if there is no such customer.
pub(super) fn email(tx: &Tx<'_>, id: &CustomerId) -> Result<String, database::Error> {
    let sql = "select email from customer where id = :id";
    let found = tx.sql(sql).first(named_params! { ":id": id }, |row| row.get(0))?;
    Ok(found.unwrap_or_default())
}

/// Binds the parameters that a statement has.
fn bind(
    statement: &mut Statement<'_>,
    (id, email): (&CustomerId, &str),
    now: Timestamp,
    others: &[(&str, &dyn ToSql)],
) -> Result<(), database::Error> {
    let bound: [(&str, &dyn ToSql); 3] = [(":customer", id), (":email", &email), (":now", &now)];
    for (name, value) in bound.iter().chain(others) {
        if let Some(place) = statement.parameter_index(name)? {
            statement.raw_bind_parameter(place, value)?;
        }
    }
    Ok(())
}

/// Returns the next rows of a table that are about a person, as JSON objects without some columns, and the key of the last
/// one if others may follow.
pub(super) fn rows(
    tx: &Tx<'_>,
    (table, left_out): (&PersonalTable, &[&str]),
    person: (&CustomerId, &str),
    after: Option<&str>,
) -> Result<(Vec<String>, Option<String>), database::Error> {
    let sql = page(table, &key(tx, table.table)?, after.is_some());
    let mut statement = tx.prepare_cached(&sql)?;
    let names: Vec<String> = statement.column_names().skip(1).map(str::to_owned).collect();
    bind(&mut statement, person, tx.now(), &[(":after", &after)])?;
    let (mut found, mut rows, mut last) = (statement.raw_query(), Vec::new(), None);
    while let Some(row) = found.next()? {
        rows.push(object(row, &names, left_out)?.to_string());
        last = Some(row.get(0)?);
    }
    Ok(if rows.len() < PAGE_ROWS { (rows, None) } else { (rows, last) })
}

/// Returns the columns of a table's primary key.
pub(super) fn key(tx: &Connection, table: &str) -> Result<Vec<String>, database::Error> {
    let sql = "select name from pragma_table_info(:table) where pk > 0 order by pk";
    let mut statement = tx.prepare_cached(sql)?;
    let names = statement.query_map(named_params! { ":table": table }, |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

/// Returns the statement of [`rows`]: the key as a JSON array, and all columns.
pub(super) fn page(table: &PersonalTable, key: &[String], is_continued: bool) -> String {
    let (name, rows, columns) = (table.table, table.rows, key.join(", "));
    let after: Vec<String> = (0..key.len()).map(|place| format!(":after ->> {place}")).collect();
    let after = if is_continued {
        format!(" and ({columns}) > ({})", after.join(", "))
    } else {
        String::new()
    };
    format!(
        "select json_array({columns}), * from {name} where ({rows}){after} order by {columns} limit {PAGE_ROWS}"
    )
}

fn object(row: &Row<'_>, names: &[String], left_out: &[&str]) -> Result<Value, database::Error> {
    let mut members = Map::new();
    for (place, name) in (1..).zip(names) {
        if !SECRET.iter().chain(left_out).any(|hidden| hidden == name) {
            members.insert(name.clone(), value(name, row.get_ref(place)?));
        }
    }
    Ok(Value::Object(members))
}

/// Returns a cell: instants as text, and JSON as JSON.
fn value(name: &str, cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null | ValueRef::Blob(_) | ValueRef::Real(_) => Value::Null,
        ValueRef::Integer(number) if name.ends_with("_at") => {
            Timestamp::from_millis(number).to_string().into()
        }
        ValueRef::Integer(number) => number.into(),
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let is_json = text.starts_with(['{', '[']);
            let parsed = is_json.then(|| serde_json::from_str(&text).ok()).flatten();
            parsed.unwrap_or_else(|| text.into_owned().into())
        }
    }
}

/// Erases what a table contains about a person.
pub(super) fn erase(
    tx: &Tx<'_>,
    table: &PersonalTable,
    person: (&CustomerId, &str),
) -> Result<(), database::Error> {
    if let Some(sql) = detaching(table) {
        run(tx, &sql, person, &[])?;
    }
    if let Some(sql) = erasing(table, table.rows) {
        run(tx, &sql, person, &[])?;
    }
    Ok(())
}

/// Like [`erase`], for the next rows only; returns their number.
pub(super) fn erase_some(
    tx: &Tx<'_>,
    table: &PersonalTable,
    person: (&CustomerId, &str),
) -> Result<usize, database::Error> {
    erasing(table, &next_rows(table)).map_or(Ok(0), |sql| run(tx, &sql, person, &[]))
}

/// Returns the condition of the rows that [`erase_some`] erases: an erased row is about nobody.
pub(super) fn next_rows(PersonalTable { table, rows, .. }: &PersonalTable) -> String {
    format!("rowid in (select rowid from {table} where {rows} limit {CHUNK_ROWS})")
}

/// Returns the statement that erases what the rows matching a condition contain about a person; none if it is kept.
pub(super) fn erasing(table: &PersonalTable, rows: &str) -> Option<String> {
    let name = table.table;
    match table.erasure {
        Erasure::Delete => Some(format!("delete from {name} where {rows}")),
        Erasure::Change(changes) | Erasure::Detach { changes, .. } => {
            Some(format!("update {name} set {changes} where {rows}"))
        }
        Erasure::Keep(_why) => None,
    }
}

/// Returns the keys of a table's rows that are about a person and not older than `since`, as a JSON array.
pub(super) fn keys(
    tx: &Tx<'_>,
    (table, scan): (&PersonalTable, &Scan),
    person: (&CustomerId, &str),
    since: Timestamp,
) -> Result<String, database::Error> {
    let mut statement = tx.prepare_cached(&seeking(table, scan))?;
    bind(&mut statement, person, tx.now(), &[(":since", &since)])?;
    let mut rows = statement.raw_query();
    let found = rows.next()?.map(|row| row.get(0)).transpose()?;
    Ok(found.unwrap_or_else(|| "[]".to_owned()))
}

/// Returns the statement of [`keys`]. It names the index, because reading one row costs more than reading the whole index.
pub(super) fn seeking(table: &PersonalTable, scan: &Scan) -> String {
    let (name, rows, Scan { key, age, index, .. }) = (table.table, table.rows, scan);
    format!(
        "select json_group_array({key}) from {name} indexed by {index} where {age} >= :since and ({rows})"
    )
}

/// Erases what the rows with these keys contain about a person.
pub(super) fn erase_found(
    tx: &Tx<'_>,
    table: &PersonalTable,
    scan: &Scan,
    person: (&CustomerId, &str),
    keys: &str,
) -> Result<(), database::Error> {
    if let Some(sql) = erasing(table, scan.is_found) {
        run(tx, &sql, person, &[(":found", &keys)])?;
    }
    Ok(())
}

/// Returns the statement that schedules the jobs of a table before it changes.
pub(super) fn detaching(table: &PersonalTable) -> Option<String> {
    let (name, rows) = (table.table, table.rows);
    let Erasure::Detach { job, payload, told, .. } = table.erasure else { return None };
    Some(format!(
        "insert or ignore into job (kind, key, payload, run_at, created_at)
         select '{job}', id, {payload}, :now, :now from {name} where ({rows}) and {told}"
    ))
}

fn run(
    tx: &Tx<'_>,
    sql: &str,
    person: (&CustomerId, &str),
    others: &[(&str, &dyn ToSql)],
) -> Result<usize, database::Error> {
    let mut statement = tx.prepare_cached(sql)?;
    bind(&mut statement, person, tx.now(), others)?;
    Ok(statement.raw_execute()?)
}
