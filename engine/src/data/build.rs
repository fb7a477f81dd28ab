//! Builds linked data from tables: derived rows, row numbers of links, rows in order of time.

use std::sync::Arc;

use super::column::{Column, NULL};
use super::error::DataError;
use super::links::link_all;
use super::order::{Orders, dated};
use super::rates::Rates;
use super::read::ColumnReader;
use super::table::Table;
use super::{Data, NO_ROW};
use crate::schema::{Field, FieldId, Path, Schema, Source, SourceId};

/// Links the tables. Sources without a table have no rows. Computed columns are still missing.
pub(crate) fn build(schema: &Schema, tables: Vec<Table>, rates: Rates) -> Result<Data, DataError> {
    let tables = by_source(schema, tables);
    let is_given = |source: &Source, table: &Option<Table>| {
        let base = source.derived_from.and_then(|(from, _)| tables.get(from.0));
        table.is_some() || base.is_some_and(Option::is_some)
    };
    let given = schema.sources.iter().zip(&tables).map(|(source, own)| is_given(source, own));
    let mut data = Data { given: given.collect(), rates, ..Data::default() };
    data.tables = with_empty(schema, tables);
    for (index, source) in schema.sources.iter().enumerate() {
        if let Some((from, field)) = source.derived_from {
            let derived = derive(&data, source, from, field);
            if let Some(slot) = data.tables.get_mut(index) {
                *slot = derived;
            }
        }
    }
    for (source, table) in schema.sources.iter().zip(&data.tables) {
        if u32::try_from(table.rows).map_or(true, |rows| rows == NO_ROW) {
            return Err(DataError::TooManyRows(source.name.clone()));
        }
    }
    with_links(schema, data)
}

/// Links complete tables: derived entities and computed columns are given, or not needed.
pub(crate) fn linked(schema: &Schema, tables: Vec<Table>, rates: Rates) -> Result<Data, DataError> {
    let given = vec![false; schema.sources.len()];
    let tables = with_empty(schema, by_source(schema, tables));
    with_links(schema, Data { tables, rates, given, ..Data::default() })
}

fn by_source(schema: &Schema, tables: Vec<Table>) -> Vec<Option<Table>> {
    let mut by_source: Vec<Option<Table>> = schema.sources.iter().map(|_| None).collect();
    for table in tables {
        let slot = table.source.and_then(|source| by_source.get_mut(source.0));
        if let Some(slot) = slot {
            *slot = Some(table);
        }
    }
    by_source
}

/// The tables with an empty one for each source that has none.
fn with_empty(schema: &Schema, tables: Vec<Option<Table>>) -> Vec<Table> {
    let table = |(source, table): (&Source, Option<Table>)| table.unwrap_or_else(|| empty(source));
    schema.sources.iter().zip(tables).map(table).collect()
}

fn empty(source: &Source) -> Table {
    let column = |field: &Field| Some(ColumnReader::new(&field.data_type).finish());
    let columns = source.fields.iter().map(column).collect();
    Table { source: None, columns, rows: 0 }
}

/// Links the rows and sorts them by time.
fn with_links(schema: &Schema, mut data: Data) -> Result<Data, DataError> {
    link_all(schema, &mut data)?;
    data.dated =
        (0..schema.sources.len()).map(|index| dated(schema, &data, SourceId(index))).collect();
    Ok(data)
}

/// Returns the distinct values of another source's field: texts in order of first appearance,
/// numbers and days sorted.
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

/// Sets a computed column and updates its dependents: links by it or to it, entities derived from
/// it, rows in its order.
pub(crate) fn set_column(
    schema: &Schema,
    data: &mut Data,
    source: SourceId,
    field: FieldId,
    column: Column,
) -> Result<(), DataError> {
    data.orders = Orders::default();
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
    for (index, other) in schema.sources.iter().enumerate().filter(|(_, other)| feeds(other)) {
        let rows = derive(data, other, source, field);
        if let Some(slot) = data.tables.get_mut(index) {
            *slot = rows;
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
