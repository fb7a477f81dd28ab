//! Aggregates over the values that an expression has for each day or key.

use std::collections::BTreeSet;
use std::rc::Rc;

use jiff::Timestamp;

use super::aggregates::without_unbegun;
use super::evaluator::Evaluator;
use crate::calendar::Period;
use crate::check::{AggregateFunction, Atom, Kind, Per, children};
use crate::evaluate::amount_currency::AmountCurrency;
use crate::evaluate::frames::{
    Frame, FrameId, GroupKey, GroupValue, Groups, Series, SnapshotAt, covers,
};
use crate::evaluate::scan::{Sample, finish};
use crate::plan::{NodeRef, Owner};
use crate::types::{Reason, Value};

/// Limit: cells that are computed in one frame even though few of them have rows.
const MAX_EMPTY_CELLS: usize = 65_536;

/// A finer frame, and for each of its buckets and groups the outer one it belongs to.
struct FinePart {
    frame: FrameId,
    buckets: Vec<usize>,
    groups: Vec<usize>,
    /// For each finer bucket, the groups that have rows in it, ascending; empty if all count.
    present: Vec<Vec<usize>>,
}

impl Evaluator<'_> {
    /// `avg(x per day, key)`
    pub(super) fn per(&mut self, node: NodeRef, per: &Per, frame: FrameId) -> Series {
        let owner = node.owner;
        let value = NodeRef { owner, id: per.value };
        if let Some(given) = self.recorded_call(node, frame) {
            return self.frames.constant(frame, &given);
        }
        // The values of keys come from rows alone.
        if per.keys.is_empty() && self.lacks_parts(node, value, frame) {
            return self.frames.missing(frame, Reason::MissingInput);
        }
        let Some(parts) = self.fine_parts(owner, per, frame) else {
            return self.frames.missing(frame, Reason::NoCoverage);
        };
        let counts = parts.iter().filter_map(|part| self.frames.cell_count(part.frame));
        let count = counts.fold(0, usize::saturating_add);
        if !self.log.admits(count, self.context.span(value)) {
            return self.frames.missing(frame, Reason::Overflow);
        }
        let fraction = per.fraction.and_then(|id| self.first_value(NodeRef { owner, id }, frame));
        let fraction = fraction.and_then(|fraction| fraction.as_number());
        let (outer_buckets, outer_groups) = self
            .frames
            .get(frame)
            .map_or((0, 1), |frame| (frame.buckets.len(), frame.group_count()));
        let mut samples: Vec<Sample> =
            vec![Sample::default(); outer_buckets.saturating_mul(outer_groups)];
        for part in &parts {
            let values = self.series(value, part.frame);
            let groups = self.frames.group_count(part.frame);
            part.each_cell(groups, outer_groups, |own, cell| {
                if let (Some(value), Some(sample)) = (values.get(own), samples.get_mut(cell)) {
                    sample.push(value);
                }
            });
        }
        let currencies =
            self.currencies_of_parts(per, value, (&parts, outer_groups, samples.len()));
        self.leave_uncovered(value, frame, &mut samples);
        let total = |sample: Sample| finish(per.function, &sample, fraction);
        let totals = Rc::new(samples.into_iter().map(total).collect());
        let unbegun = if self.context.record.is_none() { self.unbegun(frame) } else { Vec::new() };
        let totals = without_unbegun(totals, &unbegun, outer_groups);
        match currencies {
            Some(currencies) => self.nulled(node, frame, totals, &currencies),
            None => totals,
        }
    }

    /// For each outer cell, the currency of its parts; `None` if none has one, or if parts are only
    /// counted.
    fn currencies_of_parts(
        &self,
        per: &Per,
        value: NodeRef,
        (parts, outer_groups, count): (&[FinePart], usize, usize),
    ) -> Option<Vec<AmountCurrency>> {
        if matches!(per.function, AggregateFunction::Count | AggregateFunction::CountDistinct) {
            return None;
        }
        let mut found: Option<Vec<AmountCurrency>> = None;
        for part in parts {
            let Some(currencies) = self.currencies(value, part.frame) else { continue };
            let groups = self.frames.group_count(part.frame);
            let found = found.get_or_insert_with(|| vec![AmountCurrency::Any; count]);
            part.each_cell(groups, outer_groups, |own, cell| {
                if let (Some(own), Some(all)) = (currencies.get(own), found.get_mut(cell)) {
                    *all = all.with(own);
                }
            });
        }
        found
    }

    /// Without rows there are no keys and no parts, and the coverage decides whether that is known to be
    /// nothing.
    fn leave_uncovered(&mut self, value: NodeRef, frame: FrameId, samples: &mut [Sample]) {
        let declares = self.context.schema.sources.iter().any(|source| source.coverage.is_some());
        if !declares || !samples.iter().any(Sample::is_untouched) {
            return;
        }
        let covered = self.covered(value, frame);
        let groups = self.frames.group_count(frame);
        for (cells, covered) in samples.chunks_mut(groups).zip(covered) {
            for sample in cells.iter_mut().filter(|sample| !covered && sample.is_untouched()) {
                sample.push(&Value::missing(Reason::NoCoverage));
            }
        }
    }

    /// For each bucket of a frame whether the source of an aggregate below covers any of it.
    fn covered(&mut self, root: NodeRef, frame: FrameId) -> Vec<bool> {
        let count = self.frames.get(frame).map_or(0, |frame| frame.buckets.len());
        let mut covered = vec![false; count];
        let mut seen = BTreeSet::new();
        let mut stack = vec![(root, frame)];
        while let Some((node, frame)) = stack.pop() {
            if !seen.insert((node, frame)) {
                continue;
            }
            let below = |id| NodeRef { id, ..node };
            match self.context.kind(node) {
                Some(Kind::Atom(atom)) => {
                    let Some(place) = self.frames.get(frame) else { continue };
                    for (own, bucket) in covered.iter_mut().zip(&place.buckets) {
                        *own |= self.covers(atom, (place.state, bucket));
                    }
                }
                Some(Kind::Metric(metric)) => {
                    let root = self.context.root(Owner::Metric(metric.0));
                    stack.extend(root.map(|root| (root, frame)));
                }
                Some(Kind::Window(window, inner)) => {
                    let moved = self.frames.window(*window, frame);
                    stack.extend(moved.map(|moved| (below(*inner), moved)));
                }
                Some(kind) => stack.extend(children(kind).into_iter().map(|id| (below(id), frame))),
                None => {}
            }
        }
        covered
    }

    fn covers(&self, atom: &Atom, place: (Option<SnapshotAt>, &Period)) -> bool {
        let source = self.context.schema.source_at(atom.source);
        let source = source.filter(|_| atom.date.is_some() && self.context.is_store(atom.source));
        let coverage = source.and_then(|source| source.coverage);
        coverage.is_none_or(|coverage| covers(coverage, place, self.context.calendar))
    }

    /// The frames of `per`: finer buckets, more keys, and the outer cell that each belongs to. There
    /// is one frame, or one per finer bucket if most keys have rows in only a few buckets, as an
    /// order has on one day.
    fn fine_parts(&mut self, owner: Owner, per: &Per, frame: FrameId) -> Option<Vec<FinePart>> {
        let value = NodeRef { owner, id: per.value };
        let outer = self.frames.get(frame)?.clone();
        let (fine, bucket_owners) = self.fine_buckets(owner, per, &outer)?;
        if per.keys.is_empty() {
            let groups = (0..outer.group_count()).collect();
            let frame = self.frames.intern(fine);
            let present = Vec::new();
            return Some(vec![FinePart { frame, buckets: bucket_owners, groups, present }]);
        }
        let mut keys = outer.groups.keys.clone();
        keys.extend(per.keys.iter().cloned().map(GroupKey::Columns));
        let mut found = Vec::with_capacity(fine.buckets.len());
        for bucket in &fine.buckets {
            if self.is_exhausted() {
                return None;
            }
            let alone = self.frames.intern(Frame { buckets: vec![*bucket], ..outer.clone() });
            // Rows without the key form a separate part, so that the parts add up to the whole.
            found.push(self.discover(value, alone, &keys));
        }
        // The keys of one bucket are its groups, and need not be copied.
        if fine.buckets.len() == 1 {
            let groups = Groups::new(keys, found.pop().unwrap_or_default());
            let fine = Frame { groups: Rc::new(groups), ..fine };
            return Some(vec![self.fine_part(fine, bucket_owners, Vec::new(), &outer)]);
        }
        let mut all: Vec<&[GroupValue]> = found.iter().flatten().map(Vec::as_slice).collect();
        let filled = all.len();
        all.sort_unstable();
        all.dedup();
        let dense = all.len().saturating_mul(found.len());
        if dense <= MAX_EMPTY_CELLS || dense.div_euclid(4) <= filled {
            let groups = Groups::new(keys, all.into_iter().map(<[GroupValue]>::to_vec).collect());
            let present = found.iter().map(|tuples| places(&groups, tuples)).collect();
            let fine = Frame { groups: Rc::new(groups), ..fine };
            return Some(vec![self.fine_part(fine, bucket_owners, present, &outer)]);
        }
        let mut parts = Vec::with_capacity(found.len());
        for ((tuples, bucket), owner) in found.into_iter().zip(&fine.buckets).zip(bucket_owners) {
            let groups = Rc::new(Groups::new(keys.clone(), tuples));
            let alone = Frame { buckets: vec![*bucket], groups, ..fine.clone() };
            parts.push(self.fine_part(alone, vec![owner], Vec::new(), &outer));
        }
        Some(parts)
    }

    /// The frame of `per` without its keys, and the outer bucket of each of its own.
    fn fine_buckets(
        &mut self,
        owner: Owner,
        per: &Per,
        outer: &Frame,
    ) -> Option<(Frame, Vec<usize>)> {
        let value = NodeRef { owner, id: per.value };
        let mut buckets = Vec::new();
        let mut bucket_owners = Vec::new();
        for (index, bucket) in outer.buckets.iter().enumerate() {
            let cut = match per.unit {
                None => vec![*bucket],
                Some(unit) => {
                    let elapsed = self.bounded(value, *bucket)?;
                    let limit = self.context.limits.max_buckets;
                    let Ok(cut) = self.context.calendar.buckets(elapsed, unit, limit) else {
                        self.log.too_many_buckets(unit, self.context.asked_span(value));
                        return None;
                    };
                    cut
                }
            };
            bucket_owners.extend(std::iter::repeat_n(index, cut.len()));
            buckets.extend(cut);
        }
        let state = if per.unit.is_some() { Some(SnapshotAt::Within) } else { outer.state };
        Some((Frame { buckets, state, ..outer.clone() }, bucket_owners))
    }

    fn fine_part(
        &mut self,
        fine: Frame,
        buckets: Vec<usize>,
        present: Vec<Vec<usize>>,
        outer: &Frame,
    ) -> FinePart {
        let depth = outer.groups.keys.len();
        let owner = |tuple: &Vec<GroupValue>| {
            tuple.get(..depth).and_then(|own| outer.groups.find(own)).unwrap_or(usize::MAX)
        };
        let groups = fine.groups.tuples.iter().map(owner).collect();
        let frame = self.frames.intern(fine);
        FinePart { frame, buckets, groups, present }
    }

    /// The elapsed part of a bucket; one without a start begins at the first row below.
    fn bounded(&mut self, value: NodeRef, bucket: Period) -> Option<Period> {
        let end = bucket.as_of;
        if bucket.start > Timestamp::MIN && end < Timestamp::MAX {
            return Some(Period::new(bucket.start, end));
        }
        let (first, last) = self.extent(value)?;
        let start = bucket.start.max(first);
        let end = if end < Timestamp::MAX { end } else { last };
        Some(Period::new(start, end))
    }
}

/// The indices of some groups, ascending.
fn places(groups: &Groups, tuples: &[Vec<GroupValue>]) -> Vec<usize> {
    let mut near = 0;
    let place = |tuple: &Vec<GroupValue>| {
        let found = groups.find_near(tuple, near)?;
        near = found.saturating_add(1);
        Some(found)
    };
    let mut places: Vec<usize> = tuples.iter().filter_map(place).collect();
    places.sort_unstable();
    places
}

impl FinePart {
    /// Visits the finer cells, each with its outer cell.
    fn each_cell(&self, groups: usize, outer_groups: usize, mut visit: impl FnMut(usize, usize)) {
        for (fine, bucket) in self.buckets.iter().enumerate() {
            let mut take = |own: usize| {
                let Some(group) = self.groups.get(own) else { return };
                let cell = bucket.saturating_mul(outer_groups).saturating_add(*group);
                visit(fine.saturating_mul(groups).saturating_add(own), cell);
            };
            match self.present.get(fine) {
                Some(present) => present.iter().copied().for_each(&mut take),
                None => (0..groups).for_each(&mut take),
            }
        }
    }
}
