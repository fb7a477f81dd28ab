//! Follows links from rows to rows, and reads columns of rows as vectors.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::batch::RowBatch;
use super::vector::Vector;
use crate::data::{Column, NO_CODE, NO_ROW, NULL};
use crate::evaluate::context::Context;
use crate::schema::{LinkId, Path, SourceId};

/// The column at the end of a path for the rows of a batch.
pub(crate) fn column(context: &Context<'_>, batch: &RowBatch<'_>, path: &Path) -> Vector {
    let given = batch.given.and_then(|given| given.column(batch.source, path, batch.rows));
    if let Some(given) = given {
        return given;
    }
    let Some(data) = context.data else { return Vector::null() };
    let mut at = batch.source;
    let mut run = batch.run();
    let mut reached = Cow::Borrowed(batch.rows);
    for link in &path.links {
        let Some(targets) = data.link(at, *link) else { return Vector::null() };
        reached = match run.take().and_then(|run| targets.get(run)) {
            Some(rows) => Cow::Borrowed(rows),
            None => Cow::Owned(picked(targets, &reached, NO_ROW)),
        };
        at = target_of(context, at, *link);
    }
    let column = data.table(at).and_then(|table| table.columns.get(path.field.0)?.as_ref());
    match (column, run) {
        (Some(column), Some(run)) => part(column, run),
        (Some(column), None) => pick(column, &reached),
        (None, _) => Vector::null(),
    }
}

/// The values of a column at the given rows, in order.
fn pick(column: &Column, rows: &[u32]) -> Vector {
    match column {
        Column::Scaled { values, scale } => {
            Vector::Scaled { values: picked(values, rows, NULL), scale: *scale }
        }
        Column::Text { codes, entries } => {
            Vector::Codes { codes: picked(codes, rows, NO_CODE), entries: Arc::clone(entries) }
        }
        Column::Instant(values) => Vector::Instants(picked(values, rows, NULL)),
        Column::Bool(values) => Vector::Flags(picked(values, rows, None)),
        Column::Exact(_) | Column::Date(_) => {
            let value = |row: &u32| column.value(usize::try_from(*row).unwrap_or(usize::MAX));
            Vector::Values(rows.iter().map(value).collect())
        }
    }
}

/// A contiguous range of a column.
fn part(column: &Column, run: Range<usize>) -> Vector {
    match column {
        Column::Scaled { values, scale } => {
            Vector::Scaled { values: values.get(run).unwrap_or_default().to_vec(), scale: *scale }
        }
        Column::Text { codes, entries } => Vector::Codes {
            codes: codes.get(run).unwrap_or_default().to_vec(),
            entries: Arc::clone(entries),
        },
        Column::Instant(values) => Vector::Instants(values.get(run).unwrap_or_default().to_vec()),
        Column::Bool(values) => Vector::Flags(values.get(run).unwrap_or_default().to_vec()),
        Column::Exact(_) | Column::Date(_) => {
            Vector::Values(run.map(|row| column.value(row)).collect())
        }
    }
}

/// The row that each row reaches through a chain of links.
pub(super) fn rows_reached(
    context: &Context<'_>,
    source: SourceId,
    links: &[LinkId],
    mut rows: Vec<u32>,
) -> Vec<u32> {
    let mut at = source;
    for link in links {
        let targets = context.data.and_then(|data| data.link(at, *link)).unwrap_or_default();
        rows = picked(targets, &rows, NO_ROW);
        at = target_of(context, at, *link);
    }
    rows
}

/// The target source of a link.
fn target_of(context: &Context<'_>, source: SourceId, link: LinkId) -> SourceId {
    let table = context.schema.source_at(source);
    table.and_then(|table| table.links.get(link.0)).map_or(source, |link| link.target)
}

/// The values at the given rows, in order.
pub(super) fn picked<T: Copy>(values: &[T], rows: &[u32], null: T) -> Vec<T> {
    let at = move |row: &u32| {
        let value = usize::try_from(*row).ok().and_then(|row| values.get(row));
        value.copied().unwrap_or(null)
    };
    rows.iter().map(at).collect()
}
