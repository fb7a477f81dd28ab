//! Aggregates over the rows of a source: one scan for all buckets and groups of a frame.

use std::rc::Rc;

use rust_decimal::Decimal;

use super::accumulate::Slice;
use super::evaluator::{Cells, Evaluator};
use super::frame::{Frame, Owner};
use super::placed::Placed;
use super::rows::Batch;
use super::selection::Selection;
use super::vector::Vector;
use crate::check::{AggregateFunction, Atom, NodeId};
use crate::schema::SourceKind;
use crate::types::{Reason, Value};

/// What a scan kept.
struct Scan {
    rows: Rc<Selection>,
    value: Option<Rc<Vector>>,
    groups: Option<Rc<Vec<u32>>>,
    /// The currency of each amount, where amounts of several are not converted.
    currencies: Option<Rc<Vector>>,
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
        let Some(shape) = self.shape(owner, id) else {
            return self.same(frame, &Value::missing(Reason::NoRows));
        };
        let key = (shape.number, frame);
        if let Some(cells) = self.atoms.get(&key) {
            return Rc::clone(cells);
        }
        let span = self.node(owner, id).map_or_else(Default::default, |node| node.span);
        let count = self.frame(frame).map_or(0, Frame::cell_count);
        let site = Site { owner, atom, frame };
        let cells = if !self.admits(count, span) {
            self.same(frame, &Value::missing(Reason::Overflow))
        } else if let Some(cells) = self.cached_cells(&site, id) {
            Rc::new(cells)
        } else {
            self.fresh_cells(&site, id)
        };
        self.atoms.insert(key, Rc::clone(&cells));
        cells
    }

    /// The answers of an atom as they are computed: by the supply, or from rows in memory.
    pub(super) fn fresh_cells(&mut self, site: &Site<'_>, id: NodeId) -> Cells {
        let Site { owner, atom, frame } = *site;
        if let Some(cells) = self.supplied((owner, id), atom, frame) {
            return cells;
        }
        let span = self.node(owner, id).map_or_else(Default::default, |node| node.span);
        self.without_rows(site, span).unwrap_or_else(|| Rc::new(self.scan_all(site)))
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
            let answer = self.answer(site, scan, ((from, to), fraction, group_count));
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
        let place = |at: usize| scan.rows.before(at);
        let kept: Vec<Option<(usize, usize)>> =
            ranges.iter().map(|range| range.map(|(from, to)| (place(from), place(to)))).collect();
        let whole = Slice {
            value: scan.value.as_deref(),
            groups: scan.groups.as_deref().map(Vec::as_slice),
            from: 0,
            to: scan.rows.len(),
            group_count,
        };
        super::overlaps::answers(&whole, &kept, site.atom.function)
    }

    fn answer(
        &self,
        site: &Site<'_>,
        scan: &Scan,
        ((from, to), fraction, group_count): ((usize, usize), Option<Decimal>, usize),
    ) -> Vec<Value> {
        let (low, high) = (scan.rows.before(from), scan.rows.before(to));
        let slice = Slice {
            value: scan.value.as_deref(),
            groups: scan.groups.as_deref().map(Vec::as_slice),
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
                self.at_the_end(site, scan, &slice)
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
    fn at_the_end(&self, site: &Site<'_>, scan: &Scan, slice: &Slice<'_>) -> Vec<Value> {
        let placed = &scan.rows.placed;
        let last = site.atom.function == AggregateFunction::Last;
        let source = site.atom.source;
        let table = self.data().and_then(|data| data.table(source));
        let key = self.schema().source_at(source).and_then(|source| source.key);
        let keys = key.and_then(|key| table?.columns.get(key.0)?.as_ref());
        let rank = |kept: usize| {
            let position = scan.rows.position(kept).unwrap_or(0);
            let at = placed.at().and_then(|at| at.get(position).copied()).unwrap_or(0);
            let row = scan.rows.rows().get(kept).copied();
            let row = row.and_then(|row| usize::try_from(row).ok()).unwrap_or(0);
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
        placed: &Rc<Placed>,
        range: (usize, usize),
        bucket: usize,
    ) -> Scan {
        let Site { owner, atom, frame } = *site;
        let conditions = self.conditions(site);
        let rows = self.selection((atom.source, frame), &conditions, placed, (range, bucket));
        self.step(rows.len());
        let batch = Batch {
            owner,
            source: atom.source,
            rows: rows.rows(),
            selection: Some(&rows),
            frame,
            bucket,
        };
        let counted = if atom.value.is_some() { atom.value } else { atom.condition };
        let (value, currencies) = match (atom.function, counted) {
            (AggregateFunction::ShareOf, Some(condition)) => {
                let truths = self.rows(&batch, condition).truths(rows.len()).into_owned();
                (Some(Rc::new(Vector::Truth(truths))), None)
            }
            (_, _) => match atom.value {
                Some(value) => {
                    let vector = self.rows(&batch, value);
                    let (vector, codes) =
                        self.in_one_currency(&batch, (atom, value), &rows, vector);
                    (Some(vector), codes)
                }
                None => (None, None),
            },
        };
        let groups = self.groups_of(&batch);
        Scan { rows, value, groups, currencies }
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
    fn varies(&mut self, site: &Site<'_>) -> bool {
        let own = [site.atom.value, site.atom.condition].into_iter().flatten();
        let mut below = self.conditions(site);
        below.extend(own.map(|node| (site.owner, node)));
        below
            .into_iter()
            .any(|(owner, node)| self.shape(owner, node).is_some_and(|shape| shape.varies))
    }
}
