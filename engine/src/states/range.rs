//! Which cells the rows of a period are in, by the same rules that place rows in memory.

use std::sync::Arc;

use jiff::Timestamp;

use super::grid::Grid;
use super::shape::{Declined, Range};
use super::slot::{Grain, edge, slot_of, start_of};
use crate::calendar::{Calendar, Period};
use crate::check::PeriodPart;
use crate::evaluate::{End, Extent};
use crate::schema::{Coverage, SourceKind};

/// The slots from the first to before the second.
pub(super) type Slots = (i32, i32);

/// What a source knows of time.
#[derive(Debug)]
pub(super) struct Extents {
    pub(super) kind: Option<SourceKind>,
    pub(super) coverage: Option<Coverage>,
    /// How many rows there are on each day, whatever they are.
    pub(super) present: Option<Arc<Grid>>,
}

impl Extents {
    /// The slots of a bucket; `None` where the source does not cover it.
    pub(super) fn slots(
        &self,
        grid: &Grid,
        (range, state): (Range, Option<End>),
        bucket: &Period,
        calendar: &Calendar,
    ) -> Result<Option<Slots>, Declined> {
        let bound = |at| bound(grid, at, false, calendar);
        match range {
            Range::Frame if grid.grain() == Grain::Always => Ok(Some((i32::MIN, i32::MAX))),
            Range::Frame => self.framed(grid, state, bucket, calendar),
            Range::Elapsed => Ok(Some((bound(bucket.start)?, bound(bucket.as_of)?))),
            Range::Between(from, to) => Ok(Some((
                from.map_or(Ok(i32::MIN), |part| at_part(grid, part, bucket, calendar))?,
                to.map_or(Ok(i32::MAX), |part| at_part(grid, part, bucket, calendar))?,
            ))),
        }
    }

    fn framed(
        &self,
        grid: &Grid,
        state: Option<End>,
        bucket: &Period,
        calendar: &Calendar,
    ) -> Result<Option<Slots>, Declined> {
        let at = match state {
            Some(End::Start) => Some(bucket.start),
            Some(End::AsOf) => Some(bucket.as_of),
            Some(End::Within) | None => None,
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
        let start = match at {
            Some(_) if snapshot => self.last_day(end, calendar)?,
            Some(_) => i32::MIN,
            None => {
                let start = bound(grid, bucket.start, false, calendar)?;
                match state {
                    // Of a longer unit than a day the last state counts.
                    Some(End::Within) if snapshot => start.max(self.last_day(end, calendar)?),
                    _ => start,
                }
            }
        };
        Ok(Some((start, end.max(start))))
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
        bound(present, start, false, calendar)
    }

    /// Whether a snapshot has no rows at all in these slots.
    pub(super) fn is_void(&self, (from, to): Slots) -> bool {
        let last = self.present.as_ref().and_then(|present| present.last_slot(to));
        self.kind == Some(SourceKind::Snapshot) && last.is_none_or(|last| last < from)
    }
}

/// The slot before which lie all rows that are earlier than an end of the period, and no others.
pub(super) fn at_part(
    grid: &Grid,
    part: PeriodPart,
    bucket: &Period,
    calendar: &Calendar,
) -> Result<i32, Declined> {
    let at = match part {
        PeriodPart::Start | PeriodPart::Whole => bucket.start,
        PeriodPart::End => bucket.end,
    };
    bound(grid, at, true, calendar)
}

/// The slot before which lie all rows that are earlier than an instant, and no others.
///
/// A row that is dated by a day stands at the beginning of the day. Where it is compared with an
/// instant it is the whole day instead, so that only instants between two days tell it.
fn bound(grid: &Grid, at: Timestamp, compares: bool, calendar: &Calendar) -> Result<i32, Declined> {
    let unknown = || "the period leaves the range of cells".to_owned();
    let (slot, is_exact) = edge(grid.grain(), at, calendar).ok_or_else(unknown)?;
    if is_exact || grid.grain() == Grain::Date && !compares {
        return Ok(slot);
    }
    let instant = |at| Timestamp::from_microsecond(at).ok();
    if grid.grain() != Grain::Date {
        let Some((first, last)) = grid.extent() else { return Ok(slot) };
        if instant(last).is_some_and(|last| last < at) {
            return Ok(i32::MAX);
        }
        if instant(first).is_some_and(|first| first >= at) {
            return Ok(i32::MIN);
        }
    }
    Err(format!("the period does not begin and end with a whole {}", grid.grain().name()))
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
