//! The arena of an evaluation's frames, and how frames are derived from each other.

use std::collections::BTreeMap;
use std::rc::Rc;

use jiff::Timestamp;

use super::frame::{Filter, Frame, Series, SnapshotAt};
use super::groups::{GroupValue, Groups};
use crate::calendar::{Calendar, Period};
use crate::check::{Key, NodeId, Window};
use crate::plan::{NodeRef, Owner};
use crate::schema::SourceId;
use crate::types::{Currency, Reason, Value};

/// The number of a frame. Equal frames of one evaluation share a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FrameId(usize);

impl FrameId {
    /// The frame of the request, always created first.
    pub(crate) const REQUEST: Self = Self(0);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BucketRef {
    pub(crate) frame: FrameId,
    pub(crate) bucket: usize,
}

/// A lookup key that few frames share: first and last bucket, number of buckets, number of filters.
type FrameKey = (Option<Period>, Option<Period>, usize, usize);

/// The memory that a frame takes without its periods, in periods.
const FRAME_SIZE: usize = 16;

/// Interns frames.
#[derive(Debug)]
pub(crate) struct Frames<'a> {
    calendar: &'a Calendar,
    now: Timestamp,
    interned: Vec<Frame>,
    by_period: BTreeMap<FrameKey, Vec<FrameId>>,
    /// The limit `max_periods`, and how much of it the frames take.
    max_periods: usize,
    size: usize,
    /// For each entity, one group for each of its rows.
    entity_groups: BTreeMap<SourceId, Rc<Groups>>,
    /// For each frame and its kept keys, the frame of the [total](Self::total).
    totals: BTreeMap<(FrameId, Vec<usize>), FrameId>,
}

impl<'a> Frames<'a> {
    pub(crate) const fn new(calendar: &'a Calendar, now: Timestamp, max_periods: usize) -> Self {
        Self {
            calendar,
            now,
            interned: Vec::new(),
            by_period: BTreeMap::new(),
            max_periods,
            size: 0,
            entity_groups: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }

    pub(crate) fn get(&self, frame: FrameId) -> Option<&Frame> {
        self.interned.get(frame.0)
    }

    pub(crate) fn cell_count(&self, frame: FrameId) -> Option<usize> {
        self.get(frame).map(Frame::cell_count)
    }

    /// The number of groups, at least one.
    pub(crate) fn group_count(&self, frame: FrameId) -> usize {
        self.get(frame).map_or(1, Frame::group_count).max(1)
    }

    /// Whether a frame has a group for each row of an entity, or several, by other keys too.
    pub(crate) fn is_by_row(&self, frame: FrameId) -> bool {
        self.get(frame).is_some_and(|frame| frame.groups.is_by_row())
    }

    /// The same value in every cell.
    pub(crate) fn constant(&self, frame: FrameId, value: &Value) -> Series {
        Rc::new(vec![value.clone(); self.cell_count(frame).unwrap_or(1)])
    }

    pub(crate) fn missing(&self, frame: FrameId, reason: Reason) -> Series {
        self.constant(frame, &Value::missing(reason))
    }

    /// Whether a frame was refused. Then nothing that is computed counts.
    pub(crate) const fn is_full(&self) -> bool {
        self.size > self.max_periods
    }

    /// Interns a frame and returns its number; that of the request once there are too many.
    pub(crate) fn intern(&mut self, frame: Frame) -> FrameId {
        let same = |known: &Frame| {
            Rc::ptr_eq(&known.groups, &frame.groups)
                && known.buckets == frame.buckets
                && known.filters == frame.filters
                && (known.currency, known.shifted, known.state)
                    == (frame.currency, frame.shifted, frame.state)
                && (known.request, known.known_until) == (frame.request, frame.known_until)
        };
        let (first, last) = (frame.buckets.first().copied(), frame.buckets.last().copied());
        let key = (first, last, frame.buckets.len(), frame.filters.len());
        let alike = self.by_period.entry(key).or_default();
        let known = alike.iter().find(|id| self.interned.get(id.0).is_some_and(same));
        if let Some(known) = known {
            return *known;
        }
        self.size = self.size.saturating_add(frame.buckets.len()).saturating_add(FRAME_SIZE);
        if self.size > self.max_periods {
            return FrameId::REQUEST;
        }
        let id = FrameId(self.interned.len());
        alike.push(id);
        self.interned.push(frame);
        id
    }

    /// The frame of a request, still without groups.
    pub(crate) fn request(
        &mut self,
        buckets: Vec<Period>,
        request: Period,
        currency: Option<Currency>,
    ) -> FrameId {
        self.intern(Frame {
            buckets,
            groups: Groups::whole(),
            filters: Vec::new(),
            currency,
            shifted: false,
            state: None,
            request,
            known_until: self.now,
        })
    }

    fn changed(&mut self, frame: FrameId, change: impl FnOnce(Frame) -> Frame) -> FrameId {
        match self.get(frame).cloned() {
            Some(outer) => self.intern(change(outer)),
            None => frame,
        }
    }

    /// The same frame, known only up to an instant.
    pub(crate) fn known_until(&mut self, until: Timestamp, frame: FrameId) -> FrameId {
        match self.get(frame).cloned() {
            Some(outer) if until < outer.known_until => {
                let buckets = outer.buckets.iter().map(|bucket| bucket.seen_at(until)).collect();
                self.intern(Frame { buckets, known_until: until, ..outer })
            }
            Some(_) | None => frame,
        }
    }

    /// The same frame as part of a request for another period.
    pub(crate) fn asked_for(&mut self, request: Period, frame: FrameId) -> FrameId {
        self.changed(frame, |outer| Frame { request, ..outer })
    }

    /// The frame under a window; `None` if it leaves the range of instants.
    pub(crate) fn window(&mut self, window: Window, frame: FrameId) -> Option<FrameId> {
        let outer = self.get(frame)?.clone();
        let buckets: Option<Vec<Period>> = outer
            .buckets
            .iter()
            .map(|bucket| {
                let moved = self.moved(window, *bucket, outer.request)?;
                Some(moved.seen_at(outer.known_until))
            })
            .collect();
        let state = match window {
            Window::Opening => Some(SnapshotAt::Start),
            Window::Closing => Some(SnapshotAt::AsOf),
            Window::Previous { .. }
            | Window::Shift(_)
            | Window::Trailing { .. }
            | Window::ToDate(_)
            | Window::During(_)
            | Window::Lifetime
            | Window::Running
            | Window::Overall => outer.state,
        };
        let shifted = outer.shifted || !matches!(window, Window::Opening | Window::Closing);
        Some(self.intern(Frame { buckets: buckets?, state, shifted, ..outer }))
    }

    fn moved(&self, window: Window, period: Period, request: Period) -> Option<Period> {
        let calendar = self.calendar;
        match window {
            Window::Previous { periods, clip } => calendar.previous(period, periods, clip),
            Window::Shift(span) => calendar.shift(period, span),
            Window::Trailing { span, with_current } => {
                calendar.trailing(period, span, with_current)
            }
            Window::ToDate(unit) => calendar.to_date(period, unit),
            Window::During(literal) => calendar.resolve(literal),
            Window::Lifetime => Some(Calendar::lifetime(period)),
            Window::Running => Some(Calendar::running(request.start, period)),
            Window::Overall => Some(request),
            Window::Opening | Window::Closing => Some(period),
        }
    }

    pub(crate) fn scoped(
        &mut self,
        owner: Owner,
        conditions: &[(SourceId, NodeId)],
        frame: FrameId,
    ) -> FrameId {
        self.changed(frame, |mut inner| {
            inner.filters.push(Filter { owner, conditions: conditions.to_vec() });
            inner
        })
    }

    /// The frame under a conversion. If every amount is already converted, an inner conversion has no effect:
    /// its result would be in a different currency from the other amounts.
    pub(crate) fn converted(&mut self, to: Currency, frame: FrameId) -> FrameId {
        self.changed(frame, |outer| Frame { currency: outer.currency.or(Some(to)), ..outer })
    }

    pub(crate) fn grouped(&mut self, groups: Rc<Groups>, frame: FrameId) -> FrameId {
        self.changed(frame, |outer| Frame { groups, ..outer })
    }

    /// The frame grouped by the kept keys only; the same frame if nothing is grouped.
    pub(crate) fn total(&mut self, keep: &[Key], frame: FrameId) -> FrameId {
        let Some(outer) = self.get(frame) else { return frame };
        if outer.groups.keys.is_empty() {
            return frame;
        }
        let kept = outer.groups.kept_keys(keep);
        if kept.is_empty() {
            return self.ungrouped(frame);
        }
        let place = (frame, kept);
        if let Some(known) = self.totals.get(&place) {
            return *known;
        }
        let kept = &place.1;
        let keys = kept.iter().filter_map(|index| outer.groups.keys.get(*index).cloned()).collect();
        let tuples = outer.groups.tuples.iter().map(|tuple| kept_parts(tuple, kept)).collect();
        let total = self.grouped(Rc::new(Groups::new(keys, tuples)), frame);
        self.totals.insert(place, total);
        total
    }

    /// Spreads the values of a [total](Self::total) over the groups of the original frame; `none` is
    /// that of a group without one.
    pub(crate) fn spread<T: Clone>(
        &self,
        totals: Rc<Vec<T>>,
        keep: &[Key],
        (total, frame): (FrameId, FrameId),
        none: &T,
    ) -> Rc<Vec<T>> {
        let (Some(outer), Some(inner)) = (self.get(frame), self.get(total)) else {
            return totals;
        };
        if outer.groups.keys.is_empty() {
            return totals;
        }
        let kept = outer.groups.kept_keys(keep);
        let count = inner.groups.tuples.len();
        let place = |tuple: &Vec<GroupValue>| inner.groups.find(&kept_parts(tuple, &kept));
        let places: Vec<Option<usize>> = outer.groups.tuples.iter().map(place).collect();
        let spread = (0..outer.buckets.len()).flat_map(|bucket| {
            let totals = &totals;
            places.iter().map(move |place| {
                let cell = place.map(|place| bucket.saturating_mul(count).saturating_add(place));
                let value = cell.and_then(|cell| totals.get(cell).cloned());
                value.unwrap_or_else(|| none.clone())
            })
        });
        Rc::new(spread.collect())
    }

    /// The frame without its groups.
    pub(crate) fn ungrouped(&mut self, frame: FrameId) -> FrameId {
        self.grouped(self.whole_groups(), frame)
    }

    /// The frame for values of single rows: without groups, filters and conversion. A row has them in any group, and only
    /// the value above a row is converted, never the values from which it is computed.
    pub(crate) fn of_rows(&mut self, frame: FrameId) -> FrameId {
        let groups = self.whole_groups();
        self.changed(frame, |outer| Frame { groups, filters: Vec::new(), currency: None, ..outer })
    }

    /// The frame in which the constants of a condition are computed. It lacks the filter of the condition and the
    /// filters inside it, because a filter cannot narrow what decides it. Conditions of aggregates keep their frame.
    pub(crate) fn around(&mut self, condition: NodeRef, frame: FrameId) -> FrameId {
        let Some(inner) = self.get(frame) else { return frame };
        let has_it = |filter: &Filter| {
            filter.owner == condition.owner
                && filter.conditions.iter().any(|(_, id)| *id == condition.id)
        };
        let Some(place) = inner.filters.iter().position(has_it) else { return frame };
        self.changed(frame, |mut outer| {
            outer.filters.truncate(place);
            outer
        })
    }

    /// A frame of one bucket, with a group for each row of an entity.
    pub(crate) fn entity_rows(
        &mut self,
        source: SourceId,
        row_count: usize,
        at: BucketRef,
    ) -> FrameId {
        let rows = u32::try_from(row_count).unwrap_or(u32::MAX);
        let known = self.entity_groups.entry(source);
        let groups = Rc::clone(known.or_insert_with(|| Rc::new(Groups::rows_of(source, rows))));
        let frame = self.of_rows(at.frame);
        self.one_bucket(groups, BucketRef { frame, ..at })
    }

    /// The frame of one bucket without groups.
    pub(crate) fn one_bucket_whole(&mut self, at: BucketRef) -> FrameId {
        self.one_bucket(self.whole_groups(), at)
    }

    fn one_bucket(&mut self, groups: Rc<Groups>, at: BucketRef) -> FrameId {
        self.changed(at.frame, |outer| {
            let buckets = outer.buckets.get(at.bucket).copied().into_iter().collect();
            Frame { buckets, groups, currency: None, ..outer }
        })
    }

    /// The shared instance of "no groups", so that frames can be compared by it.
    fn whole_groups(&self) -> Rc<Groups> {
        match self.interned.first() {
            Some(first) if first.groups.keys.is_empty() => Rc::clone(&first.groups),
            _ => Groups::whole(),
        }
    }
}

fn kept_parts(tuple: &[GroupValue], kept: &[usize]) -> Vec<GroupValue> {
    kept.iter().filter_map(|index| tuple.get(*index).cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::groups::GroupKey;
    use super::*;

    #[test]
    fn groups_by_rows_and_another_key_are_by_row_too() {
        let calendar = Calendar::default();
        let mut frames = Frames::new(&calendar, Timestamp::UNIX_EPOCH, 100);
        let request = frames.request(vec![Period::ALWAYS], Period::ALWAYS, None);
        let mut is_by_row = |keys: &[GroupKey]| {
            let groups = Rc::new(Groups::new(keys.to_vec(), Vec::new()));
            let frame = frames.changed(request, |outer| Frame { groups, ..outer });
            frames.is_by_row(frame)
        };
        let row = GroupKey::RowOf(SourceId(0));
        let country = GroupKey::Columns(Key { name: "country".into(), columns: Vec::new() });

        assert!(!is_by_row(&[]));
        assert!(!is_by_row(std::slice::from_ref(&country)));
        assert!(is_by_row(std::slice::from_ref(&row)));
        assert!(is_by_row(&[row, country]));
    }
}
