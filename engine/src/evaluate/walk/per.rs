//! Aggregates over the values that an expression has for each day or key.

use std::rc::Rc;

use super::evaluator::Evaluator;
use crate::calendar::Period;
use crate::check::Per;
use crate::evaluate::frames::{Frame, FrameId, GroupKey, Groups, Part, Series, SnapshotAt};
use crate::evaluate::scan::{Sample, finish};
use crate::plan::{NodeRef, Owner};
use crate::types::Reason;

/// For each bucket and group of a finer frame the outer one it belongs to.
struct OuterCells {
    buckets: Vec<usize>,
    groups: Vec<usize>,
    /// For each finer bucket the groups that have rows in it, ascending; empty where all count.
    present: Vec<Vec<usize>>,
}

impl Evaluator<'_> {
    /// `avg(x per day, key)`
    pub(super) fn per(&mut self, owner: Owner, per: &Per, frame: FrameId) -> Series {
        let value = NodeRef { owner, id: per.value };
        let Some((inner, outer)) = self.per_frame(owner, per, frame) else {
            return self.frames.missing(frame, Reason::NoCoverage);
        };
        let span = self.context.node(value).map_or_else(Default::default, |node| node.span);
        let count = self.frames.cell_count(inner).unwrap_or(0);
        if !self.log.admits(count, span) {
            return self.frames.missing(frame, Reason::Overflow);
        }
        let values = self.series(value, inner);
        let fraction = per.fraction.and_then(|id| self.first_value(NodeRef { owner, id }, frame));
        let fraction = fraction.and_then(|fraction| fraction.as_number());
        let groups = self.frames.get(inner).map_or(1, Frame::group_count).max(1);
        let (outer_buckets, outer_groups) = self
            .frames
            .get(frame)
            .map_or((0, 1), |frame| (frame.buckets.len(), frame.group_count()));
        let mut samples: Vec<Sample> =
            vec![Sample::default(); outer_buckets.saturating_mul(outer_groups)];
        for (fine, bucket) in outer.buckets.iter().enumerate() {
            let mut take = |own: usize| {
                let value = values.get(fine.saturating_mul(groups).saturating_add(own));
                let Some((value, group)) = value.zip(outer.groups.get(own)) else { return };
                let cell = bucket.saturating_mul(outer_groups).saturating_add(*group);
                if let Some(sample) = samples.get_mut(cell) {
                    sample.push(value);
                }
            };
            match outer.present.get(fine) {
                Some(present) => present.iter().copied().for_each(&mut take),
                None => (0..groups).for_each(&mut take),
            }
        }
        let total = |sample: Sample| finish(per.function, &sample, fraction);
        Rc::new(samples.into_iter().map(total).collect())
    }

    /// The frame of `per`: finer buckets, more keys, and which outer ones each belongs to.
    fn per_frame(
        &mut self,
        owner: Owner,
        per: &Per,
        frame: FrameId,
    ) -> Option<(FrameId, OuterCells)> {
        let value = NodeRef { owner, id: per.value };
        let outer = self.frames.get(frame)?.clone();
        let mut buckets = Vec::new();
        let mut bucket_owners = Vec::new();
        for (index, bucket) in outer.buckets.iter().enumerate() {
            let cut = match per.unit {
                None => vec![*bucket],
                Some(unit) => {
                    let elapsed = self.bounded(value, *bucket)?;
                    let limit = self.context.limits.max_buckets;
                    if let Ok(cut) = self.context.calendar.buckets(elapsed, unit, limit) {
                        cut
                    } else {
                        let span = match owner {
                            Owner::Asked(_) => self.context.node(value).map(|node| node.span),
                            Owner::Metric(_) => None,
                        };
                        self.log.too_many_buckets(unit, span.unwrap_or_default());
                        return None;
                    }
                }
            };
            bucket_owners.extend(std::iter::repeat_n(index, cut.len()));
            buckets.extend(cut);
        }
        let state = if per.unit.is_some() { Some(SnapshotAt::Within) } else { outer.state };
        let fine = Frame { buckets, state, ..outer.clone() };
        if per.keys.is_empty() {
            let groups = (0..outer.group_count()).collect();
            let inner = self.frames.intern(fine);
            return Some((
                inner,
                OuterCells { buckets: bucket_owners, groups, present: Vec::new() },
            ));
        }
        let mut keys = outer.groups.keys.clone();
        keys.extend(per.keys.iter().cloned().map(GroupKey::Columns));
        let depth = outer.groups.keys.len();
        let mut found = Vec::with_capacity(fine.buckets.len());
        for bucket in &fine.buckets {
            let alone = self.frames.intern(Frame { buckets: vec![*bucket], ..outer.clone() });
            let mut tuples = self.discover(value, alone, &keys);
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
                let mut near = 0;
                let place = |tuple: &Vec<Part>| {
                    let found = groups.find_near(tuple, near)?;
                    near = found.saturating_add(1);
                    Some(found)
                };
                let mut places: Vec<usize> = tuples.iter().filter_map(place).collect();
                places.sort_unstable();
                places
            })
            .collect();
        let inner = self.frames.intern(Frame { groups, ..fine });
        Some((inner, OuterCells { buckets: bucket_owners, groups: group_owners, present }))
    }

    /// The elapsed part of a bucket; one without a start begins at the first row below.
    fn bounded(&mut self, value: NodeRef, bucket: Period) -> Option<Period> {
        let end = bucket.as_of;
        if bucket.start > jiff::Timestamp::MIN && end < jiff::Timestamp::MAX {
            return Some(Period::new(bucket.start, end));
        }
        let (first, last) = self.extent(value)?;
        let start = bucket.start.max(first);
        let end = if end < jiff::Timestamp::MAX { end } else { last };
        Some(Period::new(start, end))
    }
}
