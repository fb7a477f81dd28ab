//! Rows that meet conditions, and what was computed for them: kept, so that atoms over the same rows
//! share them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::evaluator::Evaluator;
use super::frame::{Frame, Groups};
use super::placed::Placed;
use super::rows::Batch;
use super::vector::Vector;
use crate::check::NodeId;
use crate::schema::SourceId;

/// Limit: bytes of selections and vectors kept by one evaluation; past it they are computed again.
const KEPT_BYTES: usize = 256 << 20;

/// Rows of a source, in order of their date.
#[derive(Debug)]
pub(super) struct Selection {
    /// Given once in an evaluation.
    number: u64,
    pub(super) placed: Rc<Placed>,
    from: usize,
    to: usize,
    /// Where some rows between `from` and `to` do not meet the conditions, those that do.
    narrowed: Option<Narrowed>,
}

#[derive(Debug)]
struct Narrowed {
    /// Positions in the order of the source, ascending.
    positions: Rc<Vec<u32>>,
    rows: Rc<Vec<u32>>,
}

impl Selection {
    pub(super) fn rows(&self) -> &[u32] {
        match &self.narrowed {
            Some(narrowed) => &narrowed.rows,
            None => self.placed.rows().get(self.from..self.to).unwrap_or_default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows().len()
    }

    /// Whether the rows follow each other without a gap.
    pub(super) fn is_run(&self) -> bool {
        self.narrowed.is_none() && self.placed.is_in_row_order()
    }

    /// The position in the order of the source of the selection's row at an index.
    pub(super) fn position(&self, index: usize) -> Option<usize> {
        match &self.narrowed {
            Some(narrowed) => usize::try_from(*narrowed.positions.get(index)?).ok(),
            None => self.from.checked_add(index).filter(|position| *position < self.to),
        }
    }

    /// How many of the rows come before a position in the order of the source.
    pub(super) fn before(&self, position: usize) -> usize {
        match &self.narrowed {
            Some(narrowed) => narrowed
                .positions
                .partition_point(|own| usize::try_from(*own).is_ok_and(|own| own < position)),
            None => position.clamp(self.from, self.to.max(self.from)).saturating_sub(self.from),
        }
    }

    /// The rows for which a condition holds; `None` where it holds for all.
    fn narrow(&self, condition: &Vector, number: u64) -> Option<Self> {
        let rows = self.rows();
        let truths = condition.truths(rows.len());
        let held = truths.iter().filter(|truth| **truth).count();
        if held == rows.len() {
            return None;
        }
        let positions = if let Some(narrowed) = &self.narrowed {
            compact(narrowed.positions.iter().copied(), &truths, held)
        } else {
            let from = u32::try_from(self.from).unwrap_or(u32::MAX);
            compact(from..u32::MAX, &truths, held)
        };
        let positions = Rc::new(positions);
        // In their own order rows are at the positions that they are numbered by.
        let rows = if self.placed.is_in_row_order() {
            Rc::clone(&positions)
        } else {
            Rc::new(compact(rows.iter().copied(), &truths, held))
        };
        let narrowed = Some(Narrowed { positions, rows });
        Some(Self {
            number,
            placed: Rc::clone(&self.placed),
            from: self.from,
            to: self.to,
            narrowed,
        })
    }

    fn bytes(&self) -> usize {
        self.narrowed.as_ref().map_or(64, |narrowed| narrowed.rows.len().saturating_mul(8))
    }
}

/// The items where the truth holds, `held` of them, without a branch for each.
fn compact(items: impl Iterator<Item = u32>, truths: &[bool], held: usize) -> Vec<u32> {
    let mut kept = vec![0; held];
    let mut next = 0_usize;
    for (item, truth) in items.zip(truths) {
        if let Some(slot) = kept.get_mut(next) {
            *slot = item;
        }
        next = next.wrapping_add(usize::from(*truth));
    }
    kept
}

/// Which computation over a selection: a shape, and the frame and bucket where they matter.
pub(super) type Computation = (u128, Option<(usize, usize)>);

/// What an evaluation keeps of its scans.
#[derive(Debug, Default)]
pub(super) struct Kept {
    selections: u64,
    bytes: usize,
    whole: BTreeMap<(*const Placed, usize, usize), Rc<Selection>>,
    narrowed: BTreeMap<(u64, Computation), Rc<Selection>>,
    vectors: BTreeMap<(u64, Computation), Rc<Vector>>,
    groups: BTreeMap<(u64, *const Groups), Rc<Vec<u32>>>,
}

impl Kept {
    fn next(&mut self) -> u64 {
        self.selections = self.selections.saturating_add(1);
        self.selections
    }

    /// Makes room; past the limit nothing of before is kept.
    fn hold(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > KEPT_BYTES {
            *self = Self { selections: self.selections, bytes, ..Self::default() };
        }
    }
}

impl Evaluator<'_> {
    /// The rows of a source between two positions that meet conditions, one after the other.
    pub(super) fn selection(
        &mut self,
        (source, frame): (SourceId, usize),
        conditions: &[(super::frame::Owner, NodeId)],
        placed: &Rc<Placed>,
        ((from, to), bucket): ((usize, usize), usize),
    ) -> Rc<Selection> {
        let mut selection = self.whole(placed, (from, to));
        for (owner, condition) in conditions {
            let batch = Batch {
                owner: *owner,
                source,
                frame,
                bucket,
                selection: Some(&selection),
                rows: selection.rows(),
            };
            let key = self
                .computation(&batch, *condition)
                .map(|computation| (selection.number, computation));
            if let Some(known) = key.and_then(|key| self.kept.narrowed.get(&key)) {
                selection = Rc::clone(known);
                continue;
            }
            let truth = self.unkept_rows(&batch, *condition);
            let number = self.kept.next();
            let narrower = match selection.narrow(&truth, number) {
                Some(narrower) => Rc::new(narrower),
                None => Rc::clone(&selection),
            };
            if let Some(key) = key {
                self.kept.hold(narrower.bytes());
                self.kept.narrowed.insert(key, Rc::clone(&narrower));
            }
            selection = narrower;
        }
        selection
    }

    fn whole(&mut self, placed: &Rc<Placed>, (from, to): (usize, usize)) -> Rc<Selection> {
        let key = (Rc::as_ptr(placed), from, to);
        if let Some(known) = self.kept.whole.get(&key) {
            return Rc::clone(known);
        }
        let number = self.kept.next();
        let made = Selection { number, placed: Rc::clone(placed), from, to, narrowed: None };
        let made = Rc::new(made);
        self.kept.hold(made.bytes());
        self.kept.whole.insert(key, Rc::clone(&made));
        made
    }

    /// By what a computation over a batch is known; `None` where it stands alone.
    pub(super) fn computation(&mut self, batch: &Batch<'_>, id: NodeId) -> Option<Computation> {
        let shape = self.shape(batch.owner, id)?;
        Some((shape.number, (!shape.is_steady).then_some((batch.frame, batch.bucket))))
    }

    /// The vector of a computation over the rows of a selection, if it was kept.
    pub(super) fn kept_vector(
        &self,
        selection: &Selection,
        computation: Computation,
    ) -> Option<Rc<Vector>> {
        self.kept.vectors.get(&(selection.number, computation)).map(Rc::clone)
    }

    pub(super) fn keep_vector(
        &mut self,
        selection: &Selection,
        computation: Computation,
        vector: &Rc<Vector>,
    ) {
        self.kept.hold(vector.bytes());
        self.kept.vectors.insert((selection.number, computation), Rc::clone(vector));
    }

    /// For each row of a selection the index of its group; `None` where all are in the one group.
    pub(super) fn groups_of(&mut self, batch: &Batch<'_>) -> Option<Rc<Vec<u32>>> {
        let groups = self.frame(batch.frame).map(|frame: &Frame| Rc::as_ptr(&frame.groups));
        let key = batch.selection.zip(groups).map(|(own, groups)| (own.number, groups));
        if let Some(known) = key.and_then(|key| self.kept.groups.get(&key)) {
            return Some(Rc::clone(known));
        }
        let made = Rc::new(self.group_ids(batch)?);
        if let Some(key) = key {
            self.kept.hold(made.len().saturating_mul(4));
            self.kept.groups.insert(key, Rc::clone(&made));
        }
        Some(made)
    }
}
