//! Texts looked at: hashes, names, and the parts in which two formulas differ.

use super::Part;
use crate::source::Span;
use crate::syntax::{Expr, ExprId, ExprKind, Limits, Node, canonical_of, hash, parse};

/// The hash of a formula's tree.
pub(super) fn hash_of(formula: &str) -> String {
    hash(&parse(formula, &Limits::DEFAULT).expr.unwrap_or_default())
}

/// Whether a text can be written as a name without brackets.
pub(super) fn is_name(text: &str) -> bool {
    let parsed = parse(text, &Limits::DEFAULT);
    let root = parsed.expr.as_ref().and_then(|expr| expr.node(expr.root?));
    let is_path = root.is_some_and(|node| match &node.kind {
        ExprKind::Path(path) => {
            matches!(path.as_slice(), [name] if !name.bracketed && *name.name == *text)
        }
        _ => false,
    });
    is_path && parsed.diagnostics.is_empty()
}

/// The names in a formula that stand alone, with their places.
pub(super) fn single_names(formula: &str) -> Vec<(String, Span)> {
    let expr = parse(formula, &Limits::DEFAULT).expr.unwrap_or_default();
    let name = |node: &Node| match &node.kind {
        ExprKind::Path(path) => match path.as_slice() {
            [name] => Some((name.name.to_string(), node.span)),
            _ => None,
        },
        _ => None,
    };
    expr.nodes.iter().filter_map(name).collect()
}

/// The smallest parts in which two formulas differ, in order of place.
pub(super) fn differing(before: &str, after: &str) -> Vec<Part> {
    let tree = |text: &str| parse(text, &Limits::DEFAULT).expr.unwrap_or_default();
    let (old, new) = (tree(before), tree(after));
    let mut parts = Vec::new();
    let mut pairs = Vec::new();
    for line in &old.lets {
        match new.lets.iter().find(|twin| twin.name == line.name) {
            Some(twin) => pairs.push((line.value, twin.value)),
            None => parts.push(Part { before: side(&old, line.value), after: None }),
        }
    }
    for line in &new.lets {
        if !old.lets.iter().any(|twin| twin.name == line.name) {
            parts.push(Part { before: None, after: side(&new, line.value) });
        }
    }
    pairs.extend(old.root.zip(new.root));
    while let Some((left, right)) = pairs.pop() {
        let (Some(node), Some(twin)) = (old.node(left), new.node(right)) else { continue };
        match children_of_twins(&node.kind, &twin.kind) {
            Some(below) => pairs.extend(below),
            None => parts.push(Part { before: side(&old, left), after: side(&new, right) }),
        }
    }
    parts.sort_by_key(|part| {
        let place = |side: &Option<(String, Span)>| side.as_ref().map(|(_, span)| *span);
        (place(&part.after).or_else(|| place(&part.before)), place(&part.before))
    });
    parts
}

fn side(expr: &Expr, id: ExprId) -> Option<(String, Span)> {
    Some((canonical_of(expr, id), expr.span(id)))
}

/// The children of two nodes side by side, if the nodes themselves say the same.
fn children_of_twins(left: &ExprKind, right: &ExprKind) -> Option<Vec<(ExprId, ExprId)>> {
    let (own, twins) = (left.children(), right.children());
    left.has_shape_of(right).then(|| own.into_iter().zip(twins).collect())
}
