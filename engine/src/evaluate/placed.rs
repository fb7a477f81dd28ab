//! Rows in order of time, and which of them a period holds.

use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;

use super::evaluator::Evaluator;
use super::frame::{End, Frame};
use crate::calendar::Period;
use crate::check::Atom;
use crate::data::{Column, Dated, NULL, in_order};
use crate::schema::{Path, SourceId, SourceKind};
use crate::types::Value;

/// The rows of a source in order of a date; without one in their own order.
#[derive(Debug)]
pub(super) struct Placed {
    order: Arc<Dated>,
    is_dated: bool,
}

impl Placed {
    pub(super) fn rows(&self) -> &[u32] {
        &self.order.rows
    }

    /// The instants of the rows, ascending; none where the rows are in their own order.
    pub(super) fn at(&self) -> Option<&[i64]> {
        self.is_dated.then_some(self.order.at.as_slice())
    }

    /// Whether the rows follow each other without a gap.
    pub(super) fn is_in_row_order(&self) -> bool {
        self.order.in_row_order
    }

    fn undated(count: u32) -> Self {
        let order = Dated { rows: (0..count).collect(), at: Vec::new(), in_row_order: true };
        Self { order: Arc::new(order), is_dated: false }
    }
}

impl Evaluator<'_> {
    /// Rows in order of a date, kept for the whole evaluation.
    pub(super) fn placed(&mut self, source: SourceId, date: Option<&Path>) -> Rc<Placed> {
        let key = (source, date.cloned());
        if let Some(known) = self.placed.get(&key) {
            return Rc::clone(known);
        }
        let made = Rc::new(self.place(source, date));
        self.placed.insert(key, Rc::clone(&made));
        made
    }

    fn place(&self, source: SourceId, date: Option<&Path>) -> Placed {
        let Some(tables) = self.data() else { return Placed::undated(0) };
        let count = u32::try_from(tables.row_count(source)).unwrap_or(u32::MAX);
        // A record may give rows without their date; its own period then holds them all.
        let date = date.filter(|path| self.context.record.is_none() || self.is_given(source, path));
        let Some(path) = date else { return Placed::undated(count) };
        let default = self.schema().source_at(source).and_then(|source| source.date.as_ref());
        let order = match tables.dated.get(source.0) {
            Some(Some(dated)) if default == Some(path) => Some(Arc::clone(dated)),
            Some(_) | None => tables.orders.of(self.schema(), tables, source, path),
        };
        // Days begin when the calendar of the request says so.
        let order = order.unwrap_or_else(|| Arc::new(in_order(&self.days(source, path, count))));
        Placed { order, is_dated: true }
    }

    /// Days at the end of a path as the instants they begin.
    fn days(&self, source: SourceId, path: &Path, count: u32) -> Vec<i64> {
        let rows: Vec<u32> = (0..count).collect();
        let Some((owner, _)) = self.schema().field_at(source, path) else { return Vec::new() };
        let table = self.data().and_then(|data| data.table(owner));
        let column = table.and_then(|table| table.columns.get(path.field.0)?.as_ref());
        let Some(column @ Column::Date(_)) = column else { return vec![NULL; rows.len()] };
        let reached = self.reach(source, path, rows);
        let start = |row: u32| {
            let row = usize::try_from(row).ok()?;
            let Value::Date(date) = column.value(row) else { return None };
            self.context.calendar.start_of_day(date).map(Timestamp::as_microsecond)
        };
        reached.into_iter().map(|row| start(row).unwrap_or(NULL)).collect()
    }

    /// For each bucket the positions of its rows; `None` where the source does not cover it.
    pub(super) fn ranges(
        &self,
        atom: &Atom,
        placed: &Placed,
        frame: &Frame,
    ) -> Vec<Option<(usize, usize)>> {
        frame.buckets.iter().map(|bucket| self.range(atom, placed, frame, bucket)).collect()
    }

    fn range(
        &self,
        atom: &Atom,
        placed: &Placed,
        frame: &Frame,
        bucket: &Period,
    ) -> Option<(usize, usize)> {
        let Some(at) = placed.at() else { return Some((0, placed.rows().len())) };
        let source = self.schema().source_at(atom.source)?;
        let before = |instant: Timestamp| {
            let micros = instant.as_microsecond();
            // Instants between two microseconds come after the first.
            let inside = instant.as_nanosecond().rem_euclid(1_000) > 0;
            at.partition_point(|at| *at < micros || inside && *at == micros)
        };
        // Where the day of the last row before a position begins.
        let last_day = |end: usize| {
            let last = end.checked_sub(1).and_then(|index| at.get(index).copied());
            let last = last.and_then(|at| Timestamp::from_microsecond(at).ok());
            let start = last.and_then(|last| {
                let calendar = self.context.calendar;
                calendar.start_of_day(calendar.date_of(last))
            });
            start.map_or(end, before)
        };
        let state = frame.state_at(bucket);
        if let Some(coverage) = source.coverage.filter(|_| self.is_store(atom.source)) {
            let first = self.context.calendar.start_of_day(coverage.first)?;
            let after = coverage.last.tomorrow().ok();
            let after = after.and_then(|day| self.context.calendar.start_of_day(day))?;
            let (start, end) = match state {
                Some(instant) => (Timestamp::MIN, instant),
                None => (bucket.start, bucket.as_of),
            };
            if end <= first || start >= after {
                return None;
            }
        }
        match (state, source.kind) {
            (Some(instant), SourceKind::Snapshot) => {
                let end = before(instant);
                Some((last_day(end), end))
            }
            (Some(instant), SourceKind::Event | SourceKind::Entity) => Some((0, before(instant))),
            (None, kind) => {
                let (from, to) = (before(bucket.start), before(bucket.as_of));
                let from = match (frame.state, kind) {
                    // Of a longer unit than a day the last state counts.
                    (Some(End::Within), SourceKind::Snapshot) => from.max(last_day(to)),
                    _ => from,
                };
                Some((from, to.max(from)))
            }
        }
    }
}
