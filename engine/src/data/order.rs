//! Rows in order of time.

use std::sync::{Arc, Mutex, PoisonError};

use super::column::{Column, NULL};
use super::{Data, NO_ROW};
use crate::schema::{Path, Schema, SourceId};

/// Rows in order of time.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimeOrder {
    /// Row numbers; rows without a date are left out.
    pub(crate) rows: Vec<u32>,
    /// Their instants in microseconds, in ascending order.
    pub(crate) at: Vec<i64>,
    /// Whether all rows of the source are present, in row order.
    pub(crate) in_row_order: bool,
}

/// Limit: cached orders by dates other than the sources' own.
const MAX_ORDERS: usize = 32;

/// Rows in order of dates that formulas name with `dated by`, sorted on first use.
#[derive(Debug, Default)]
pub(crate) struct Orders(Mutex<Vec<(SourceId, Path, Arc<TimeOrder>)>>);

impl Orders {
    /// Returns the order by the instants at the end of a path; `None` if the column has no instants.
    pub(crate) fn of(
        &self,
        schema: &Schema,
        data: &Data,
        source: SourceId,
        path: &Path,
    ) -> Option<Arc<TimeOrder>> {
        let is_same =
            |order: &&(SourceId, Path, Arc<TimeOrder>)| order.0 == source && order.1 == *path;
        let known = {
            let orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            orders.iter().find(is_same).map(|(_, _, order)| Arc::clone(order))
        };
        if known.is_some() {
            return known;
        }
        let made = Arc::new(in_order(&instants(schema, data, source, path)?));
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if orders.len() < MAX_ORDERS {
            orders.push((source, path.clone(), Arc::clone(&made)));
        }
        Some(made)
    }
}

/// A copy of the rows may be changed, so it starts without orders.
impl Clone for Orders {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Returns the rows in order of the source's default date, if that is an instant.
pub(super) fn dated(schema: &Schema, data: &Data, source: SourceId) -> Option<Arc<TimeOrder>> {
    let path = schema.source_at(source)?.date.as_ref()?;
    let instants = instants(schema, data, source, path)?;
    Some(Arc::new(in_order(&instants)))
}

/// Returns the instants at the end of a path for every row; `None` if the column has no instants.
pub(super) fn instants(
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
    let reached = reached(schema, data, source, path)?;
    let value = |row: u32| usize::try_from(row).ok().and_then(|row| values.get(row).copied());
    Some(reached.into_iter().map(|row| value(row).unwrap_or(NULL)).collect())
}

/// Returns the rows at the end of a path's links, for every row.
fn reached(schema: &Schema, data: &Data, source: SourceId, path: &Path) -> Option<Vec<u32>> {
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
    Some(reached)
}

/// Returns the number of rows of a dated source that have no date and therefore belong to no
/// period.
pub(super) fn undated(schema: &Schema, data: &Data, source: SourceId) -> Option<usize> {
    let path = schema.source_at(source)?.date.as_ref()?;
    if let Some(dated) = data.dated.get(source.0)?.as_ref() {
        return data.row_count(source).checked_sub(dated.rows.len());
    }
    let (owner, _) = schema.field_at(source, path)?;
    let Some(Column::Date(values)) = data.table(owner)?.columns.get(path.field.0)?.as_ref() else {
        return None;
    };
    let is_dated = |row: &u32| {
        let value = usize::try_from(*row).ok().and_then(|row| values.get(row));
        value.is_some_and(Option::is_some)
    };
    let reached = reached(schema, data, source, path)?;
    Some(reached.iter().filter(|row| !is_dated(row)).count())
}

/// Sorts row numbers by instant, ties in row order, without nulls.
pub(crate) fn in_order(instants: &[i64]) -> TimeOrder {
    if instants.is_sorted() && instants.first() != Some(&NULL) {
        let count = u32::try_from(instants.len()).unwrap_or(u32::MAX);
        return TimeOrder { rows: (0..count).collect(), at: instants.to_vec(), in_row_order: true };
    }
    let mut pairs: Vec<(i64, u32)> = instants
        .iter()
        .zip(0_u32..)
        .filter(|(at, _)| **at != NULL)
        .map(|(at, row)| (*at, row))
        .collect();
    pairs.sort_by_key(|(at, _)| *at);
    TimeOrder {
        rows: pairs.iter().map(|(_, row)| *row).collect(),
        at: pairs.iter().map(|(at, _)| *at).collect(),
        in_row_order: false,
    }
}
