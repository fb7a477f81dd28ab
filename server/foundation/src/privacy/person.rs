//! Exports and erases a person over all listed tables.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::queries;
use super::tables::{self, NOT_EXPORTED, PersonalTable};
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids::CustomerId;

/// Returns all rows about a customer, by table. Secrets, what payment providers store, and stored responses to requests,
/// which are kept for a day, are left out; and for the customer (`is_own`), what the store shows only to its staff.
pub fn export(
    tx: &Tx<'_>,
    id: &CustomerId,
    is_own: bool,
) -> Result<Map<String, Value>, database::Error> {
    let email = queries::email(tx, id)?;
    let mut exported = Map::new();
    let is_exported = |table: &&PersonalTable| !NOT_EXPORTED.contains(&table.table);
    for table in tables::all().filter(is_exported) {
        let left_out = if is_own { table.for_staff() } else { &[] };
        let rows = queries::rows(tx, table, (id, &email), left_out)?;
        if !rows.is_empty() {
            exported.insert(table.table.to_owned(), rows.into());
        }
    }
    Ok(exported)
}

/// The maximum age, at the time of [`seek`], of a row that it misses.
const UNSEEN_MS: i64 = 2 * 60 * 1_000;

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
    Ok(PersonalKeys { keys, since: tx.now().plus_ms(-UNSEEN_MS) })
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
