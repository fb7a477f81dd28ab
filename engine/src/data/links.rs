//! Resolves links to row numbers.

// The map is never iterated, so its order cannot affect results.
#[expect(clippy::disallowed_types, reason = "looked up, never iterated")]
use std::collections::HashMap;

use super::column::{Column, NO_CODE, NULL};
use super::error::DataError;
use super::{Data, NO_ROW};
use crate::schema::{Link, Schema, Source, SourceId};

/// A cell as a key that compares between two columns.
#[derive(PartialEq, Eq, Hash)]
enum KeyCell<'a> {
    Text(&'a str),
    Number(rust_decimal::Decimal),
    Day(jiff::civil::Date),
    Instant(i64),
}

pub(super) fn link_all(schema: &Schema, data: &mut Data) -> Result<(), DataError> {
    let mut links = Vec::with_capacity(schema.sources.len());
    let mut unlinked = Vec::new();
    for (index, source) in schema.sources.iter().enumerate() {
        check_key(data, source, SourceId(index))?;
        let mut of_source = Vec::with_capacity(source.links.len());
        for link in &source.links {
            let (rows, lost) = resolve(schema, data, SourceId(index), link);
            if lost > 0 {
                unlinked.push((format!("{}.{}", source.name, link.name), lost));
            }
            of_source.push(rows);
        }
        links.push(of_source);
    }
    data.links = links;
    data.unlinked = unlinked;
    Ok(())
}

fn key_cell(column: &Column, row: usize) -> Option<KeyCell<'_>> {
    match column {
        Column::Text { codes, entries } => {
            let code = usize::try_from(*codes.get(row)?).ok()?;
            entries.get(code).map(|text| KeyCell::Text(text))
        }
        Column::Scaled { .. } | Column::Exact(_) => {
            column.value(row).as_number().map(|number| KeyCell::Number(number.normalize()))
        }
        Column::Date(values) => values.get(row).copied().flatten().map(KeyCell::Day),
        Column::Instant(values) => {
            values.get(row).copied().filter(|at| *at != NULL).map(KeyCell::Instant)
        }
        Column::Bool(_) => None,
    }
}

#[expect(clippy::disallowed_types, reason = "looked up, never iterated")]
fn rows_by_key(column: &Column) -> HashMap<KeyCell<'_>, u32> {
    let mut rows = HashMap::with_capacity(column.len());
    for row in 0..column.len() {
        if let (Some(key), Ok(number)) = (key_cell(column, row), u32::try_from(row)) {
            rows.entry(key).or_insert(number);
        }
    }
    rows
}

fn key_column<'d>(data: &'d Data, source: &Source, id: SourceId) -> Option<&'d Column> {
    data.table(id)?.columns.get(source.key?.0)?.as_ref()
}

pub(super) fn check_key(data: &Data, source: &Source, id: SourceId) -> Result<(), DataError> {
    let Some(column) = key_column(data, source, id) else { return Ok(()) };
    let rows = rows_by_key(column);
    for row in 0..column.len() {
        let Some(key) = key_cell(column, row) else { continue };
        let first = rows.get(&key).copied().and_then(|first| usize::try_from(first).ok());
        if first != Some(row) {
            let key = crate::format::exact(&column.value(row));
            let rows = (first.unwrap_or(0), row);
            return Err(DataError::DuplicateKey { source_name: source.name.clone(), key, rows });
        }
    }
    Ok(())
}

/// Returns the linked row of each row, and the number of rows whose key has no row in the target.
fn resolve(schema: &Schema, data: &Data, from: SourceId, link: &Link) -> (Vec<u32>, usize) {
    let own = data.table(from);
    let rows = own.map_or(0, |table| table.rows);
    let column = own.and_then(|table| table.columns.get(link.by.0)?.as_ref());
    let target = schema.source_at(link.target);
    let keys = target.and_then(|target| key_column(data, target, link.target));
    let (Some(column), Some(keys)) = (column, keys) else { return (vec![NO_ROW; rows], 0) };
    let known = rows_by_key(keys);
    let mut lost = 0_usize;
    let mut linked = |has_key: bool, row: Option<u32>| {
        lost = lost.saturating_add(usize::from(has_key && row.is_none()));
        row.unwrap_or(NO_ROW)
    };
    let found = if let Column::Text { codes, entries } = column {
        // Each text is looked up once, however many rows have it.
        let by_text: Vec<Option<u32>> =
            entries.iter().map(|text| known.get(&KeyCell::Text(text)).copied()).collect();
        let row = |code: u32| by_text.get(usize::try_from(code).ok()?).copied().flatten();
        codes.iter().map(|code| linked(*code != NO_CODE, row(*code))).collect()
    } else {
        let own_keys = (0..rows).map(|row| key_cell(column, row));
        own_keys
            .map(|key| linked(key.is_some(), key.and_then(|key| known.get(&key).copied())))
            .collect()
    };
    (found, lost)
}
