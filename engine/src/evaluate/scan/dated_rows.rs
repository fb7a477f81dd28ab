//! Rows sorted by date, and the rows of each bucket.

use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;

use super::columns::rows_reached;
use crate::calendar::Period;
use crate::check::Atom;
use crate::data::{Column, NULL, TimeOrder, in_order};
use crate::evaluate::context::Context;
use crate::evaluate::frames::{Frame, SnapshotAt, covers};
use crate::schema::{Path, SourceId, SourceKind};
use crate::types::Value;

/// The rows of a source sorted by a date; in row order if there is no date.
#[derive(Debug)]
pub(crate) struct DatedRows {
    order: Arc<TimeOrder>,
    is_dated: bool,
}

/// A range of positions in that order, end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PositionRange {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl PositionRange {
    /// The smallest range that covers both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}

/// The row orders found so far in an evaluation.
#[derive(Debug, Default)]
pub(crate) struct RowOrders {
    by_date: Vec<(SourceId, Option<Path>, Rc<DatedRows>)>,
}

impl RowOrders {
    /// The rows of a source sorted by a date.
    pub(crate) fn get(
        &mut self,
        context: &Context<'_>,
        source: SourceId,
        date: Option<&Path>,
    ) -> Rc<DatedRows> {
        let is_same = |own: &&(SourceId, Option<Path>, Rc<DatedRows>)| {
            own.0 == source && own.1.as_ref() == date
        };
        if let Some((_, _, rows)) = self.by_date.iter().find(is_same) {
            return Rc::clone(rows);
        }
        let rows = Rc::new(DatedRows::new(context, source, date));
        self.by_date.push((source, date.cloned(), Rc::clone(&rows)));
        rows
    }
}

impl DatedRows {
    fn new(context: &Context<'_>, source: SourceId, date: Option<&Path>) -> Self {
        let Some(tables) = context.data else { return Self::undated(0) };
        let count = u32::try_from(tables.row_count(source)).unwrap_or(u32::MAX);
        // A record may contain rows without their date; its own period then holds them all.
        let date = date.filter(|path| context.record.is_none() || context.has_column(source, path));
        let Some(path) = date else { return Self::undated(count) };
        let default = context.schema.source_at(source).and_then(|source| source.date.as_ref());
        let order = match tables.dated.get(source.0) {
            Some(Some(dated)) if default == Some(path) => Some(Arc::clone(dated)),
            Some(_) | None => tables.orders.of(context.schema, tables, source, path),
        };
        // Days begin according to the calendar of the request.
        let order =
            order.unwrap_or_else(|| Arc::new(in_order(&day_starts(context, source, path, count))));
        Self { order, is_dated: true }
    }

    fn undated(count: u32) -> Self {
        let order = TimeOrder { rows: (0..count).collect(), at: Vec::new(), in_row_order: true };
        Self { order: Arc::new(order), is_dated: false }
    }

    pub(crate) fn rows(&self) -> &[u32] {
        &self.order.rows
    }

    /// The instants of the rows, ascending; `None` in row order.
    pub(crate) fn at(&self) -> Option<&[i64]> {
        self.is_dated.then_some(self.order.at.as_slice())
    }

    /// Whether the rows are in row order.
    pub(super) fn is_in_row_order(&self) -> bool {
        self.order.in_row_order
    }

    pub(crate) fn all(&self) -> PositionRange {
        PositionRange { from: 0, to: self.rows().len() }
    }

    /// The first and the last instant, in microseconds.
    pub(crate) fn extent(&self) -> Option<(i64, i64)> {
        let at = self.at()?;
        Some((*at.first()?, *at.last()?))
    }

    /// The range of each bucket; `None` if the source does not cover the bucket.
    pub(crate) fn ranges(
        &self,
        context: &Context<'_>,
        atom: &Atom,
        frame: &Frame,
    ) -> Vec<Option<PositionRange>> {
        frame.buckets.iter().map(|bucket| self.range(context, atom, frame, bucket)).collect()
    }

    fn range(
        &self,
        context: &Context<'_>,
        atom: &Atom,
        frame: &Frame,
        bucket: &Period,
    ) -> Option<PositionRange> {
        let Some(at) = self.at() else { return Some(self.all()) };
        let source = context.schema.source_at(atom.source)?;
        let state = frame.state_at(bucket);
        let is_known = !frame.is_unbegun(bucket);
        let is_store = context.is_store(atom.source);
        let covers = |coverage| covers(coverage, (frame.state, bucket), context.calendar);
        if is_store && !(is_known && source.coverage.is_none_or(covers)) {
            return None;
        }
        match (state, source.kind) {
            (Some(instant), SourceKind::Snapshot) => {
                let to = position_of(at, instant);
                Some(PositionRange { from: start_of_last_day(context, at, to), to })
            }
            (Some(instant), SourceKind::Event | SourceKind::Entity) => {
                Some(PositionRange { from: 0, to: position_of(at, instant) })
            }
            (None, kind) => {
                let (from, to) = (position_of(at, bucket.start), position_of(at, bucket.as_of));
                let from = match (frame.state, kind) {
                    // The state of a bucket longer than a day is that of its last day.
                    (Some(SnapshotAt::Within), SourceKind::Snapshot) => {
                        from.max(start_of_last_day(context, at, to))
                    }
                    _ => from,
                };
                Some(PositionRange { from, to: to.max(from) })
            }
        }
    }
}

/// The number of rows before an instant.
fn position_of(at: &[i64], instant: Timestamp) -> usize {
    let micros = instant.as_microsecond();
    // Instants between two microseconds come after the first.
    let inside = instant.as_nanosecond().rem_euclid(1_000) > 0;
    at.partition_point(|at| *at < micros || inside && *at == micros)
}

/// The position at which the day of the last row before `end` begins.
fn start_of_last_day(context: &Context<'_>, at: &[i64], end: usize) -> usize {
    let last = end.checked_sub(1).and_then(|index| at.get(index).copied());
    let last = last.and_then(|at| Timestamp::from_microsecond(at).ok());
    let day = last.map(|last| context.calendar.date_of(last));
    let start = day.and_then(|day| context.calendar.start_of_day(day));
    start.map_or(end, |start| position_of(at, start))
}

/// The dates at the end of a path, as the instant at which each day starts.
fn day_starts(context: &Context<'_>, source: SourceId, path: &Path, count: u32) -> Vec<i64> {
    let rows: Vec<u32> = (0..count).collect();
    let Some((owner, _)) = context.schema.field_at(source, path) else { return Vec::new() };
    let table = context.data.and_then(|data| data.table(owner));
    let column = table.and_then(|table| table.columns.get(path.field.0)?.as_ref());
    let Some(column @ Column::Date(_)) = column else { return vec![NULL; rows.len()] };
    let start = |row: u32| {
        let row = usize::try_from(row).ok()?;
        let Value::Date(date) = column.value(row) else { return None };
        context.calendar.start_of_day(date).map(Timestamp::as_microsecond)
    };
    let reached = rows_reached(context, source, &path.links, rows);
    reached.into_iter().map(|row| start(row).unwrap_or(NULL)).collect()
}

/// Merges ranges into disjoint ones, ascending.
pub(crate) fn merged_ranges(ranges: Vec<Option<PositionRange>>) -> Vec<PositionRange> {
    let mut sorted: Vec<PositionRange> = ranges.into_iter().flatten().collect();
    sorted.sort_unstable();
    let mut merged: Vec<PositionRange> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.from <= last.to => last.to = range.to.max(last.to),
            Some(_) | None => merged.push(range),
        }
    }
    merged
}
