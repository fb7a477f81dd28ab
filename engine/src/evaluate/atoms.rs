//! Aggregates over the rows of a source: one scan for all buckets and groups of a frame.

use std::rc::Rc;

use rust_decimal::Decimal;

use super::accumulate::Slice;
use super::evaluator::{Cells, Evaluator};
use super::frame::{Frame, Owner};
use super::placed::Placed;
use super::rows::Batch;
use super::vector::Vector;
use crate::check::{AggregateFunction, Atom, Kind, NodeId, fingerprint};
use crate::schema::SourceKind;
use crate::types::{Reason, Value};

/// What a scan kept.
struct Scan {
    /// Positions in [`Placed::rows`], ascending.
    kept: Vec<usize>,
    value: Option<Vector>,
    groups: Option<Vec<u32>>,
    /// The currency of each amount, where amounts of several are not converted.
    currencies: Option<Vector>,
}

/// A scan's place.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    pub(super) owner: Owner,
    pub(super) atom: &'s Atom,
    pub(super) frame: usize,
}

impl Evaluator<'_> {
    pub(super) fn atom(&mut self, owner: Owner, id: NodeId, atom: &Atom, frame: usize) -> Cells {
        let Some(typed) = self.typed(owner) else {
            return self.same(frame, &Value::missing(Reason::NoRows));
        };
        let key = (fingerprint(typed, id, 0), frame);
        if let Some(cells) = self.atoms.get(&key) {
            return Rc::clone(cells);
        }
        let span = self.node(owner, id).map_or_else(Default::default, |node| node.span);
        let count = self.frame(frame).map_or(0, Frame::cell_count);
        let site = Site { owner, atom, frame };
        let cells = if !self.admits(count, span) {
            self.same(frame, &Value::missing(Reason::Overflow))
        } else if let Some(cells) = self.supplied((owner, id), atom, frame) {
            cells
        } else if let Some(cells) = self.without_rows(&site, span) {
            cells
        } else {
            Rc::new(self.scan_all(&site))
        };
        self.atoms.insert(key, Rc::clone(&cells));
        cells
    }

    pub(super) fn scan_all(&mut self, site: &Site<'_>) -> Vec<Value> {
        let Site { owner, atom, frame } = *site;
        let placed = self.placed(atom.source, atom.date.as_ref());
        let Some(place) = self.frame(frame).cloned() else { return Vec::new() };
        let ranges = self.ranges(atom, &placed, &place);
        let fraction = self.fraction(owner, atom, frame);
        let group_count = place.group_count();
        let mut cells = Vec::with_capacity(place.cell_count());
        let shared = !self.varies(site);
        let union =
            ranges.iter().flatten().fold(None, |whole: Option<(usize, usize)>, (from, to)| {
                Some(whole.map_or((*from, *to), |(low, high)| (low.min(*from), high.max(*to))))
            });
        let mut scan = match union {
            Some((from, to)) if shared => Some(self.scan(site, &placed, (from, to), 0)),
            Some(_) | None => None,
        };
        if let Some(scan) = &scan
            && let Some(answers) = self.overlapping(site, scan, &ranges, group_count)
        {
            return answers;
        }
        // Undated rows give every bucket the same answer.
        let mut last: Option<((usize, usize), Vec<Value>)> = None;
        for (bucket, range) in ranges.iter().enumerate() {
            let Some((from, to)) = *range else {
                cells.extend(vec![Value::missing(Reason::NoCoverage); group_count]);
                continue;
            };
            if let Some((same, answer)) = &last
                && *same == (from, to)
                && shared
            {
                cells.extend(answer.iter().cloned());
                continue;
            }
            if !shared {
                scan = Some(self.scan(site, &placed, (from, to), bucket));
            }
            let Some(scan) = &scan else { continue };
            let answer = self.answer(site, &placed, scan, ((from, to), fraction, group_count));
            cells.extend(answer.iter().cloned());
            last = Some(((from, to), answer));
        }
        cells
    }

    /// The fraction of a percentile.
    pub(crate) fn fraction(&mut self, owner: Owner, atom: &Atom, frame: usize) -> Option<Decimal> {
        let fraction = atom.fraction?;
        self.cells(owner, fraction, frame).first().and_then(Value::as_number)
    }

    /// The answers of a scan for periods that overlap, where they can be had by adding up.
    fn overlapping(
        &self,
        site: &Site<'_>,
        scan: &Scan,
        ranges: &[Option<(usize, usize)>],
        group_count: usize,
    ) -> Option<Vec<Value>> {
        let source = self.schema().source_at(site.atom.source)?;
        if source.kind == SourceKind::Snapshot || scan.currencies.is_some() {
            return None;
        }
        let place = |at: usize| scan.kept.partition_point(|position| *position < at);
        let kept: Vec<Option<(usize, usize)>> =
            ranges.iter().map(|range| range.map(|(from, to)| (place(from), place(to)))).collect();
        let whole = Slice {
            value: scan.value.as_ref(),
            groups: scan.groups.as_deref(),
            from: 0,
            to: scan.kept.len(),
            group_count,
        };
        super::overlaps::answers(&whole, &kept, site.atom.function)
    }

    fn answer(
        &self,
        site: &Site<'_>,
        placed: &Placed,
        scan: &Scan,
        ((from, to), fraction, group_count): ((usize, usize), Option<Decimal>, usize),
    ) -> Vec<Value> {
        let low = scan.kept.partition_point(|position| *position < from);
        let high = scan.kept.partition_point(|position| *position < to);
        let slice = Slice {
            value: scan.value.as_ref(),
            groups: scan.groups.as_deref(),
            from: low,
            to: high,
            group_count,
        };
        let atom = site.atom;
        let snapshot =
            self.schema().source_at(atom.source).is_some_and(|s| s.kind == SourceKind::Snapshot);
        if snapshot && from == to {
            return vec![Value::missing(Reason::NoRows); group_count];
        }
        match atom.function {
            AggregateFunction::First | AggregateFunction::Last => {
                self.at_the_end(site, placed, scan, &slice)
            }
            AggregateFunction::Sum
            | AggregateFunction::Count
            | AggregateFunction::CountDistinct
            | AggregateFunction::Average
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation
            | AggregateFunction::Minimum
            | AggregateFunction::Maximum
            | AggregateFunction::ShareOf => match &scan.currencies {
                Some(codes) => {
                    let policy = self.schema().store.mixed_currency;
                    super::currency::by_currency(&slice, codes, policy, (atom.function, fraction))
                }
                None => slice.answer(atom.function, fraction),
            },
        }
    }

    /// The first or last value that is not null, ties in time by key.
    fn at_the_end(
        &self,
        site: &Site<'_>,
        placed: &Placed,
        scan: &Scan,
        slice: &Slice<'_>,
    ) -> Vec<Value> {
        let last = site.atom.function == AggregateFunction::Last;
        let source = site.atom.source;
        let table = self.data().and_then(|data| data.table(source));
        let key = self.schema().source_at(source).and_then(|source| source.key);
        let keys = key.and_then(|key| table?.columns.get(key.0)?.as_ref());
        let rank = |kept: usize| {
            let position = scan.kept.get(kept).copied().unwrap_or(0);
            let at = placed.at.as_ref().and_then(|at| at.get(position).copied()).unwrap_or(0);
            let row =
                placed.rows.get(position).and_then(|row| usize::try_from(*row).ok()).unwrap_or(0);
            let key = keys.map(|keys| super::frame::Part::of(&keys.value(row)));
            (at, key, row)
        };
        let mut best: Vec<Option<usize>> = vec![None; slice.group_count];
        let Some(value) = &scan.value else {
            return vec![Value::missing(Reason::NoRows); slice.group_count];
        };
        for kept in slice.from..slice.to {
            let group = match &scan.groups {
                None => Some(0),
                Some(groups) => groups.get(kept).and_then(|group| usize::try_from(*group).ok()),
            };
            let Some(slot) = group.and_then(|group| best.get_mut(group)) else { continue };
            if value.is_missing(kept) {
                continue;
            }
            let better = match *slot {
                None => true,
                Some(before) if last => rank(kept) > rank(before),
                Some(before) => rank(kept) < rank(before),
            };
            if better {
                *slot = Some(kept);
            }
        }
        let found = |kept: Option<usize>| {
            kept.map_or(Value::missing(Reason::NoRows), |kept| value.value(kept))
        };
        best.into_iter().map(found).collect()
    }

    /// The rows at these positions that meet every condition, their values and groups.
    fn scan(
        &mut self,
        site: &Site<'_>,
        placed: &Placed,
        (from, to): (usize, usize),
        bucket: usize,
    ) -> Scan {
        let Site { owner, atom, frame } = *site;
        let mut kept: Vec<usize> = (from..to).collect();
        let mut rows: Vec<u32> = placed.rows.get(from..to).unwrap_or_default().to_vec();
        for (owner, condition) in self.conditions(site) {
            let batch = Batch { owner, source: atom.source, rows: &rows, frame, bucket };
            let truth = self.rows(&batch, condition).truths(rows.len());
            if truth.iter().all(|truth| *truth) {
                continue;
            }
            keep(&mut kept, &truth);
            keep(&mut rows, &truth);
        }
        self.step(rows.len());
        let batch = Batch { owner, source: atom.source, rows: &rows, frame, bucket };
        let counted = if atom.value.is_some() { atom.value } else { atom.condition };
        let (value, currencies) = match (atom.function, counted) {
            (AggregateFunction::ShareOf, Some(condition)) => {
                (Some(Vector::Truth(self.rows(&batch, condition).truths(rows.len()))), None)
            }
            (_, _) => match atom.value {
                Some(value) => {
                    let vector = self.rows(&batch, value);
                    let amounts = (placed, kept.as_slice());
                    let (vector, codes) =
                        self.in_one_currency(&batch, (atom, value), amounts, vector);
                    (Some(vector), codes)
                }
                None => (None, None),
            },
        };
        let groups = self.group_ids(&batch);
        Scan { kept, value, groups, currencies }
    }

    /// What narrows an atom: its own condition, and what stands around it.
    pub(super) fn conditions(&self, site: &Site<'_>) -> Vec<(Owner, NodeId)> {
        // What a share counts does not narrow what it is a share of.
        let counted = site.atom.function == AggregateFunction::ShareOf && site.atom.value.is_none();
        let own = site.atom.condition.filter(|_| !counted).map(|node| (site.owner, node));
        self.standing(site).into_iter().chain(own).collect()
    }

    /// The population of an atom and the filters around it.
    pub(super) fn standing(&self, site: &Site<'_>) -> Vec<(Owner, NodeId)> {
        let Site { owner, atom, frame } = *site;
        let mut conditions: Vec<(Owner, NodeId)> =
            atom.population.into_iter().map(|node| (owner, node)).collect();
        for filter in self.frame(frame).map_or(&[][..], |frame| &frame.filters) {
            let of_source = filter.conditions.iter().filter(|(source, _)| *source == atom.source);
            conditions.extend(of_source.map(|(_, node)| (filter.owner, *node)));
        }
        conditions
    }

    /// Whether rows or values differ from bucket to bucket beyond the period itself.
    fn varies(&self, site: &Site<'_>) -> bool {
        let mut stack = self.conditions(site);
        stack.extend(site.atom.value.map(|value| (site.owner, value)));
        stack.extend(site.atom.condition.map(|condition| (site.owner, condition)));
        while let Some((owner, id)) = stack.pop() {
            let Some(node) = self.node(owner, id) else { continue };
            if matches!(node.kind, Kind::CurrentPeriod(_) | Kind::PerRow(_) | Kind::Outer(_)) {
                return true;
            }
            stack
                .extend(crate::check::children(&node.kind).into_iter().map(|child| (owner, child)));
        }
        false
    }
}

fn keep<T: Copy>(items: &mut Vec<T>, truth: &[bool]) {
    let mut truth = truth.iter();
    items.retain(|_| truth.next().copied().unwrap_or(false));
}
