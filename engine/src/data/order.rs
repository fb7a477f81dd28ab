//! Rows in order of time.

use super::column::{Column, NULL};
use super::{Data, Dated, NO_ROW};
use crate::schema::{Path, Schema, SourceId};

/// Rows in order of the source's default date, if that is an instant.
pub(super) fn dated(schema: &Schema, data: &Data, source: SourceId) -> Option<Dated> {
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
