//! The same expression in another period, for each of several keys, or without its groups.

use std::rc::Rc;

use super::accumulate::{self, Sample};
use super::evaluator::{Cells, Evaluator};
use super::frame::{End, Filter, Frame, GroupKey, Groups, Owner, Part};
use crate::calendar::{Calendar, Period};
use crate::check::{Arithmetic, Key, NodeId, Per, Window};
use crate::number;
use crate::schema::SourceId;
use crate::types::{Currency, Reason, Value};

impl Evaluator<'_> {
    /// The period of a bucket under a window; none where it leaves the range of instants.
    fn moved(
        &self,
        window: Window,
        period: Period,
        request_start: jiff::Timestamp,
    ) -> Option<Period> {
        let calendar = self.context.calendar;
        match window {
            Window::Previous { periods, clip } => calendar.previous(period, periods, clip),
            Window::Shift(span) => calendar.shift(period, span),
            Window::Trailing { span, with_current } => {
                calendar.trailing(period, span, with_current)
            }
            Window::ToDate(unit) => calendar.to_date(period, unit),
            Window::During(literal) => {
                calendar.resolve(literal).map(|period| period.seen_at(self.context.now))
            }
            Window::Lifetime => Some(Calendar::lifetime(period)),
            Window::Running => Some(Calendar::running(request_start, period)),
            Window::Opening | Window::Closing => Some(period),
        }
    }

    /// The frame under a window.
    pub(crate) fn window_frame(&mut self, window: Window, frame: usize) -> Option<usize> {
        let outer = self.frame(frame)?.clone();
        let buckets: Option<Vec<Period>> = outer
            .buckets
            .iter()
            .map(|bucket| self.moved(window, *bucket, outer.request_start))
            .collect();
        let state = match window {
            Window::Opening => Some(End::Start),
            Window::Closing => Some(End::AsOf),
            Window::Previous { .. }
            | Window::Shift(_)
            | Window::Trailing { .. }
            | Window::ToDate(_)
            | Window::During(_)
            | Window::Lifetime
            | Window::Running => outer.state,
        };
        let shifted = outer.shifted || !matches!(window, Window::Opening | Window::Closing);
        Some(self.intern(Frame { buckets: buckets?, state, shifted, ..outer }))
    }

    pub(super) fn window(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Cells {
        if let Some(value) = self.recorded_call(owner, id, frame) {
            return self.same(frame, &value);
        }
        if self.lacks_other_periods(owner, (id, inner), window, frame) {
            return self.same(frame, &Value::missing(Reason::MissingInput));
        }
        match self.window_frame(window, frame) {
            Some(moved) => self.cells(owner, inner, moved),
            None => self.same(frame, &Value::missing(Reason::NoCoverage)),
        }
    }

    pub(super) fn growth(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Cells {
        let Some((current, earlier)) = self.both_periods(owner, (id, inner), window, frame) else {
            return self.recorded_or_missing(owner, id, frame);
        };
        let grown =
            current.iter().zip(earlier.iter()).map(|(current, earlier)| match (current, earlier) {
                (Value::Number(_), Value::Number(earlier)) if earlier.is_zero() => {
                    Value::missing(Reason::DivisionByZero)
                }
                (Value::Number(_), Value::Number(earlier)) if earlier.is_sign_negative() => {
                    Value::missing(Reason::NotComparable)
                }
                (Value::Number(current), Value::Number(earlier)) => {
                    number::subtract(*current, *earlier)
                        .and_then(|change| number::divide(change, *earlier))
                        .into()
                }
                (Value::Missing(_), _) => current.clone(),
                (_, earlier) => earlier.clone(),
            });
        Rc::new(grown.collect())
    }

    pub(super) fn change(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Cells {
        let Some((current, earlier)) = self.both_periods(owner, (id, inner), window, frame) else {
            return self.recorded_or_missing(owner, id, frame);
        };
        let env = self.environment();
        let changed = current.iter().zip(earlier.iter()).map(|(current, earlier)| {
            super::operators::arithmetic(Arithmetic::Subtract, current, earlier, &env)
        });
        Rc::new(changed.collect())
    }

    /// The values now and under the window; `None` where a record gives or lacks the answer itself.
    fn both_periods(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> Option<(Cells, Cells)> {
        if self.recorded_call(owner, id, frame).is_some() {
            return None;
        }
        let current = self.cells(owner, inner, frame);
        // A record may give the earlier value under the window's own spelling.
        if let Some(value) = self.recorded_window(owner, inner, window, frame) {
            let earlier = self.same(frame, &value);
            return Some((current, earlier));
        }
        if self.lacks_other_periods(owner, (id, inner), window, frame) {
            return None;
        }
        let earlier = match self.window_frame(window, frame) {
            Some(moved) => self.cells(owner, inner, moved),
            None => self.same(frame, &Value::missing(Reason::NoCoverage)),
        };
        Some((current, earlier))
    }

    fn recorded_or_missing(&mut self, owner: Owner, id: NodeId, frame: usize) -> Cells {
        let value = self.recorded_call(owner, id, frame);
        self.same(frame, &value.unwrap_or(Value::missing(Reason::MissingInput)))
    }

    /// `(x where c)`
    pub(super) fn scoped(
        &mut self,
        owner: Owner,
        value: NodeId,
        conditions: &[(SourceId, NodeId)],
        frame: usize,
    ) -> Cells {
        let inner = self.scoped_frame(owner, conditions, frame);
        self.cells(owner, value, inner)
    }

    /// The frame under a filter.
    pub(crate) fn scoped_frame(
        &mut self,
        owner: Owner,
        conditions: &[(SourceId, NodeId)],
        frame: usize,
    ) -> usize {
        let Some(outer) = self.frame(frame).cloned() else { return frame };
        let mut filters = outer.filters.clone();
        filters.push(Filter { owner, conditions: conditions.to_vec() });
        self.intern(Frame { filters, ..outer })
    }

    /// The frame under a conversion. Where every amount is converted already, an inner conversion
    /// adds nothing: its result would be an amount in another currency among the others.
    pub(crate) fn converted_frame(&mut self, to: Currency, frame: usize) -> usize {
        let Some(outer) = self.frame(frame).cloned() else { return frame };
        if outer.currency.is_some() {
            return frame;
        }
        self.intern(Frame { currency: Some(to), ..outer })
    }

    /// `avg(x per day, key)`
    pub(super) fn per(&mut self, owner: Owner, per: &Per, frame: usize) -> Cells {
        let Some((inner, owners)) = self.per_frame(owner, per, frame) else {
            return self.same(frame, &Value::missing(Reason::NoCoverage));
        };
        let span = self.node(owner, per.value).map_or_else(Default::default, |node| node.span);
        let count = self.frame(inner).map_or(0, Frame::cell_count);
        if !self.admits(count, span) {
            return self.same(frame, &Value::missing(Reason::Overflow));
        }
        let values = self.cells(owner, per.value, inner);
        let fraction = per.fraction.and_then(|fraction| {
            self.cells(owner, fraction, frame).first().and_then(Value::as_number)
        });
        let groups = self.frame(inner).map_or(1, Frame::group_count).max(1);
        let (outer_buckets, outer_groups) =
            self.frame(frame).map_or((0, 1), |frame| (frame.buckets.len(), frame.group_count()));
        let mut samples: Vec<Sample> =
            vec![Sample::default(); outer_buckets.saturating_mul(outer_groups)];
        for (index, value) in values.iter().enumerate() {
            let (Some(fine), Some(own)) = (index.checked_div(groups), index.checked_rem(groups))
            else {
                continue;
            };
            let (Some(bucket), Some(group)) = (owners.buckets.get(fine), owners.groups.get(own))
            else {
                continue;
            };
            if owners.present.get(fine).is_some_and(|present| present.binary_search(&own).is_err())
            {
                continue;
            }
            let cell = bucket.saturating_mul(outer_groups).saturating_add(*group);
            if let Some(sample) = samples.get_mut(cell) {
                sample.push(value);
            }
        }
        let finish = |sample: Sample| accumulate::finish(per.function, &sample, fraction);
        Rc::new(samples.into_iter().map(finish).collect())
    }

    /// The frame of `per`: finer buckets, more keys, and which outer ones each belongs to.
    pub(super) fn per_frame(
        &mut self,
        owner: Owner,
        per: &Per,
        frame: usize,
    ) -> Option<(usize, Owners)> {
        let outer = self.frame(frame)?.clone();
        let mut buckets = Vec::new();
        let mut bucket_owners = Vec::new();
        for (index, bucket) in outer.buckets.iter().enumerate() {
            let cut = match per.unit {
                None => vec![*bucket],
                Some(unit) => {
                    let elapsed = self.bounded(owner, per.value, *bucket)?;
                    let limit = self.context.limits.max_buckets;
                    if let Ok(cut) = self.context.calendar.buckets(elapsed, unit, limit) {
                        cut
                    } else {
                        self.admits(usize::MAX, crate::source::Span::default());
                        return None;
                    }
                }
            };
            bucket_owners.extend(std::iter::repeat_n(index, cut.len()));
            buckets.extend(cut);
        }
        let state = if per.unit.is_some() { Some(End::Within) } else { outer.state };
        let fine = Frame { buckets, state, ..outer.clone() };
        if per.keys.is_empty() {
            let groups = (0..outer.group_count()).collect();
            let inner = self.intern(fine);
            return Some((inner, Owners { buckets: bucket_owners, groups, present: Vec::new() }));
        }
        let mut keys = outer.groups.keys.clone();
        keys.extend(per.keys.iter().cloned().map(GroupKey::Columns));
        let depth = outer.groups.keys.len();
        let mut found = Vec::with_capacity(fine.buckets.len());
        for bucket in &fine.buckets {
            let alone = self.intern(Frame { buckets: vec![*bucket], ..outer.clone() });
            let mut tuples = self.discover(owner, per.value, alone, &keys);
            // A row without the key belongs to none of its values.
            tuples.retain(|tuple| !tuple.get(depth..).is_some_and(|own| own.contains(&Part::Null)));
            found.push(tuples);
        }
        let groups = Rc::new(Groups::new(keys, found.iter().flatten().cloned().collect()));
        let group_owners = groups
            .tuples
            .iter()
            .map(|tuple| {
                tuple.get(..depth).and_then(|own| outer.groups.find(own)).unwrap_or(usize::MAX)
            })
            .collect();
        let present = found
            .iter()
            .map(|tuples| {
                let mut places: Vec<usize> =
                    tuples.iter().filter_map(|tuple| groups.find(tuple)).collect();
                places.sort_unstable();
                places
            })
            .collect();
        let inner = self.intern(Frame { groups, ..fine });
        Some((inner, Owners { buckets: bucket_owners, groups: group_owners, present }))
    }

    /// The elapsed part of a bucket; one without a start begins at the first row below.
    fn bounded(&mut self, owner: Owner, value: NodeId, bucket: Period) -> Option<Period> {
        let end = bucket.as_of;
        if bucket.start > jiff::Timestamp::MIN && end < jiff::Timestamp::MAX {
            return Some(Period::new(bucket.start, end));
        }
        let (first, last) = self.extent(owner, value)?;
        let start = bucket.start.max(first);
        let end = if end < jiff::Timestamp::MAX { end } else { last };
        Some(Period::new(start, end))
    }

    /// The same with groups merged into those that differ in the kept keys only.
    pub(super) fn total(
        &mut self,
        owner: Owner,
        value: NodeId,
        keep: &[Key],
        frame: usize,
    ) -> Cells {
        let Some(outer) = self.frame(frame).cloned() else { return Rc::new(Vec::new()) };
        if outer.groups.keys.is_empty() {
            return self.cells(owner, value, frame);
        }
        let kept: Vec<usize> = outer
            .groups
            .keys
            .iter()
            .enumerate()
            .filter(|(_, key)| is_kept(key, keep))
            .map(|(index, _)| index)
            .collect();
        let narrow = |tuple: &Vec<Part>| -> Vec<Part> {
            kept.iter().filter_map(|index| tuple.get(*index).cloned()).collect()
        };
        let groups = if kept.is_empty() {
            self.whole_groups()
        } else {
            let keys =
                kept.iter().filter_map(|index| outer.groups.keys.get(*index).cloned()).collect();
            Rc::new(Groups::new(keys, outer.groups.tuples.iter().map(narrow).collect()))
        };
        let inner = self.intern(Frame { groups: Rc::clone(&groups), ..outer.clone() });
        let totals = self.cells(owner, value, inner);
        let count = groups.tuples.len();
        let places: Vec<Option<usize>> =
            outer.groups.tuples.iter().map(|tuple| groups.find(&narrow(tuple))).collect();
        let spread = (0..outer.buckets.len()).flat_map(|bucket| {
            let totals = &totals;
            places.iter().map(move |place| {
                let cell = place.map(|place| bucket.saturating_mul(count).saturating_add(place));
                let found = cell.and_then(|cell| totals.get(cell).cloned());
                found.unwrap_or(Value::missing(Reason::NoRows))
            })
        });
        Rc::new(spread.collect())
    }

    pub(super) fn share(&mut self, owner: Owner, value: NodeId, frame: usize) -> Cells {
        let parts = self.cells(owner, value, frame);
        let totals = self.total(owner, value, &[], frame);
        let env = self.environment();
        let shares = parts.iter().zip(totals.iter());
        Rc::new(
            shares
                .map(|(part, total)| {
                    super::operators::arithmetic(Arithmetic::Divide, part, total, &env)
                })
                .collect(),
        )
    }

    /// 1 for the largest; ties share a place. Groups compete that differ in `by` only.
    pub(super) fn rank(
        &mut self,
        owner: Owner,
        value: NodeId,
        by: Option<&Key>,
        frame: usize,
    ) -> Cells {
        let values = self.cells(owner, value, frame);
        let Some(place) = self.frame(frame) else { return values };
        let groups = Rc::clone(&place.groups);
        let count = groups.tuples.len().max(1);
        // A key that the request does not group by cannot part the rivals.
        let by = by.map(std::slice::from_ref);
        let by = by.filter(|by| groups.keys.iter().any(|key| is_kept(key, by)));
        let rivals = |tuple: &[Part]| -> Vec<Part> {
            let keys = groups.keys.iter().zip(tuple);
            let stays = |key: &GroupKey| by.is_some_and(|by| !is_kept(key, by));
            keys.filter(|(key, _)| stays(key)).map(|(_, part)| part.clone()).collect()
        };
        let classes: Vec<Vec<Part>> = groups.tuples.iter().map(|tuple| rivals(tuple)).collect();
        let class = |index: usize| index.checked_rem(count).and_then(|group| classes.get(group));
        let bucket = |index: usize| index.checked_div(count);
        let mut order: Vec<usize> = (0..values.len()).collect();
        let number = |index: usize| values.get(index).and_then(Value::as_number);
        order.sort_by(|a, b| {
            let arena = (bucket(*a), class(*a)).cmp(&(bucket(*b), class(*b)));
            arena.then_with(|| number(*b).cmp(&number(*a)))
        });
        let mut ranked: Vec<Value> = values.to_vec();
        let mut start = 0_usize;
        let mut last: Option<(usize, usize)> = None;
        for (position, index) in order.iter().enumerate() {
            let same_arena = last.is_some_and(|(before, _)| {
                (bucket(before), class(before)) == (bucket(*index), class(*index))
            });
            if !same_arena {
                start = position;
            }
            let place = match last {
                Some((before, place)) if same_arena && number(before) == number(*index) => place,
                Some(_) | None => position.saturating_sub(start).saturating_add(1),
            };
            last = Some((*index, place));
            if number(*index).is_some()
                && let Some(slot) = ranked.get_mut(*index)
            {
                *slot = Value::Number(rust_decimal::Decimal::from(place));
            }
        }
        Rc::new(ranked)
    }
}

fn is_kept(key: &GroupKey, keep: &[Key]) -> bool {
    match key {
        GroupKey::Columns(own) => keep.iter().any(|kept| kept.name == own.name),
        GroupKey::RowOf(_) => true,
    }
}

/// For each bucket and group of a finer frame the outer one it belongs to.
pub(super) struct Owners {
    buckets: Vec<usize>,
    groups: Vec<usize>,
    /// For each finer bucket the groups that have rows in it, ascending; empty where all count.
    present: Vec<Vec<usize>>,
}
