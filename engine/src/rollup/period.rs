//! The buckets that hold the rows of a period, by the same rules as for rows in memory.

use std::sync::Arc;

use jiff::Timestamp;

use super::bucket::{Grain, bucket_from};
use super::strategy::{DeclineReason, TimeRange};
use super::table::Rollup;
use crate::calendar::{Calendar, Period};
use crate::check::PeriodPart;
use crate::evaluate::{Extent, SnapshotAt, covers};
use crate::schema::{Coverage, SourceKind};

/// The buckets from the first to before the second.
pub(super) type BucketRange = (i32, i32);
/// The part of a bucket that lies in a period: from the first instant to before the second.
pub(super) type Boundary = (Timestamp, Timestamp);

/// The buckets of a period.
#[derive(Debug, Clone, Copy)]
pub(super) struct BucketSpan {
    /// The buckets that lie wholly in the period.
    pub(super) buckets: BucketRange,
    /// The parts of the buckets before and after these, each within one bucket.
    pub(super) boundaries: [Option<Boundary>; 2],
}

impl BucketSpan {
    /// All buckets.
    pub(super) const ALL: Self = Self { buckets: (i32::MIN, i32::MAX), boundaries: [None, None] };

    fn between(
        grain: Grain,
        start: BucketBound,
        end: BucketBound,
        calendar: &Calendar,
    ) -> Option<Self> {
        let exact = |buckets| Self { buckets, boundaries: [None, None] };
        if start.ceil <= end.floor {
            let mut span = exact((start.ceil, end.floor));
            if start.floor < start.ceil {
                span.boundaries[0] = Some((start.at, grain.start(start.ceil, calendar)?));
            }
            if end.floor < end.ceil {
                span.boundaries[1] = Some((grain.start(end.floor, calendar)?, end.at));
            }
            return Some(span);
        }
        let none = exact((start.ceil, start.ceil));
        let both = (start.at, end.at);
        Some(if start.at < end.at { Self { boundaries: [Some(both), None], ..none } } else { none })
    }

    pub(super) fn boundaries(self) -> impl Iterator<Item = Boundary> {
        self.boundaries.into_iter().flatten()
    }
}

/// One step of a merge: some buckets, on top of the merged partials of an earlier period where it
/// continues that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MergeStep {
    pub(super) after: Option<usize>,
    pub(super) buckets: BucketRange,
}

/// Returns the merge steps of the spans of periods. Spans that begin together, such as the spans of lifetime
/// values, continue one another.
pub(super) fn merge_steps(spans: &[Option<BucketSpan>]) -> Vec<Option<MergeStep>> {
    let mut last: Option<(usize, BucketRange)> = None;
    let step = |(index, span): (usize, &Option<BucketSpan>)| {
        let buckets = span.as_ref()?.buckets;
        let before = last.filter(|(_, own)| own.0 == buckets.0 && own.1 <= buckets.1);
        last = Some((index, buckets));
        Some(match before {
            Some((after, own)) => MergeStep { after: Some(after), buckets: (own.1, buckets.1) },
            None => MergeStep { after: None, buckets },
        })
    };
    spans.iter().enumerate().map(step).collect()
}

/// An instant between two buckets, or within one.
#[derive(Debug, Clone, Copy)]
struct BucketBound {
    at: Timestamp,
    /// The last bucket that begins no later.
    floor: i32,
    /// The first bucket that begins no earlier.
    ceil: i32,
}

impl BucketBound {
    const FIRST: Self = Self { at: Timestamp::MIN, floor: i32::MIN, ceil: i32::MIN };
    const LAST: Self = Self { at: Timestamp::MAX, floor: i32::MAX, ceil: i32::MAX };

    /// Returns the bucket that begins at this instant.
    fn exact(self, grain: Grain) -> Result<i32, DeclineReason> {
        if self.floor == self.ceil { Ok(self.ceil) } else { Err(not_whole(grain)) }
    }
}

/// Returns the reason to decline a period that cuts a bucket.
pub(super) fn not_whole(grain: Grain) -> DeclineReason {
    format!("the period does not begin and end with a whole {}", grain.name())
}

/// The time for which a source has rows.
#[derive(Debug)]
pub(super) struct TimeCoverage {
    pub(super) kind: Option<SourceKind>,
    pub(super) coverage: Option<Coverage>,
    /// The number of rows in each bucket, without conditions; for snapshots.
    pub(super) present: Option<Arc<Rollup>>,
}

impl TimeCoverage {
    /// Returns the buckets of a period; `None` where the source does not cover it.
    pub(super) fn span(
        &self,
        rollup: &Rollup,
        (range, state): (TimeRange, Option<SnapshotAt>),
        period: &Period,
        calendar: &Calendar,
    ) -> Result<Option<BucketSpan>, DeclineReason> {
        let part = |part, open| match part {
            None => Ok(open),
            Some(PeriodPart::Start | PeriodPart::Whole) => {
                bound(rollup, period.start, true, calendar)
            }
            Some(PeriodPart::End) => bound(rollup, period.end, true, calendar),
        };
        let (start, end) = match range {
            TimeRange::Frame if rollup.grain() == Grain::Always => {
                return Ok(Some(BucketSpan::ALL));
            }
            TimeRange::Frame => match self.framed(rollup, state, period, calendar)? {
                Some(ends) => ends,
                None => return Ok(None),
            },
            TimeRange::Elapsed => {
                let bound = |at| bound(rollup, at, false, calendar);
                (bound(period.start)?, bound(period.as_of)?)
            }
            TimeRange::Between(from, to) => {
                (part(from, BucketBound::FIRST)?, part(to, BucketBound::LAST)?)
            }
        };
        if matches!(rollup.grain(), Grain::Date | Grain::Always) {
            start.exact(rollup.grain())?;
            end.exact(rollup.grain())?;
        }
        let span = BucketSpan::between(rollup.grain(), start, end, calendar);
        Ok(Some(span.ok_or_else(out_of_range)?))
    }

    fn framed(
        &self,
        rollup: &Rollup,
        state: Option<SnapshotAt>,
        period: &Period,
        calendar: &Calendar,
    ) -> Result<Option<(BucketBound, BucketBound)>, DeclineReason> {
        let at = match state {
            Some(SnapshotAt::Start) => Some(period.start),
            Some(SnapshotAt::AsOf) => Some(period.as_of),
            Some(SnapshotAt::Within) | None => None,
        };
        if self.coverage.is_some_and(|coverage| !covers(coverage, (state, period), calendar)) {
            return Ok(None);
        }
        let snapshot = self.kind == Some(SourceKind::Snapshot);
        let end = bound(rollup, at.unwrap_or(period.as_of), false, calendar)?;
        if snapshot {
            return self.snapshot_bounds(rollup, (state, end), period, calendar).map(Some);
        }
        let start = match at {
            Some(_) => BucketBound::FIRST,
            None => bound(rollup, period.start, false, calendar)?,
        };
        Ok(Some((start, end)))
    }

    /// Returns the bounds of a snapshot's rows in a period: whole buckets.
    fn snapshot_bounds(
        &self,
        rollup: &Rollup,
        (state, end): (Option<SnapshotAt>, BucketBound),
        period: &Period,
        calendar: &Calendar,
    ) -> Result<(BucketBound, BucketBound), DeclineReason> {
        let exact = |bound: BucketBound| bound.exact(rollup.grain());
        let start = || exact(bound(rollup, period.start, false, calendar)?);
        let bucket = exact(end)?;
        let first = match state {
            Some(SnapshotAt::Start | SnapshotAt::AsOf) => self.last_day(bucket, calendar)?,
            // For a unit longer than a day, the last day counts.
            Some(SnapshotAt::Within) => start()?.max(self.last_day(bucket, calendar)?),
            None => start()?,
        };
        let whole = |bucket| BucketBound { at: end.at, floor: bucket, ceil: bucket };
        Ok((whole(first), whole(bucket.max(first))))
    }

    /// Returns the first bucket of the last day before `end` on which the source has rows.
    fn last_day(&self, end: i32, calendar: &Calendar) -> Result<i32, DeclineReason> {
        let present = self.present.as_deref().ok_or("it is not known which days have rows")?;
        let Some(last) = present.last_bucket(end) else { return Ok(end) };
        if present.grain() != Grain::Hour {
            return Ok(last);
        }
        let start = Grain::Hour.start(last, calendar);
        let start = start.and_then(|at| calendar.start_of_day(calendar.date_of(at)));
        let start = start.ok_or("a day lies outside the range of instants")?;
        bound(present, start, false, calendar)?.exact(present.grain())
    }

    /// Returns whether the source is a snapshot without any rows in these buckets.
    pub(super) fn is_void(&self, (from, to): BucketRange) -> bool {
        let last = self.present.as_ref().and_then(|present| present.last_bucket(to));
        self.kind == Some(SourceKind::Snapshot) && last.is_none_or(|last| last < from)
    }
}

/// Returns the bound of the rows that are earlier than an instant.
///
/// A row dated by a day stands at the start of that day. In a comparison with an instant it is the
/// whole day instead, so that only an instant between two days gives an exact bound.
fn bound(
    rollup: &Rollup,
    at: Timestamp,
    compares: bool,
    calendar: &Calendar,
) -> Result<BucketBound, DeclineReason> {
    let (ceil, is_exact) = bucket_from(rollup.grain(), at, calendar).ok_or_else(out_of_range)?;
    let exact = BucketBound { at, floor: ceil, ceil };
    if is_exact || rollup.grain() == Grain::Date && !compares {
        return Ok(exact);
    }
    let instant = |at| Timestamp::from_microsecond(at).ok();
    if rollup.grain() != Grain::Date {
        let Some((first, last)) = rollup.extent() else { return Ok(exact) };
        if instant(last).is_some_and(|last| last < at) {
            return Ok(BucketBound::LAST);
        }
        if instant(first).is_some_and(|first| first >= at) {
            return Ok(BucketBound::FIRST);
        }
    }
    Ok(BucketBound { floor: ceil.saturating_sub(1), ..exact })
}

fn out_of_range() -> DeclineReason {
    "the period leaves the range of instants".to_owned()
}

/// Returns the first and the last instant of the rows of a rollup; `None` where it is no longer
/// known.
pub(super) fn extent(rollup: &Rollup, calendar: &Calendar) -> Option<Extent> {
    if !rollup.dirty().is_empty() {
        return None;
    }
    let Some((first, last)) = rollup.buckets() else { return Some(None) };
    if rollup.grain() == Grain::Date {
        let at = |bucket| Grain::Date.start(bucket, calendar).map(Timestamp::as_microsecond);
        return Some(at(first).zip(at(last)));
    }
    let (low, high) = rollup.extent().filter(|_| !rollup.is_extent_loose)?;
    let fits = |at, bucket| {
        let at = Timestamp::from_microsecond(at).ok();
        at.and_then(|at| rollup.grain().bucket(at, calendar)) == Some(bucket)
    };
    let is_exact = rollup.grain() != Grain::Hour || fits(low, first) && fits(high, last);
    is_exact.then_some(Some((low, high)))
}
