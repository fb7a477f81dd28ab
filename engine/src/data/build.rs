//! Tables to linked data: derived rows, row numbers behind links, rows in order of time.

// Keys are looked up and never walked, so the order cannot show.
#[expect(clippy::disallowed_types, reason = "looked up, never iterated")]
use std::collections::HashMap;
use std::sync::Arc;

use super::column::{Column, NO_CODE, NULL};
use super::error::DataError;
use super::rates::Rates;
use super::table::Table;
use super::{Data, Dated, NO_ROW};
use crate::schema::{FieldId, Link, Path, Schema, Source, SourceId};

/// Links the tables. Sources without a table have no rows. Computed columns are still missing.
pub(crate) fn build(schema: &Schema, tables: Vec<Table>, rates: Rates) -> Result<Data, DataError> {
    let mut data = Data { rates, ..Data::default() };
    let mut given: Vec<Option<Table>> = schema.sources.iter().map(|_| None).collect();
    for table in tables {
        let slot = table.source.and_then(|source| given.get_mut(source.0));
        if let Some(slot) = slot {
            *slot = Some(table);
        }
    }
    data.given = schema
        .sources
        .iter()
        .zip(&given)
        .map(|(source, table)| {
            let base = source.derived_from.and_then(|(from, _)| given.get(from.0));
            table.is_some() || base.is_some_and(Option::is_some)
        })
        .collect();
    data.tables = given
        .into_iter()
        .zip(&schema.sources)
        .map(|(table, source)| table.unwrap_or_else(|| empty(source)))
        .collect();
    for (index, source) in schema.sources.iter().enumerate() {
        if let Some((from, field)) = source.derived_from {
            let derived = derive(&data, source, from, field);
            if let Some(slot) = data.tables.get_mut(index) {
                *slot = Table { source: Some(SourceId(index)), ..derived };
            }
        }
    }
    for table in &data.tables {
        if u32::try_from(table.rows).map_or(true, |rows| rows == NO_ROW) {
            let source = table.source.and_then(|source| schema.source_at(source));
            return Err(DataError::TooManyRows(source.map_or(String::new(), |s| s.name.clone())));
        }
    }
    link_all(schema, &mut data)?;
    data.dated =
        (0..schema.sources.len()).map(|index| dated(schema, &data, SourceId(index))).collect();
    Ok(data)
}

fn empty(source: &Source) -> Table {
    let columns = source
        .fields
        .iter()
        .map(|field| Some(super::read::Reader::new(&field.data_type).finish()))
        .collect();
    Table { source: None, columns, rows: 0 }
}

/// The distinct values of another source's text or number field, in order of first appearance.
fn derive(data: &Data, source: &Source, from: SourceId, field: FieldId) -> Table {
    let column = data.table(from).and_then(|table| table.columns.get(field.0)?.as_ref());
    let key = match column {
        Some(Column::Text { codes, entries }) => {
            let mut seen = vec![false; entries.len()];
            let mut kept = Vec::new();
            for code in codes {
                if let Ok(index) = usize::try_from(*code)
                    && let Some(seen) = seen.get_mut(index)
                    && !std::mem::replace(seen, true)
                {
                    kept.push(*code);
                }
            }
            Some(Column::Text { codes: kept, entries: Arc::clone(entries) })
        }
        Some(Column::Scaled { values, scale }) => {
            let mut kept: Vec<i64> =
                values.iter().copied().filter(|value| *value != NULL).collect();
            kept.sort_unstable();
            kept.dedup();
            Some(Column::Scaled { values: kept, scale: *scale })
        }
        Some(Column::Date(values)) => {
            let mut kept: Vec<_> = values.iter().copied().flatten().collect();
            kept.sort_unstable();
            kept.dedup();
            Some(Column::Date(kept.into_iter().map(Some).collect()))
        }
        Some(Column::Exact(_) | Column::Bool(_) | Column::Instant(_)) | None => None,
    };
    let rows = key.as_ref().map_or(0, Column::len);
    let mut columns: Vec<Option<Column>> = source.fields.iter().map(|_| None).collect();
    if let Some(slot) = source.key.and_then(|key| columns.get_mut(key.0)) {
        *slot = key;
    }
    Table { source: None, columns, rows }
}

fn link_all(schema: &Schema, data: &mut Data) -> Result<(), DataError> {
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

/// A key for comparing cells of two columns.
#[derive(PartialEq, Eq, Hash)]
enum KeyCell<'a> {
    Text(&'a str),
    Number(rust_decimal::Decimal),
    Day(jiff::civil::Date),
    Instant(i64),
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

fn check_key(data: &Data, source: &Source, id: SourceId) -> Result<(), DataError> {
    let Some(column) = key_column(data, source, id) else { return Ok(()) };
    let rows = rows_by_key(column);
    for row in 0..column.len() {
        let Some(key) = key_cell(column, row) else { continue };
        let first = rows.get(&key).copied().and_then(|first| usize::try_from(first).ok());
        if first != Some(row) {
            let key = crate::format::exact(&column.value(row));
            return Err(DataError::DuplicateKey { source_name: source.name.clone(), key });
        }
    }
    Ok(())
}

/// For each row the row its key names, and how many keys name none.
fn resolve(schema: &Schema, data: &Data, from: SourceId, link: &Link) -> (Vec<u32>, usize) {
    let own = data.table(from);
    let rows = own.map_or(0, |table| table.rows);
    let column = own.and_then(|table| table.columns.get(link.by.0)?.as_ref());
    let target = schema.source_at(link.target);
    let keys = target.and_then(|target| key_column(data, target, link.target));
    let (Some(column), Some(keys)) = (column, keys) else { return (vec![NO_ROW; rows], 0) };
    let known = rows_by_key(keys);
    let find = |row| key_cell(column, row).map(|key| known.get(&key).copied());
    let mut lost = 0_usize;
    let mut lookup = |row| match find(row) {
        Some(Some(found)) => found,
        Some(None) => {
            lost = lost.saturating_add(1);
            NO_ROW
        }
        None => NO_ROW,
    };
    if let Column::Text { codes, entries } = column {
        // Each text is looked up once, however many rows have it.
        let by_text: Vec<Option<u32>> =
            entries.iter().map(|text| known.get(&KeyCell::Text(text)).copied()).collect();
        let mut lost = 0_usize;
        let found = codes.iter().map(|code| {
            if *code == NO_CODE {
                return NO_ROW;
            }
            let row =
                usize::try_from(*code).ok().and_then(|code| by_text.get(code).copied().flatten());
            lost = lost.saturating_add(usize::from(row.is_none()));
            row.unwrap_or(NO_ROW)
        });
        return (found.collect(), lost);
    }
    let found: Vec<u32> = (0..rows).map(&mut lookup).collect();
    (found, lost)
}

/// Rows in order of the source's default date, if that is an instant.
fn dated(schema: &Schema, data: &Data, source: SourceId) -> Option<Dated> {
    let path = schema.source_at(source)?.date.as_ref()?;
    let instants = instants(schema, data, source, path)?;
    Some(in_order(&instants))
}

/// The instants at the end of a path, for every row; `None` if it is no column of instants.
pub(crate) fn instants(
    schema: &Schema,
    data: &Data,
    source: SourceId,
    path: &Path,
) -> Option<Vec<i64>> {
    let (owner, _) = schema.field_at(source, path)?;
    let Some(Column::Instant(values)) = data.table(owner)?.columns.get(path.field.0)?.as_ref()
    else {
        return None;
    };
    if path.links.is_empty() {
        return Some(values.clone());
    }
    let rows = u32::try_from(data.row_count(source)).ok()?;
    let mut at = source;
    let mut reached: Vec<u32> = (0..rows).collect();
    for link in &path.links {
        let leads = data.link(at, *link)?;
        for row in &mut reached {
            let next = usize::try_from(*row).ok().and_then(|row| leads.get(row).copied());
            *row = next.unwrap_or(NO_ROW);
        }
        at = schema.source_at(at)?.links.get(link.0)?.target;
    }
    let value = |row: u32| usize::try_from(row).ok().and_then(|row| values.get(row).copied());
    Some(reached.into_iter().map(|row| value(row).unwrap_or(NULL)).collect())
}

/// Row numbers sorted by instant, ties in row order, nulls left out.
pub(crate) fn in_order(instants: &[i64]) -> Dated {
    let mut pairs: Vec<(i64, u32)> = instants
        .iter()
        .zip(0_u32..)
        .filter(|(at, _)| **at != NULL)
        .map(|(at, row)| (*at, row))
        .collect();
    pairs.sort_by_key(|(at, _)| *at);
    Dated {
        rows: pairs.iter().map(|(_, row)| *row).collect(),
        at: pairs.iter().map(|(at, _)| *at).collect(),
    }
}

/// Fills a computed column, and whatever hangs on it: links by it or to it, entities that are its
/// values, rows in its order.
pub(crate) fn set_column(
    schema: &Schema,
    data: &mut Data,
    (source, field): (SourceId, FieldId),
    column: Column,
) -> Result<(), DataError> {
    let slot = data.tables.get_mut(source.0).and_then(|table| table.columns.get_mut(field.0));
    if let Some(slot) = slot {
        *slot = Some(column);
    }
    let feeds = |other: &Source| other.derived_from == Some((source, field));
    let names_rows = |index: usize, other: &Source| {
        let own = SourceId(index) == source;
        own && (other.key == Some(field) || other.links.iter().any(|link| link.by == field))
    };
    let derives = schema.sources.iter().any(feeds);
    if derives {
        for (index, other) in schema.sources.iter().enumerate().filter(|(_, other)| feeds(other)) {
            let rows = derive(data, other, source, field);
            if let Some(slot) = data.tables.get_mut(index) {
                *slot = Table { source: Some(SourceId(index)), ..rows };
            }
        }
    }
    let relinks = schema.sources.iter().enumerate().any(|(index, other)| names_rows(index, other));
    if derives || relinks {
        link_all(schema, data)?;
    }
    let places = |path: &Path, of: usize| {
        let ends = schema.field_at(SourceId(of), path).map(|(owner, _)| (owner, path.field));
        ends == Some((source, field)) || (relinks || derives) && !path.links.is_empty()
    };
    for (index, other) in schema.sources.iter().enumerate() {
        if other.date.as_ref().is_some_and(|path| places(path, index)) {
            let order = dated(schema, data, SourceId(index));
            if let Some(slot) = data.dated.get_mut(index) {
                *slot = order;
            }
        }
    }
    Ok(())
}
