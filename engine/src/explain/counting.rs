//! Count formulas: a formula beside the original that counts the rows of each of its aggregates.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{AggregateFunction, Atom, Checked, Kind, MetricId, NodeId, Typed, TypedNode};
use crate::engine::{Engine, Formula};
use crate::evaluate::{NodeRef, Owner};
use crate::types::{Flavour, Type, Unit};

/// Count formulas, and the aggregates they belong to.
pub(super) struct CountFormulas {
    /// Evaluated after the formula itself.
    pub(super) formulas: Vec<Formula>,
    /// From an aggregate to the count of its rows.
    counts: BTreeMap<NodeRef, NodeRef>,
}

impl CountFormulas {
    /// Builds the counts for a formula and every metric below it.
    pub(super) fn of(engine: &Engine, formula: &Formula) -> Self {
        let mut counting = Self { formulas: Vec::new(), counts: BTreeMap::new() };
        counting.add(Owner::Formula(0), formula, &formula.checked);
        let mut seen = BTreeSet::new();
        let mut pending: Vec<MetricId> = formula.checked.uses.clone();
        while let Some(id) = pending.pop() {
            if let Some(checked) = engine.library.checked(id).filter(|_| seen.insert(id)) {
                counting.add(Owner::Metric(id.0), formula, checked);
                pending.extend(&checked.uses);
            }
        }
        counting
    }

    /// Returns the count for an aggregate.
    pub(super) fn count(&self, aggregate: NodeRef) -> Option<NodeRef> {
        self.counts.get(&aggregate).copied()
    }

    fn add(&mut self, owner: Owner, formula: &Formula, checked: &Checked) {
        let typed = &checked.typed;
        let own = Owner::Formula(self.formulas.len().saturating_add(1));
        let mut nodes = typed.nodes.clone();
        for (index, node) in typed.nodes.iter().enumerate() {
            if let Kind::Atom(atom) = &node.kind {
                let aggregate = NodeRef { owner, id: NodeId(index) };
                let counting = NodeRef { owner: own, id: NodeId(nodes.len()) };
                self.counts.insert(aggregate, counting);
                nodes.push(TypedNode { ty: count(), kind: rows_of(atom), ..node.clone() });
            }
        }
        let typed = Typed { nodes, ..typed.clone() };
        let checked = Checked { typed, ..formula.checked.clone() };
        let mut counting = formula.clone();
        counting.checked = checked;
        self.formulas.push(counting);
    }
}

/// The type of a count of any rows.
fn count() -> Type {
    Type::Quantity(Unit { flavour: Flavour::Count(None), ..Unit::NUMBER })
}

fn rows_of(atom: &Atom) -> Kind {
    Kind::Atom(Box::new(Atom {
        function: AggregateFunction::Count,
        value: None,
        fraction: None,
        condition: atom.row_condition(),
        ..atom.clone()
    }))
}
