//! Exports and erases a person over all listed tables.

use std::collections::BTreeMap;

use super::queries;
use super::tables::{self, NOT_EXPORTED, PersonalTable};
use crate::clock::{MINUTE_MS, Timestamp};
use crate::database::{self, Tx};
use crate::ids::CustomerId;

/// Where the export of a customer continues.
#[derive(Debug)]
pub struct Export {
    id: CustomerId,
    /// Whether the customer asked for it.
    is_own: bool,
    /// Precedes the next table.
    before: String,
    /// The number of tables read to their end.
    table_count: usize,
    /// The key of the last row of the next table; none before its first row.
    after: Option<String>,
    is_done: bool,
}

impl Export {
    /// Begins an export. Secrets, what payment providers store, and stored responses to requests, which are kept for a
    /// day, are left out; and for the customer (`is_own`), what the store shows only to its staff.
    pub fn new(id: CustomerId, is_own: bool, now: Timestamp) -> Self {
        let before = format!(r#"{{"customer_id":"{id}","exported_at":"{now}","tables":{{"#);
        Self { id, is_own, before, table_count: 0, after: None, is_done: false }
    }
}

/// Returns the next part of the export of a customer, who is known, and where it continues; none at the end. It is a JSON
/// object with an array of rows for each table that has some.
pub fn export(
    tx: &Tx<'_>,
    mut export: Export,
) -> Result<Option<(String, Export)>, database::Error> {
    if export.is_done {
        return Ok(None);
    }
    let email = queries::email(tx, &export.id)?;
    let is_exported = |table: &&PersonalTable| !NOT_EXPORTED.contains(&table.table);
    while let Some(table) = tables::all().filter(is_exported).nth(export.table_count) {
        let left_out = if export.is_own { table.for_staff() } else { &[] };
        let person = (&export.id, email.as_str());
        let after = export.after.take();
        let (rows, last) = queries::rows(tx, (table, left_out), person, after.as_deref())?;
        let is_ended = last.is_none();
        export.table_count = export.table_count.saturating_add(is_ended.into());
        export.after = last;
        if after.is_some() || !rows.is_empty() {
            let opening = match after {
                None => format!("{}\"{}\":[", export.before, table.table),
                Some(_) if rows.is_empty() => String::new(),
                Some(_) => ",".to_owned(),
            };
            ",".clone_into(&mut export.before);
            let closing = if is_ended { "]" } else { "" };
            return Ok(Some(([&opening, &*rows.join(","), closing].concat(), export)));
        }
    }
    Ok(Some(("}}".to_owned(), Export { is_done: true, ..export })))
}

/// The maximum age, at the time of [`seek`], of a row that it misses.
const UNSEEN_MS: i64 = 2 * MINUTE_MS;

/// The keys of the rows about a customer in tables that have to be read in full.
#[derive(Debug)]
pub struct PersonalKeys {
    /// JSON arrays of keys, by table.
    keys: BTreeMap<&'static str, String>,
    /// From when on rows may be missing.
    since: Timestamp,
}

/// Locates the rows of a customer that take long to find, before [`erase`], so that no other write waits for it.
pub fn seek(tx: &Tx<'_>, id: &CustomerId) -> Result<PersonalKeys, database::Error> {
    let email = queries::email(tx, id)?;
    let mut keys = BTreeMap::new();
    for table in tables::all() {
        if let Some(scan) = table.scan() {
            let all = queries::keys(tx, (table, scan), (id, &email), Timestamp::from_millis(0))?;
            keys.insert(table.table, all);
        }
    }
    Ok(PersonalKeys { keys, since: tx.now().minus_ms(UNSEEN_MS) })
}

/// Erases the next rows about a customer in the tables that may have very many, before [`erase`], so that no other write
/// waits for all of them; returns their number, 0 at the end.
pub fn erase_some(tx: &Tx<'_>, id: &CustomerId) -> Result<usize, database::Error> {
    let email = queries::email(tx, id)?;
    let is_long = |table: &&PersonalTable| tables::LONG.contains(&table.table);
    tx.overwriting(|tx| {
        let erased = tables::all().filter(is_long);
        erased.map(|table| queries::erase_some(tx, table, (id, &email))).sum()
    })
}

/// Erases a customer over all tables: rows are deleted, or lose what identifies the person.
pub fn erase(tx: &Tx<'_>, id: &CustomerId, sought: &PersonalKeys) -> Result<(), database::Error> {
    let email = queries::email(tx, id)?;
    // Rows are found through tables earlier in the list, so the last table goes first.
    tx.overwriting(|tx| {
        tables::all().rev().try_for_each(|table| erase_from(tx, table, (id, &email), sought))
    })
}

fn erase_from(
    tx: &Tx<'_>,
    table: &PersonalTable,
    person: (&CustomerId, &str),
    sought: &PersonalKeys,
) -> Result<(), database::Error> {
    let (Some(scan), Some(found)) = (table.scan(), sought.keys.get(table.table)) else {
        return queries::erase(tx, table, person);
    };
    let recent = queries::keys(tx, (table, scan), person, sought.since)?;
    for keys in [found, &recent] {
        queries::erase_found(tx, table, scan, person, keys)?;
    }
    Ok(())
}
