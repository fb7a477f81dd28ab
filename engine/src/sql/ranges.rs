//! The rows of each bucket, as ranges of the date column.

use super::compile::{Compiler, FromClause, unbound};
use super::condition::any_of;
use super::place::Clock;
use super::query::SqlValue;
use super::term::{CompileFailure, Compiled, Term, integers};
use crate::calendar::Period;
use crate::check::Atom;
use crate::evaluate::{Frame, FrameId, SnapshotAt, covers};
use crate::schema::{Path, SourceId, SourceKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BucketRows {
    /// The source does not cover the period.
    Uncovered,
    /// A snapshot has no state in the period.
    Stateless,
    /// All rows: the source has no date column.
    All,
    /// Rows whose date is in the half-open range; without `from` it is unbounded below.
    Dated { from: Option<i64>, to: i64 },
}

impl BucketRows {
    /// Returns whether an aggregate has an answer there, zero included.
    pub(super) const fn has_answers(&self) -> bool {
        matches!(self, Self::All | Self::Dated { .. })
    }
}

/// Returns the buckets in which an aggregate has answers.
pub(super) fn filled(ranges: &[BucketRows]) -> Vec<usize> {
    let filled = ranges.iter().enumerate().filter(|(_, range)| range.has_answers());
    filled.map(|(bucket, _)| bucket).collect()
}

/// Finds the rows of each bucket of a frame.
pub(super) fn of(
    compiler: &mut Compiler<'_, '_>,
    atom: &Atom,
    frame: FrameId,
) -> Compiled<Vec<BucketRows>> {
    let Some(place) = compiler.evaluation.frame(frame).cloned() else { return Ok(Vec::new()) };
    let Some(date) = &atom.date else { return Ok(vec![BucketRows::All; place.buckets.len()]) };
    let clock = clock(compiler, atom.source, date)?;
    let covered = covered(compiler, atom.source, &place);
    let mut ranges = plain(compiler, clock, &place);
    let source = compiler.schema().source_at(atom.source);
    if source.is_some_and(|source| source.kind == SourceKind::Snapshot) {
        states(compiler, (atom, date, clock), &place, &mut ranges)?;
    }
    for (range, covered) in ranges.iter_mut().zip(covered) {
        if !covered {
            *range = BucketRows::Uncovered;
        }
    }
    Ok(ranges)
}

pub(super) fn clock(compiler: &Compiler<'_, '_>, source: SourceId, date: &Path) -> Compiled<Clock> {
    let storage = compiler.storage(source, date);
    storage.and_then(Clock::of).ok_or_else(|| unbound("a date"))
}

/// Returns for each bucket whether it has begun and the source covers any of its days.
fn covered(compiler: &Compiler<'_, '_>, source: SourceId, place: &Frame) -> Vec<bool> {
    let calendar = compiler.evaluation.context().calendar;
    let coverage = compiler.schema().source_at(source).and_then(|source| source.coverage);
    let is_known = |bucket: &Period| {
        let covers = |coverage| covers(coverage, (place.state, bucket), calendar);
        !place.is_unbegun(bucket) && coverage.is_none_or(covers)
    };
    place.buckets.iter().map(is_known).collect()
}

/// Returns the ranges of events: the elapsed part of a bucket, or everything before the instant of
/// a state.
fn plain(compiler: &Compiler<'_, '_>, clock: Clock, place: &Frame) -> Vec<BucketRows> {
    let calendar = compiler.evaluation.context().calendar;
    let range = |bucket: &Period| {
        if let Some(instant) = place.state_at(bucket) {
            return BucketRows::Dated { from: None, to: clock.edge(instant, calendar) };
        }
        let from = clock.edge(bucket.start, calendar);
        BucketRows::Dated { from: Some(from), to: clock.edge(bucket.as_of, calendar).max(from) }
    };
    place.buckets.iter().map(range).collect()
}

/// Narrows the ranges of a snapshot to its last day if a state is requested, and marks buckets
/// without one.
fn states(
    compiler: &mut Compiler<'_, '_>,
    (atom, date, clock): (&Atom, &Path, Clock),
    place: &Frame,
    ranges: &mut [BucketRows],
) -> Compiled<()> {
    let dates = dates(compiler, atom.source, date)?;
    let calendar = compiler.evaluation.context().calendar;
    for (range, bucket) in ranges.iter_mut().zip(&place.buckets) {
        let BucketRows::Dated { from, to } = *range else { continue };
        let end = dates.partition_point(|date| *date < to);
        let last = end.checked_sub(1).and_then(|index| dates.get(index).copied());
        let Some(last) = last.filter(|last| from.is_none_or(|from| *last >= from)) else {
            *range = BucketRows::Stateless;
            continue;
        };
        let is_state = place.state_at(bucket).is_some() || place.state == Some(SnapshotAt::Within);
        if is_state {
            let day = clock.day_start(last, calendar);
            *range = BucketRows::Dated { from: day.max(from), to };
        }
    }
    Ok(())
}

/// Returns the dates for which a snapshot has states, ascending.
fn dates(compiler: &mut Compiler<'_, '_>, source: SourceId, date: &Path) -> Compiled<Vec<i64>> {
    let mut apart = Compiler::new(compiler.database, &mut *compiler.evaluation, vec![0]);
    let mut from = FromClause::new(source);
    let column = apart.column(&mut from, date)?;
    let Some(text) = column.nullable().map(str::to_owned) else { return Ok(Vec::new()) };
    let tables = apart.from(&from, false)?;
    let body = format!("SELECT DISTINCT {text}\n{tables}\nWHERE {text} IS NOT NULL");
    let query = apart.statement.finish(&body);
    let rows = compiler.database.rows(&query)?;
    let mut dates: Vec<i64> = rows
        .iter()
        .filter_map(|row| match row.first() {
            Some(SqlValue::Integer(value)) => Some(*value),
            Some(SqlValue::Text(text)) => text.parse().ok(),
            _ => None,
        })
        .collect();
    dates.sort_unstable();
    Ok(dates)
}

/// Compiles the condition that assigns rows to buckets.
pub(super) fn condition(
    compiler: &mut Compiler<'_, '_>,
    from: &mut FromClause,
    atom: &Atom,
    ranges: &[BucketRows],
) -> Compiled<Vec<String>> {
    let Some(date) = &atom.date else { return Ok(Vec::new()) };
    let (Term::Instant(text, _) | Term::Day(text)) = compiler.column(from, date)? else {
        return Err(CompileFailure::Stream("a date that is no date"));
    };
    let own = compiler.buckets.iter().filter_map(|bucket| ranges.get(*bucket));
    let (low, high): (Vec<Option<i64>>, Vec<i64>) = own
        .map(|range| match range {
            BucketRows::Dated { from, to } => (*from, *to),
            _ => (Some(i64::MAX), i64::MIN),
        })
        .unzip();
    let mut conditions = Vec::new();
    if low.iter().any(Option::is_some) {
        let low = low.into_iter().map(|low| low.or(Some(i64::MIN))).collect();
        conditions.push(format!("{text} >= {}", integers(&mut compiler.statement, low)));
    }
    let high = high.into_iter().map(Some).collect();
    conditions.push(format!("{text} < {}", integers(&mut compiler.statement, high)));
    Ok(conditions)
}

/// Compiles the condition that keeps the rows of any range.
pub(super) fn union(
    compiler: &mut Compiler<'_, '_>,
    from: &mut FromClause,
    date: &Path,
    ranges: &[BucketRows],
) -> Compiled<Option<String>> {
    let mut dated: Vec<(Option<i64>, i64)> = ranges
        .iter()
        .filter_map(|range| match range {
            BucketRows::Dated { from, to } => Some((*from, *to)),
            _ => None,
        })
        .collect();
    dated.sort_unstable();
    let mut merged: Vec<(Option<i64>, i64)> = Vec::new();
    for (low, high) in dated {
        match merged.last_mut() {
            Some((_, end)) if low.is_none_or(|low| low <= *end) => *end = (*end).max(high),
            _ => merged.push((low, high)),
        }
    }
    let Some(text) = compiler.column(from, date)?.nullable().map(str::to_owned) else {
        return Ok(None);
    };
    let statement = &mut compiler.statement;
    let parts: Vec<String> = merged
        .into_iter()
        .map(|(low, high)| match low {
            Some(low) => {
                let (low, high) = (statement.integer(low), statement.integer(high));
                format!("{text} >= {low} AND {text} < {high}")
            }
            None => format!("{text} < {}", statement.integer(high)),
        })
        .collect();
    Ok(Some(any_of(&parts)))
}
