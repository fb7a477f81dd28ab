//! Selections: rows that meet conditions.

use std::rc::Rc;

use super::dated_rows::{DatedRows, PositionRange};
use super::vector::Vector;

/// Rows of a source, in order of their date.
#[derive(Debug)]
pub(crate) struct Selection {
    /// Unique within an evaluation.
    pub(super) number: u64,
    pub(super) dated: Rc<DatedRows>,
    range: PositionRange,
    /// The rows that meet the conditions, unless all rows of the range do.
    narrowed: Option<NarrowedRows>,
}

#[derive(Debug)]
struct NarrowedRows {
    /// Positions in the order of the source, ascending.
    positions: Rc<Vec<u32>>,
    rows: Rc<Vec<u32>>,
}

impl Selection {
    /// Selects all rows of a range.
    pub(super) fn whole(number: u64, dated: &Rc<DatedRows>, range: PositionRange) -> Self {
        Self { number, dated: Rc::clone(dated), range, narrowed: None }
    }

    pub(crate) fn rows(&self) -> &[u32] {
        match &self.narrowed {
            Some(narrowed) => &narrowed.rows,
            None => self.dated.rows().get(self.range.from..self.range.to).unwrap_or_default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows().len()
    }

    /// Whether the rows are contiguous.
    pub(super) fn is_run(&self) -> bool {
        self.narrowed.is_none() && self.dated.is_in_row_order()
    }

    /// The position, in the order of the source, of the row at an index of the selection.
    pub(super) fn position(&self, index: usize) -> Option<usize> {
        match &self.narrowed {
            Some(narrowed) => usize::try_from(*narrowed.positions.get(index)?).ok(),
            None => self.range.from.checked_add(index).filter(|position| *position < self.range.to),
        }
    }

    /// The number of selected rows before a position in the order of the source.
    pub(super) fn before(&self, position: usize) -> usize {
        if let Some(narrowed) = &self.narrowed {
            let is_before = |own: &u32| usize::try_from(*own).is_ok_and(|own| own < position);
            return narrowed.positions.partition_point(is_before);
        }
        let PositionRange { from, to } = self.range;
        position.clamp(from, to.max(from)).saturating_sub(from)
    }

    /// The rows for which a condition holds; `None` if it holds for all.
    pub(super) fn narrow(&self, condition: &Vector, number: u64) -> Option<Self> {
        let rows = self.rows();
        let truths = condition.truths(rows.len());
        let held = truths.iter().filter(|truth| **truth).count();
        if held == rows.len() {
            return None;
        }
        let positions = if let Some(narrowed) = &self.narrowed {
            compact(narrowed.positions.iter().copied(), &truths, held)
        } else {
            let from = u32::try_from(self.range.from).unwrap_or(u32::MAX);
            compact(from..u32::MAX, &truths, held)
        };
        let positions = Rc::new(positions);
        // In row order, a row's position is its number.
        let rows = if self.dated.is_in_row_order() {
            Rc::clone(&positions)
        } else {
            Rc::new(compact(rows.iter().copied(), &truths, held))
        };
        let narrowed = Some(NarrowedRows { positions, rows });
        Some(Self { number, dated: Rc::clone(&self.dated), range: self.range, narrowed })
    }

    pub(super) fn bytes(&self) -> usize {
        self.narrowed.as_ref().map_or(64, |narrowed| narrowed.rows.len().saturating_mul(8))
    }
}

/// The items whose flag is true, `held` of them, selected without a branch.
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
