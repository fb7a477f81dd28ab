//! Follows links from rows to rows.

use crate::data::NO_ROW;
use crate::evaluate::context::Context;
use crate::schema::{LinkId, SourceId};

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
pub(super) fn target_of(context: &Context<'_>, source: SourceId, link: LinkId) -> SourceId {
    let table = context.schema.source_at(source);
    table.and_then(|table| table.links.get(link.0)).map_or(source, |link| link.target)
}

/// The values at the given rows, in order.
pub(super) fn picked<T: Copy>(values: &[T], rows: &[u32], null: T) -> Vec<T> {
    let at = |row: &u32| usize::try_from(*row).ok().and_then(|row| values.get(row).copied());
    rows.iter().map(|row| at(row).unwrap_or(null)).collect()
}
