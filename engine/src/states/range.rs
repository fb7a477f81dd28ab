//! Which cells the rows of a period are in, by the same rules that place rows in memory.

use std::sync::Arc;

use jiff::Timestamp;

use super::grid::Grid;
use super::shape::{Declined, Range};
use super::slot::{Grain, edge, slot_of, start_of};
use crate::calendar::{Calendar, Period};
use crate::check::PeriodPart;
use crate::evaluate::{Extent, SnapshotAt};
use crate::schema::{Coverage, SourceKind};

/// The slots from the first to before the second.
pub(super) type Slots = (i32, i32);
/// From the first instant to before the second.
pub(super) type Edge = (Timestamp, Timestamp);

/// Where the rows of a period are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    /// Slots that it takes whole.
    pub(super) slots: Slots,
    /// What it takes of the slots before and behind these, each within one slot.
    pub(super) edges: [Option<Edge>; 2],
}

impl Stretch {
    /// All cells that there are.
    pub(super) const ALL: Self = Self { slots: (i32::MIN, i32::MAX), edges: [None, None] };

    fn between(grain: Grain, (start, end): (Bound, Bound), calendar: &Calendar) -> Option<Self> {
        let exact = |slots| Self { slots, edges: [None, None] };
        if start.ceil <= end.floor {
            let head = (start.floor < start.ceil).then(|| start_of(grain, start.ceil, calendar));
            let tail = (end.floor < end.ceil).then(|| start_of(grain, end.floor, calendar));
            let head = head.map(|at| at.map(|at| (start.at, at)));
            let tail = tail.map(|at| at.map(|at| (at, end.at)));
            let edges = [head, tail];
            let is_known = edges.iter().flatten().all(Option::is_some);
            return is_known.then(|| Self {
                edges: edges.map(Option::flatten),
                ..exact((start.ceil, end.floor))
            });
        }
        let none = exact((start.ceil, start.ceil));
        let both = (start.at, end.at);
        Some(if start.at < end.at { Self { edges: [Some(both), None], ..none } } else { none })
    }

    /// The edges that there are.
    pub(super) fn edges(self) -> impl Iterator<Item = Edge> {
        self.edges.into_iter().flatten()
    }
}

/// What is merged for a bucket: the states of an earlier bucket, where it goes on from there, and some slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) after: Option<usize>,
    pub(super) slots: Slots,
}

/// How the stretches of buckets are merged. Those that begin together, as lifetimes do, are merged one after the other.
pub(super) fn steps(stretches: &[Option<Stretch>]) -> Vec<Option<Step>> {
    let mut last: Option<(usize, Slots)> = None;
    let step = |(index, stretch): (usize, &Option<Stretch>)| {
        let slots = stretch.as_ref()?.slots;
        let before = last.filter(|(_, own)| own.0 == slots.0 && own.1 <= slots.1);
        last = Some((index, slots));
        Some(match before {
            Some((after, own)) => Step { after: Some(after), slots: (own.1, slots.1) },
            None => Step { after: None, slots },
        })
    };
    stretches.iter().enumerate().map(step).collect()
}

/// An instant between slots, or within one.
#[derive(Debug, Clone, Copy)]
struct Bound {
    at: Timestamp,
    /// The last slot that begins no later.
    floor: i32,
    /// The first slot that begins no earlier.
    ceil: i32,
}

impl Bound {
    const FIRST: Self = Self { at: Timestamp::MIN, floor: i32::MIN, ceil: i32::MIN };
    const LAST: Self = Self { at: Timestamp::MAX, floor: i32::MAX, ceil: i32::MAX };

    /// The slot that it is the beginning of.
    fn exact(self, grain: Grain) -> Result<i32, Declined> {
        if self.floor == self.ceil { Ok(self.ceil) } else { Err(not_whole(grain)) }
    }
}

/// Why cells do not tell what is in a period.
pub(super) fn not_whole(grain: Grain) -> Declined {
    format!("the period does not begin and end with a whole {}", grain.name())
}

/// What a source knows of time.
#[derive(Debug)]
pub(super) struct Extents {
    pub(super) kind: Option<SourceKind>,
    pub(super) coverage: Option<Coverage>,
    /// How many rows there are on each day, whatever they are.
    pub(super) present: Option<Arc<Grid>>,
}

impl Extents {
    /// Where the rows of a bucket are; `None` where the source does not cover it.
    pub(super) fn stretch(
        &self,
        grid: &Grid,
        (range, state): (Range, Option<SnapshotAt>),
        bucket: &Period,
        calendar: &Calendar,
    ) -> Result<Option<Stretch>, Declined> {
        let bound = |at| bound(grid, at, false, calendar);
        let part = |part: Option<PeriodPart>, open| {
            part.map_or(Ok(open), |part| at_part(grid, part, bucket, calendar))
        };
        let (start, end) = match range {
            Range::Frame if grid.grain() == Grain::Always => return Ok(Some(Stretch::ALL)),
            Range::Frame => match self.framed(grid, state, bucket, calendar)? {
                Some(ends) => ends,
                None => return Ok(None),
            },
            Range::Elapsed => (bound(bucket.start)?, bound(bucket.as_of)?),
            Range::Between(from, to) => (part(from, Bound::FIRST)?, part(to, Bound::LAST)?),
        };
        if matches!(grid.grain(), Grain::Date | Grain::Always) {
            start.exact(grid.grain())?;
            end.exact(grid.grain())?;
        }
        let stretch = Stretch::between(grid.grain(), (start, end), calendar);
        Ok(Some(stretch.ok_or_else(out_of_range)?))
    }

    fn framed(
        &self,
        grid: &Grid,
        state: Option<SnapshotAt>,
        bucket: &Period,
        calendar: &Calendar,
    ) -> Result<Option<(Bound, Bound)>, Declined> {
        let at = match state {
            Some(SnapshotAt::Start) => Some(bucket.start),
            Some(SnapshotAt::AsOf) => Some(bucket.as_of),
            Some(SnapshotAt::Within) | None => None,
        };
        if let Some(coverage) = self.coverage {
            let first = calendar.start_of_day(coverage.first);
            let after = coverage.last.tomorrow().ok().and_then(|day| calendar.start_of_day(day));
            let (start, end) = at.map_or((bucket.start, bucket.as_of), |at| (Timestamp::MIN, at));
            let covered =
                first.zip(after).is_some_and(|(first, after)| end > first && start < after);
            if !covered {
                return Ok(None);
            }
        }
        let snapshot = self.kind == Some(SourceKind::Snapshot);
        let end = bound(grid, at.unwrap_or(bucket.as_of), false, calendar)?;
        if snapshot {
            return self.of_states(grid, (state, end), bucket, calendar).map(Some);
        }
        let start = match at {
            Some(_) => Bound::FIRST,
            None => bound(grid, bucket.start, false, calendar)?,
        };
        Ok(Some((start, end)))
    }

    /// The ends of what a snapshot says of a period: whole slots.
    fn of_states(
        &self,
        grid: &Grid,
        (state, end): (Option<SnapshotAt>, Bound),
        bucket: &Period,
        calendar: &Calendar,
    ) -> Result<(Bound, Bound), Declined> {
        let exact = |bound: Bound| bound.exact(grid.grain());
        let start = || exact(bound(grid, bucket.start, false, calendar)?);
        let slot = exact(end)?;
        let first = match state {
            Some(SnapshotAt::Start | SnapshotAt::AsOf) => self.last_day(slot, calendar)?,
            // Of a longer unit than a day the last state counts.
            Some(SnapshotAt::Within) => start()?.max(self.last_day(slot, calendar)?),
            None => start()?,
        };
        let whole = |slot| Bound { at: end.at, floor: slot, ceil: slot };
        Ok((whole(first), whole(slot.max(first))))
    }

    /// The first slot of the last day before a slot on which the source has rows.
    fn last_day(&self, end: i32, calendar: &Calendar) -> Result<i32, Declined> {
        let present = self.present.as_deref().ok_or("it is not known which days have rows")?;
        let Some(last) = present.last_slot(end) else { return Ok(end) };
        if present.grain() != Grain::Hour {
            return Ok(last);
        }
        let start = start_of(Grain::Hour, last, calendar);
        let start = start.and_then(|at| calendar.start_of_day(calendar.date_of(at)));
        let start = start.ok_or("a day lies outside the range of instants")?;
        bound(present, start, false, calendar)?.exact(present.grain())
    }

    /// Whether a snapshot has no rows at all in these slots.
    pub(super) fn is_void(&self, (from, to): Slots) -> bool {
        let last = self.present.as_ref().and_then(|present| present.last_slot(to));
        self.kind == Some(SourceKind::Snapshot) && last.is_none_or(|last| last < from)
    }
}

/// Before which slots lie all rows that are earlier than an end of the period, and no others.
fn at_part(
    grid: &Grid,
    part: PeriodPart,
    bucket: &Period,
    calendar: &Calendar,
) -> Result<Bound, Declined> {
    let at = match part {
        PeriodPart::Start | PeriodPart::Whole => bucket.start,
        PeriodPart::End => bucket.end,
    };
    bound(grid, at, true, calendar)
}

/// Before which slots lie all rows that are earlier than an instant, and no others.
///
/// A row that is dated by a day stands at the beginning of the day. Where it is compared with an
/// instant it is the whole day instead, so that only instants between two days tell it.
fn bound(
    grid: &Grid,
    at: Timestamp,
    compares: bool,
    calendar: &Calendar,
) -> Result<Bound, Declined> {
    let (ceil, is_exact) = edge(grid.grain(), at, calendar).ok_or_else(out_of_range)?;
    let exact = Bound { at, floor: ceil, ceil };
    if is_exact || grid.grain() == Grain::Date && !compares {
        return Ok(exact);
    }
    let instant = |at| Timestamp::from_microsecond(at).ok();
    if grid.grain() != Grain::Date {
        let Some((first, last)) = grid.extent() else { return Ok(exact) };
        if instant(last).is_some_and(|last| last < at) {
            return Ok(Bound::LAST);
        }
        if instant(first).is_some_and(|first| first >= at) {
            return Ok(Bound::FIRST);
        }
    }
    Ok(Bound { floor: ceil.saturating_sub(1), ..exact })
}

fn out_of_range() -> Declined {
    "the period leaves the range of cells".to_owned()
}

/// The first and the last instant of a grid's rows; `None` where it is not known any more.
pub(super) fn extent(grid: &Grid, calendar: &Calendar) -> Option<Extent> {
    if !grid.dirty().is_empty() {
        return None;
    }
    let Some((first, last)) = grid.slots() else { return Some(None) };
    if grid.grain() == Grain::Date {
        let at = |slot| start_of(Grain::Date, slot, calendar).map(Timestamp::as_microsecond);
        return Some(at(first).zip(at(last)));
    }
    let (low, high) = grid.extent().filter(|_| !grid.is_loose)?;
    let fits = |at, slot| slot_of(grid.grain(), at, calendar) == Some(slot);
    let is_exact = grid.grain() != Grain::Hour || fits(low, first) && fits(high, last);
    is_exact.then_some(Some((low, high)))
}
