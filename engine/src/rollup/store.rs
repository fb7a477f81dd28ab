//! Where rollups are read from: memory, or a store of the program's own.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::definition::RollupDefinition;
use super::table::Rollup;

/// A store of rollups: memory, or a database that reads the buckets of a range on demand.
///
/// Invariant: all rollups that it gives between two changes show one version of the rows.
pub trait RollupStore: fmt::Debug {
    /// Returns the metadata of a rollup: extent, scale, dirty buckets; `None` if it is not stored. It
    /// may include partial aggregates.
    fn outline(&self, definition: &RollupDefinition) -> Option<Arc<Rollup>>;

    /// Returns the partial aggregates of a rollup in each of these half-open ranges of buckets, or
    /// more of them.
    fn rollup(&self, definition: &RollupDefinition, ranges: &[(i32, i32)]) -> Option<Arc<Rollup>>;

    /// Returns the partial aggregates of the rows from one instant to before another, both within one
    /// bucket: the part of a day or an hour at the boundary of a period. `None` if only whole buckets
    /// are stored; then the rows answer.
    fn boundary(
        &self,
        definition: &RollupDefinition,
        from: Timestamp,
        to: Timestamp,
    ) -> Option<Arc<Rollup>> {
        let _ = (definition, from, to);
        None
    }
}

/// Rollups by definition, in memory: for tests and programs, and as deltas on their way to a database.
///
/// Rollups of disjoint rows merge in any order with the same outcome. Subtraction is exact or marks a
/// bucket dirty; it never leaves a wrong value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(RollupDefinition, Rollup)>", into = "Vec<(RollupDefinition, Rollup)>")]
pub struct Rollups {
    by_definition: BTreeMap<RollupDefinition, Arc<Rollup>>,
}

impl RollupStore for Rollups {
    fn outline(&self, definition: &RollupDefinition) -> Option<Arc<Rollup>> {
        self.by_definition.get(definition).cloned()
    }

    fn rollup(&self, definition: &RollupDefinition, _ranges: &[(i32, i32)]) -> Option<Arc<Rollup>> {
        self.outline(definition)
    }
}

impl From<Rollups> for Vec<(RollupDefinition, Rollup)> {
    fn from(rollups: Rollups) -> Self {
        let owned = |(definition, rollup)| (definition, Arc::unwrap_or_clone(rollup));
        rollups.by_definition.into_iter().map(owned).collect()
    }
}

impl From<Vec<(RollupDefinition, Rollup)>> for Rollups {
    fn from(rollups: Vec<(RollupDefinition, Rollup)>) -> Self {
        // A rollup whose kind or grain contradicts its definition is corrupt and left out.
        let fits = |(definition, rollup): &(RollupDefinition, Rollup)| {
            (definition.kind, definition.grain) == (rollup.kind(), rollup.grain())
        };
        let shared = |(definition, rollup)| (definition, Arc::new(rollup));
        Self { by_definition: rollups.into_iter().filter(fits).map(shared).collect() }
    }
}

impl Rollups {
    /// Creates an empty set of rollups.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the rollup of a definition, if rows were folded into it.
    pub fn rollup(&self, definition: &RollupDefinition) -> Option<&Rollup> {
        self.by_definition.get(definition).map(Arc::as_ref)
    }

    /// Returns the rollup of a definition, created empty if there is none.
    pub fn rollup_mut(&mut self, definition: &RollupDefinition) -> &mut Rollup {
        let new = || Arc::new(Rollup::new(definition.kind, definition.grain));
        Arc::make_mut(self.by_definition.entry(definition.clone()).or_insert_with(new))
    }

    /// Returns every definition with its rollup, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&RollupDefinition, &Rollup)> {
        self.by_definition.iter().map(|(definition, rollup)| (definition, rollup.as_ref()))
    }

    /// Returns the number of partial aggregates in all rollups, without the blocks above them.
    pub fn len(&self) -> usize {
        self.by_definition.values().map(|rollup| rollup.len()).fold(0, usize::saturating_add)
    }

    /// Returns whether there is no partial aggregate.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds rollups of other rows.
    pub fn merge(&mut self, other: &Self) {
        for (definition, rollup) in &other.by_definition {
            self.rollup_mut(definition).merge(rollup);
        }
    }

    /// Subtracts rollups of rows as they were before they were changed or deleted. Buckets for which
    /// this is not exact become [`dirty`](Self::dirty).
    pub fn subtract(&mut self, other: &Self) {
        for (definition, rollup) in &other.by_definition {
            self.rollup_mut(definition).subtract(rollup);
        }
    }

    /// Returns the buckets that must be rebuilt from their rows before they are read.
    pub fn dirty(&self) -> Vec<(&RollupDefinition, i32)> {
        let buckets = self.by_definition.iter().flat_map(|(definition, rollup)| {
            rollup.dirty().iter().map(move |bucket| (definition, *bucket))
        });
        buckets.collect()
    }

    /// Replaces every dirty bucket with that of `fresh`, which was folded from all rows of at least
    /// these buckets.
    pub fn rebuild(&mut self, fresh: &Self) {
        for (definition, rollup) in &mut self.by_definition {
            let rollup = Arc::make_mut(rollup);
            let empty = Rollup::new(rollup.kind(), rollup.grain());
            let fresh = fresh.rollup(definition).unwrap_or(&empty);
            for bucket in rollup.dirty().clone() {
                rollup.rebuild(bucket, fresh);
            }
        }
    }
}
