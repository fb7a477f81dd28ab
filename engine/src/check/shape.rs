//! Shapes: value numbers of nodes. Nodes with equal shapes have the same meaning, in whichever
//! formula.

use super::facts::Shape;
use super::fingerprint::label;
use super::meaning::digest_above;
use super::typed::{Kind, NodeId, Typed, TypedNode, children, is_operation};

impl Typed {
    /// Returns the shape of a node. The shapes of a formula are computed on first use.
    pub(crate) fn shape(&self, id: NodeId) -> Option<Shape> {
        let shapes = self.facts.shapes.get_or_init(|| shapes_of(&self.nodes));
        shapes.get(id.0).copied().flatten()
    }
}

/// By node, children first.
fn shapes_of(nodes: &[TypedNode]) -> Vec<Option<Shape>> {
    let mut shapes: Vec<Option<Shape>> = vec![None; nodes.len()];
    let mut stack = Vec::new();
    for place in 0..nodes.len() {
        stack.push(NodeId(place));
        while let Some(top) = stack.last().copied() {
            let node = nodes.get(top.0).filter(|_| shapes.get(top.0).is_some_and(Option::is_none));
            let Some(node) = node else {
                stack.pop();
                continue;
            };
            let below = children(&node.kind);
            let pending = stack.len();
            stack.extend(below.iter().filter(|id| shapes.get(id.0).is_some_and(Option::is_none)));
            if stack.len() > pending {
                continue;
            }
            let below: Vec<Shape> =
                below.iter().filter_map(|id| shapes.get(id.0).copied().flatten()).collect();
            if let Some(slot) = shapes.get_mut(top.0) {
                *slot = Some(shape(node, &below));
            }
            stack.pop();
        }
    }
    shapes
}

fn shape(node: &TypedNode, below: &[Shape]) -> Shape {
    // A named value has the shape of the value.
    if let (Kind::Shared(_), [inner]) = (&node.kind, below) {
        return *inner;
    }
    let numbers: Vec<u128> = below.iter().map(|shape| shape.number).collect();
    let own = matches!(node.kind, Kind::CurrentPeriod(_) | Kind::PerRow(_) | Kind::Outer(_));
    Shape {
        number: digest_above(&label(node, 0), &numbers),
        is_steady: is_plain(&node.kind) && below.iter().all(|shape| shape.is_steady),
        varies: own || below.iter().any(|shape| shape.varies),
        by_row: match node.kind {
            Kind::Column(_) | Kind::PerRow(_) => true,
            // Computed separately, over rows of its own.
            Kind::Outer(_) => false,
            _ => below.iter().any(|shape| shape.by_row),
        },
    }
}

/// Returns whether the value depends only on the row and the children.
const fn is_plain(kind: &Kind) -> bool {
    is_operation(kind)
        || matches!(
            kind,
            Kind::Constant(_)
                | Kind::Literal(_)
                | Kind::Shared(_)
                | Kind::Column(_)
                | Kind::Now
                | Kind::Today
        )
}
