//! Exports and erases a person over all tables of the list.

use serde_json::{Map, Value};

use super::queries;
use super::tables::{self, NOT_EXPORTED, PersonalTable};
use crate::database::{self, Tx};
use crate::ids::CustomerId;

/// Returns all rows about a customer, by table. Secrets, what payment providers keep, and the answers to requests, which are
/// kept for a day, are left out.
///
/// # Errors
/// If the database cannot be read.
pub fn export(tx: &Tx<'_>, id: &CustomerId) -> Result<Map<String, Value>, database::Error> {
    let email = queries::email(tx, id)?;
    let mut exported = Map::new();
    let is_exported = |table: &&PersonalTable| !NOT_EXPORTED.contains(&table.table);
    for table in tables::all().filter(is_exported) {
        let rows = queries::rows(tx, table, (id, &email))?;
        if !rows.is_empty() {
            exported.insert(table.table.to_owned(), rows.into());
        }
    }
    Ok(exported)
}

/// Erases a customer over all tables: rows are deleted, or lose what names the person.
///
/// # Errors
/// If the database cannot be written.
pub fn erase(tx: &Tx<'_>, id: &CustomerId) -> Result<(), database::Error> {
    let email = queries::email(tx, id)?;
    queries::overwrite_deleted(tx, true)?;
    // Rows are found by those of the tables before them in the list, so the last goes first.
    let erased = tables::all().rev().try_for_each(|table| queries::erase(tx, table, (id, &email)));
    queries::overwrite_deleted(tx, false)?;
    erased
}
