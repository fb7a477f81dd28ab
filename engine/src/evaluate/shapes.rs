//! Numbers for nodes: those of one number mean the same, in whichever formula they stand.

use std::collections::BTreeMap;

use super::evaluator::Evaluator;
use super::frame::Owner;
use crate::check::{Kind, NodeId, Typed, TypedNode, children, label};

/// What an expression means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Equal for equal meaning, over rows of one source.
    pub(super) number: u32,
    /// Whether the value of a row is the same in every frame.
    pub(super) is_steady: bool,
    /// Whether it depends on the bucket.
    pub(super) varies: bool,
}

/// The numbers given so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// A node's label with the numbers of what is below it.
    known: BTreeMap<String, u32>,
    /// By formula and node.
    nodes: BTreeMap<Owner, Vec<Option<Shape>>>,
}

impl Evaluator<'_> {
    /// The shape of a node, found once for each node of an evaluation.
    pub(super) fn shape(&mut self, owner: Owner, id: NodeId) -> Option<Shape> {
        let typed = self.typed(owner)?;
        self.shapes.of(owner, typed, id)
    }
}

impl Shapes {
    fn of(&mut self, owner: Owner, typed: &Typed, id: NodeId) -> Option<Shape> {
        let Self { known, nodes } = self;
        let shapes = nodes.entry(owner).or_insert_with(|| vec![None; typed.nodes.len()]);
        let mut stack = vec![id];
        while let Some(top) = stack.last().copied() {
            let node = typed.nodes.get(top.0)?;
            if shapes.get(top.0)?.is_some() {
                stack.pop();
                continue;
            }
            let below = children(&node.kind);
            let pending = stack.len();
            stack.extend(below.iter().filter(|id| shapes.get(id.0).is_some_and(Option::is_none)));
            if stack.len() > pending {
                continue;
            }
            let below: Vec<Shape> =
                below.iter().filter_map(|id| shapes.get(id.0).copied().flatten()).collect();
            let shape = shape(known, node, &below);
            if let Some(slot) = shapes.get_mut(top.0) {
                *slot = Some(shape);
            }
            stack.pop();
        }
        shapes.get(id.0).copied().flatten()
    }
}

fn shape(known: &mut BTreeMap<String, u32>, node: &TypedNode, below: &[Shape]) -> Shape {
    // A name for a value is the value.
    if let (Kind::Shared(_), [inner]) = (&node.kind, below) {
        return *inner;
    }
    let mut text = label(&node.kind, 0);
    if matches!(node.kind, Kind::Constant(_)) {
        // 5 and 5 EUR are one number and convert differently.
        text = format!("{text} {:?}", node.ty);
    }
    for shape in below {
        text.push('|');
        text.push_str(&shape.number.to_string());
    }
    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
    let number = *known.entry(text).or_insert(next);
    let own = matches!(node.kind, Kind::CurrentPeriod(_) | Kind::PerRow(_) | Kind::Outer(_));
    Shape {
        number,
        is_steady: is_plain(&node.kind) && below.iter().all(|shape| shape.is_steady),
        varies: own || below.iter().any(|shape| shape.varies),
    }
}

/// Whether nothing but the row and what is below decides the value.
const fn is_plain(kind: &Kind) -> bool {
    match kind {
        Kind::Constant(_)
        | Kind::Literal(_)
        | Kind::Shared(_)
        | Kind::Column(_)
        | Kind::Now
        | Kind::Today
        | Kind::Negate(_)
        | Kind::Not(_)
        | Kind::And(..)
        | Kind::Or(..)
        | Kind::Arithmetic(..)
        | Kind::Compare(..)
        | Kind::Concat(..)
        | Kind::Default(..)
        | Kind::IsNull(_)
        | Kind::IsError(_)
        | Kind::InList(..)
        | Kind::InPeriod(..)
        | Kind::Like(..)
        | Kind::Case(..)
        | Kind::Call(..) => true,
        Kind::Input(_)
        | Kind::Metric(_)
        | Kind::Placeholder(..)
        | Kind::PerRow(_)
        | Kind::Outer(_)
        | Kind::Atom(_)
        | Kind::Per(_)
        | Kind::Window(..)
        | Kind::Growth(..)
        | Kind::Change(..)
        | Kind::Total { .. }
        | Kind::Share(_)
        | Kind::Rank { .. }
        | Kind::Scoped { .. }
        | Kind::Convert { .. }
        | Kind::CurrentPeriod(_)
        | Kind::ListAggregate(..) => false,
    }
}
