//! The cells of one definition, with the blocks above them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::definition::StateKind;
use super::kinds::Undone;
use super::level::Level;
use super::part::Part;
use super::slot::{Grain, Piece, block_of, cover_by};
use super::state::{Contribution, State};

/// What a cell is keyed by beside its time: a part for each dimension, and the currency's code
/// where currencies are kept apart.
pub type Tuple = Vec<Part>;

/// The cells of one definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Grid {
    kind: StateKind,
    grain: Grain,
    tuples: Vec<Tuple>,
    numbers: BTreeMap<Tuple, u32>,
    /// The cells first, then the blocks above them.
    levels: Vec<Level>,
    dirty: BTreeSet<i32>,
    /// The first and the last instant folded, in microseconds: no row lies outside.
    extent: Option<(i64, i64)>,
    /// Whether a row was taken out that might have been the first or the last.
    pub(super) is_loose: bool,
    /// The digits after the point that a sum has at least.
    scale: u32,
    /// Whether cells and blocks were put in as they were kept: there may be more of either.
    is_part: bool,
}

impl Grid {
    /// A grid without cells.
    pub fn new(kind: StateKind, grain: Grain) -> Self {
        Self {
            kind,
            grain,
            tuples: Vec::new(),
            numbers: BTreeMap::new(),
            levels: grain.spans().iter().map(|_| Level::default()).collect(),
            dirty: BTreeSet::new(),
            extent: None,
            is_loose: false,
            scale: 0,
            is_part: false,
        }
    }

    /// A grid with a part of the cells of a larger one, as they were kept: in each level the cells, or
    /// blocks, by their number and by the place of their tuple. There may be fewer levels than the grain has.
    pub fn part(
        kind: StateKind,
        grain: Grain,
        tuples: Vec<Tuple>,
        levels: Vec<Vec<((i32, u32), State)>>,
    ) -> Self {
        let levels = levels.into_iter().map(Level::kept).collect();
        Self { is_part: true, tuples, levels, ..Self::new(kind, grain) }
    }

    /// Notes that a slot must be rebuilt from its rows before it is read.
    pub fn mark_dirty(&mut self, slot: i32) {
        self.dirty.insert(slot);
    }

    /// The digits after the point that a sum has at least: those that the column has.
    pub const fn scale(&self) -> u32 {
        self.scale
    }

    /// Notes that values have so many digits after the point.
    pub fn reach_scale(&mut self, scale: u32) {
        self.scale = self.scale.max(scale);
    }

    /// How rows become states here.
    pub const fn kind(&self) -> StateKind {
        self.kind
    }

    /// What the numbers of cells count.
    pub const fn grain(&self) -> Grain {
        self.grain
    }

    /// The tuples that cells have or had, by number.
    pub fn tuples(&self) -> &[Tuple] {
        &self.tuples
    }

    /// How many cells it has, without the blocks above them.
    pub fn len(&self) -> usize {
        self.levels.first().map_or(0, Level::len)
    }

    /// Whether it has no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells in order of time, then of tuple number: slot, tuple, state.
    pub fn cells(&self) -> impl Iterator<Item = (i32, &Tuple, &State)> {
        let cells = self.levels.first().into_iter().flat_map(Level::iter);
        cells.filter_map(|((slot, tuple), state)| {
            let tuple = self.tuples.get(usize::try_from(tuple).ok()?)?;
            Some((slot, tuple, state))
        })
    }

    /// Slots that must be rebuilt from their rows before they are read.
    pub const fn dirty(&self) -> &BTreeSet<i32> {
        &self.dirty
    }

    /// The first and the last instant folded, in microseconds.
    pub const fn extent(&self) -> Option<(i64, i64)> {
        self.extent
    }

    /// Adds a row to a cell and to the blocks above it.
    pub fn fold(&mut self, slot: i32, tuple: &Tuple, row: &Contribution) {
        let kind = self.kind;
        self.each_level(slot, tuple, |state| state.fold(kind, row));
    }

    /// Takes a row out of a cell; where the state cannot tell, its slot becomes dirty.
    pub fn undo(&mut self, slot: i32, tuple: &Tuple, row: &Contribution) -> Undone {
        let kind = self.kind;
        self.change(slot, tuple, |state| state.undo(kind, row))
    }

    /// Adds a state to a cell: a delta, or the cell of another part.
    pub fn merge_cell(&mut self, slot: i32, tuple: &Tuple, other: &State) {
        let kind = self.kind;
        self.each_level(slot, tuple, |state| state.merge(kind, other));
    }

    /// Takes a state out of a cell; where the cell cannot tell, its slot becomes dirty.
    pub fn take_out_cell(&mut self, slot: i32, tuple: &Tuple, other: &State) -> Undone {
        let kind = self.kind;
        self.change(slot, tuple, |state| state.take_out(kind, other))
    }

    /// Notes an instant that a row has, so that periods beyond all rows need not end between cells.
    pub fn reach(&mut self, at: i64) {
        let (low, high) = self.extent.unwrap_or((at, at));
        self.extent = Some((low.min(at), high.max(at)));
    }

    fn each_level(&mut self, slot: i32, tuple: &Tuple, mut change: impl FnMut(&mut State)) {
        let Some(number) = self.number(tuple) else { return };
        let kind = self.kind;
        for (level, span) in self.levels.iter_mut().zip(self.grain.spans()) {
            let (key, level) = ((block_of(slot, *span), number), level.open());
            let state = level.entry(key).or_insert_with(|| State::empty(kind));
            change(state);
            if state.is_empty() {
                level.remove(&key);
            }
        }
    }

    fn change(
        &mut self,
        slot: i32,
        tuple: &Tuple,
        mut change: impl FnMut(&mut State) -> Undone,
    ) -> Undone {
        self.is_loose = true;
        let mut cell = Undone::Exactly;
        let mut first = true;
        let mut stale = false;
        self.each_level(slot, tuple, |state| {
            let undone = change(state);
            if first {
                cell = undone;
            }
            stale |= undone == Undone::Rebuild;
            first = false;
        });
        if cell == Undone::Rebuild {
            self.dirty.insert(slot);
        } else if stale {
            // The cell knows what its block does not.
            self.blocks_anew(slot);
        }
        cell
    }

    fn number(&mut self, tuple: &Tuple) -> Option<u32> {
        if self.numbers.len() != self.tuples.len() {
            self.numbers = self.tuples.iter().cloned().zip(0..).collect();
        }
        if let Some(number) = self.numbers.get(tuple) {
            return Some(*number);
        }
        let next = u32::try_from(self.tuples.len()).ok()?;
        self.tuples.push(tuple.clone());
        self.numbers.insert(tuple.clone(), next);
        Some(next)
    }

    /// Adds everything of another grid of the same definition.
    pub fn merge(&mut self, other: &Self) {
        for (slot, tuple, state) in other.cells() {
            self.merge_cell(slot, tuple, state);
        }
        self.dirty.extend(&other.dirty);
        self.reach_scale(other.scale);
        self.is_loose |= other.is_loose;
        if let Some((first, last)) = other.extent {
            self.reach(first);
            self.reach(last);
        }
    }

    /// Takes everything of another grid of the same definition out again.
    pub fn take_out(&mut self, other: &Self) {
        for (slot, tuple, state) in other.cells() {
            // What could not be told is in `dirty`.
            match self.take_out_cell(slot, tuple, state) {
                Undone::Exactly | Undone::Rebuild => {}
            }
        }
    }

    /// Puts the cells of a slot of a grid that was built from the rows in the place of its own.
    pub fn rebuild(&mut self, slot: i32, fresh: &Self) {
        if let Some(cells) = self.levels.first_mut() {
            cells.clear(slot);
        }
        for (of, tuple, state) in fresh.cells().filter(|(of, ..)| *of == slot) {
            if let (Some(number), Some(cells)) = (self.number(tuple), self.levels.first_mut()) {
                cells.open().insert((of, number), state.clone());
            }
        }
        self.dirty.remove(&slot);
        self.reach_scale(fresh.scale);
        if let Some((first, last)) = fresh.extent {
            self.reach(first);
            self.reach(last);
        }
        self.blocks_anew(slot);
    }

    /// Makes the blocks above a slot from the cells in them.
    fn blocks_anew(&mut self, slot: i32) {
        let kind = self.kind;
        let Some((cells, blocks)) = self.levels.split_first_mut() else { return };
        for (level, span) in blocks.iter_mut().zip(self.grain.spans().iter().skip(1)) {
            let block = block_of(slot, *span);
            level.clear(block);
            let level = level.open();
            let first = block.saturating_mul(*span);
            for ((_, tuple), state) in cells.range(first..first.saturating_add(*span)) {
                let above = level.entry((block, tuple)).or_insert_with(|| State::empty(kind));
                above.merge(kind, state);
            }
        }
    }

    /// The slots that have a cell, within a range.
    pub fn last_slot(&self, before: i32) -> Option<i32> {
        let cells = self.levels.first()?;
        cells.range(i32::MIN..before).next_back().map(|((slot, _), _)| slot)
    }

    /// The first and the last slot that have a cell.
    pub fn slots(&self) -> Option<(i32, i32)> {
        let cells = self.levels.first()?;
        let ((first, _), _) = cells.iter().next()?;
        let ((last, _), _) = cells.iter().next_back()?;
        Some((first, last))
    }

    /// The first slot of a range that must be rebuilt before it is read.
    pub fn dirty_in(&self, from: i32, to: i32) -> Option<i32> {
        (from < to).then(|| self.dirty.range(from..to).next().copied()).flatten()
    }

    /// Merges the cells of a range of slots by group, with as few merges as its blocks allow, and
    /// gives how many there were.
    ///
    /// `group` says for each tuple by number which of `groups` it belongs to, if any.
    pub fn merged(
        &self,
        (from, to): (i32, i32),
        group: &[Option<usize>],
        groups: &mut [State],
    ) -> usize {
        let (from, to) = self.widened((from, to));
        let mut count = 0_usize;
        for Piece { level, first, end } in cover_by(self.spans(), from, to) {
            let Some(cells) = self.levels.get(level) else { continue };
            for ((_, tuple), state) in cells.range(first..end) {
                let own = usize::try_from(tuple).ok().and_then(|tuple| *group.get(tuple)?);
                if let Some(into) = own.and_then(|own| groups.get_mut(own)) {
                    into.merge(self.kind, state);
                    count = count.saturating_add(1);
                }
            }
        }
        count
    }

    /// How many slots a cell and a block of each level span.
    fn spans(&self) -> &'static [i32] {
        let spans = self.grain.spans();
        spans.get(..self.levels.len()).unwrap_or(spans)
    }

    /// Past all cells a range may end with a whole block: there is nothing more in it.
    fn widened(&self, (from, to): (i32, i32)) -> (i32, i32) {
        let Some((first, last)) = self.slots().filter(|_| !self.is_part) else { return (from, to) };
        let span = self.spans().last().copied().unwrap_or(1);
        let lowest = block_of(first, span).saturating_mul(span);
        let highest = block_of(last, span).saturating_add(1).saturating_mul(span);
        (if from <= first { lowest } else { from }, if to > last { highest } else { to })
    }
}

/// A grid as it is kept: the blocks follow from the cells.
#[derive(Serialize, Deserialize)]
struct Stored {
    kind: StateKind,
    grain: Grain,
    tuples: Vec<Tuple>,
    cells: Vec<(i32, u32, State)>,
    dirty: BTreeSet<i32>,
    extent: Option<(i64, i64)>,
    is_loose: bool,
    scale: u32,
}

impl From<Grid> for Stored {
    fn from(grid: Grid) -> Self {
        let mut levels = grid.levels.into_iter();
        let cells = levels.next().map(|mut cells| std::mem::take(cells.open())).unwrap_or_default();
        let Grid { kind, grain, tuples, dirty, extent, is_loose, scale, .. } = grid;
        let cells = cells.into_iter().map(|((slot, tuple), state)| (slot, tuple, state)).collect();
        Self { kind, grain, tuples, cells, dirty, extent, is_loose, scale }
    }
}

impl From<Stored> for Grid {
    fn from(stored: Stored) -> Self {
        let Stored { kind, grain, tuples, cells, dirty, extent, is_loose, scale } = stored;
        let mut grid = Self { dirty, extent, is_loose, scale, ..Self::new(kind, grain) };
        for (slot, tuple, state) in &cells {
            let tuple = usize::try_from(*tuple).ok().and_then(|tuple| tuples.get(tuple));
            if let Some(tuple) = tuple {
                grid.merge_cell(*slot, tuple, state);
            }
        }
        grid
    }
}
