//! The metrics that a formula uses, and the kinds of use.

use std::collections::{BTreeMap, BTreeSet};

use super::typed::{Kind, MetricId, NodeId, Typed, children};

/// The ways in which one metric's formula uses another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UseKinds {
    /// The answer contains its value in the current period.
    pub value: bool,
    /// The answer contains its value in another period.
    pub window: bool,
    /// It decides which rows count, or which branch is taken.
    pub condition: bool,
}

impl UseKinds {
    /// Use as a value.
    pub const VALUE: Self = Self { value: true, window: false, condition: false };
    /// Use in another period.
    pub const WINDOW: Self = Self { value: false, window: true, condition: false };
    /// Use in a condition.
    pub const CONDITION: Self = Self { value: false, window: false, condition: true };

    /// Returns the union of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            value: self.value || other.value,
            window: self.window || other.window,
            condition: self.condition || other.condition,
        }
    }
}

/// Returns the metrics that a formula names, with the kinds of use.
pub(crate) fn uses_by_kind(typed: &Typed) -> BTreeMap<MetricId, UseKinds> {
    let mut found: BTreeMap<MetricId, UseKinds> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![(typed.root, UseKinds::default())];
    while let Some((id, within)) = stack.pop() {
        let Some(node) = typed.nodes.get(id.0).filter(|_| seen.insert((id, within))) else {
            continue;
        };
        if let Kind::Metric(metric) = &node.kind {
            let kinds = if within == UseKinds::default() { UseKinds::VALUE } else { within };
            let known = found.entry(*metric).or_default();
            *known = known.and(kinds);
        }
        stack.extend(below(&node.kind, within));
    }
    found
}

/// Returns the children of a node, each with its kind of use.
fn below(kind: &Kind, within: UseKinds) -> Vec<(NodeId, UseKinds)> {
    let condition = within.and(UseKinds::CONDITION);
    let window = within.and(UseKinds::WINDOW);
    match kind {
        Kind::Window(_, inner) => vec![(*inner, window)],
        // Compares the period with others.
        Kind::Growth(_, inner) | Kind::Change(_, inner) | Kind::OverBuckets(_, inner) => {
            vec![(*inner, within), (*inner, window)]
        }
        Kind::Atom(atom) => {
            let values = [atom.value, atom.fraction].into_iter().flatten();
            let narrows = [atom.condition, atom.population].into_iter().flatten();
            values.map(|node| (node, within)).chain(narrows.map(|node| (node, condition))).collect()
        }
        Kind::Scoped { value, conditions } => std::iter::once((*value, within))
            .chain(conditions.iter().map(|(_, node)| (*node, condition)))
            .collect(),
        Kind::Case(branches, otherwise) => branches
            .iter()
            .flat_map(|(when, then)| [(*when, condition), (*then, within)])
            .chain(otherwise.map(|node| (node, within)))
            .collect(),
        kind => children(kind).into_iter().map(|node| (node, within)).collect(),
    }
}
