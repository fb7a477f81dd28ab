//! The cells of many definitions, in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::definition::StateDefinition;
use super::grid::Grid;

/// What keeps cells: memory, or a database that gives those of a range when they are asked for.
///
/// Invariant: all grids that it gives between two changes are of one state of the rows.
pub trait CellStore: fmt::Debug {
    /// What is known of a definition without its cells: extent, digits, slots that must be rebuilt;
    /// `None` if it is not kept. It may hold cells too.
    fn outline(&self, definition: &StateDefinition) -> Option<Arc<Grid>>;

    /// The cells of a definition in each of these ranges of slots, from the first to before the
    /// second, or more of them.
    fn grid(&self, definition: &StateDefinition, ranges: &[(i32, i32)]) -> Option<Arc<Grid>>;

    /// The cells of the rows between two instants that lie within one slot, from the first to before the
    /// second: what a period takes of a day or an hour that is not over. `None` if only whole slots are
    /// known; then the rows are asked.
    fn edge(
        &self,
        definition: &StateDefinition,
        (from, to): (Timestamp, Timestamp),
    ) -> Option<Arc<Grid>> {
        let _ = (definition, from, to);
        None
    }
}

/// Cells by definition: for tests and programs, and as deltas on their way to a database.
///
/// Parts that were folded apart are merged in any order with the same outcome. What is taken out
/// again leaves exact cells or marks a slot dirty, never a wrong cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(StateDefinition, Grid)>", into = "Vec<(StateDefinition, Grid)>")]
pub struct Cells {
    grids: BTreeMap<StateDefinition, Arc<Grid>>,
}

impl CellStore for Cells {
    fn outline(&self, definition: &StateDefinition) -> Option<Arc<Grid>> {
        self.grids.get(definition).cloned()
    }

    fn grid(&self, definition: &StateDefinition, _ranges: &[(i32, i32)]) -> Option<Arc<Grid>> {
        self.outline(definition)
    }
}

impl From<Cells> for Vec<(StateDefinition, Grid)> {
    fn from(cells: Cells) -> Self {
        let own = |(definition, grid)| (definition, Arc::unwrap_or_clone(grid));
        cells.grids.into_iter().map(own).collect()
    }
}

impl From<Vec<(StateDefinition, Grid)>> for Cells {
    fn from(grids: Vec<(StateDefinition, Grid)>) -> Self {
        // A grid of another shape than its definition says is none of its.
        let fits = |(definition, grid): &(StateDefinition, Grid)| {
            (definition.kind, definition.grain) == (grid.kind(), grid.grain())
        };
        let shared = |(definition, grid)| (definition, Arc::new(grid));
        Self { grids: grids.into_iter().filter(fits).map(shared).collect() }
    }
}

impl Cells {
    /// No cells.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cells of a definition, if it has been folded.
    pub fn grid(&self, definition: &StateDefinition) -> Option<&Grid> {
        self.grids.get(definition).map(Arc::as_ref)
    }

    /// The cells of a definition, made if there are none.
    pub fn grid_mut(&mut self, definition: &StateDefinition) -> &mut Grid {
        let new = || Arc::new(Grid::new(definition.kind, definition.grain));
        Arc::make_mut(self.grids.entry(definition.clone()).or_insert_with(new))
    }

    /// Every definition with its cells, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&StateDefinition, &Grid)> {
        self.grids.iter().map(|(definition, grid)| (definition, grid.as_ref()))
    }

    /// How many cells there are, without the blocks above them.
    pub fn len(&self) -> usize {
        self.grids.values().map(|grid| grid.len()).fold(0, usize::saturating_add)
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the cells of rows that were folded apart.
    pub fn merge(&mut self, other: &Self) {
        for (definition, grid) in &other.grids {
            self.grid_mut(definition).merge(grid);
        }
    }

    /// Takes the cells of rows out again, as they were before those changed or went. Slots that
    /// cannot tell become [`dirty`](Self::dirty).
    pub fn take_out(&mut self, other: &Self) {
        for (definition, grid) in &other.grids {
            self.grid_mut(definition).take_out(grid);
        }
    }

    /// The slots that must be rebuilt from their rows before they are read.
    pub fn dirty(&self) -> Vec<(&StateDefinition, i32)> {
        let slots = self.grids.iter().flat_map(|(definition, grid)| {
            grid.dirty().iter().map(move |slot| (definition, *slot))
        });
        slots.collect()
    }

    /// Puts every dirty slot's cells from those of `fresh`, which were folded from all the rows of
    /// these slots, or of more.
    pub fn rebuild(&mut self, fresh: &Self) {
        for (definition, grid) in &mut self.grids {
            let grid = Arc::make_mut(grid);
            let own = Grid::new(grid.kind(), grid.grain());
            let fresh = fresh.grid(definition).unwrap_or(&own);
            for slot in grid.dirty().clone() {
                grid.rebuild(slot, fresh);
            }
        }
    }
}
