//! The cells of many definitions, in memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::definition::StateDefinition;
use super::grid::Grid;

/// Cells by definition: for tests and programs, and as deltas on their way to a database.
///
/// Parts that were folded apart are merged in any order with the same outcome. What is taken out
/// again leaves exact cells or marks a slot dirty, never a wrong cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(StateDefinition, Grid)>", into = "Vec<(StateDefinition, Grid)>")]
pub struct Cells {
    grids: BTreeMap<StateDefinition, Grid>,
}

impl From<Cells> for Vec<(StateDefinition, Grid)> {
    fn from(cells: Cells) -> Self {
        cells.grids.into_iter().collect()
    }
}

impl From<Vec<(StateDefinition, Grid)>> for Cells {
    fn from(grids: Vec<(StateDefinition, Grid)>) -> Self {
        // A grid of another shape than its definition says is none of its.
        let fits = |(definition, grid): &(StateDefinition, Grid)| {
            (definition.kind, definition.grain) == (grid.kind(), grid.grain())
        };
        Self { grids: grids.into_iter().filter(fits).collect() }
    }
}

impl Cells {
    /// No cells.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cells of a definition, if it has been folded.
    pub fn grid(&self, definition: &StateDefinition) -> Option<&Grid> {
        self.grids.get(definition)
    }

    /// The cells of a definition, made if there are none.
    pub fn grid_mut(&mut self, definition: &StateDefinition) -> &mut Grid {
        let new = || Grid::new(definition.kind, definition.grain);
        self.grids.entry(definition.clone()).or_insert_with(new)
    }

    /// Every definition with its cells, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&StateDefinition, &Grid)> {
        self.grids.iter()
    }

    /// How many cells there are, without the blocks above them.
    pub fn len(&self) -> usize {
        self.grids.values().map(Grid::len).fold(0, usize::saturating_add)
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
            let own = Grid::new(grid.kind(), grid.grain());
            let fresh = fresh.grid(definition).unwrap_or(&own);
            for slot in grid.dirty().clone() {
                grid.rebuild(slot, fresh);
            }
        }
    }
}
