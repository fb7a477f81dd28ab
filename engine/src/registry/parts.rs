//! Hashes and names of formulas, and the parts in which two formulas differ.

use super::DifferingPart;
use crate::plan::Hash;
use crate::source::Span;
use crate::syntax::{Expr, ExprId, ExprKind, Limits, Node, canonical, canonical_of, parse};

/// Returns the hash of a formula's syntax tree.
pub(super) fn hash_of(formula: &str, limits: &Limits) -> Hash {
    Hash::of_formula(&canonical(&parse(formula, limits).expr.unwrap_or_default()))
}

/// Returns whether a text is a name without brackets.
pub(super) fn is_name(text: &str) -> bool {
    let parsed = parse(text, &Limits::DEFAULT);
    let is_one = parsed.expr.is_some_and(|expr| expr.len() == 1) && parsed.diagnostics.is_empty();
    is_one && matches!(single_names(text, &Limits::DEFAULT).as_slice(), [(name, _)] if name == text)
}

/// Returns the unqualified names in a formula, with their places.
pub(super) fn single_names(formula: &str, limits: &Limits) -> Vec<(String, Span)> {
    let expr = parse(formula, limits).expr.unwrap_or_default();
    let name = |node: &Node| {
        let ExprKind::Path(path) = &node.kind else { return None };
        let [name] = path.as_slice() else { return None };
        Some((name.name.to_string(), node.span))
    };
    expr.nodes.iter().filter_map(name).collect()
}

/// Returns the smallest differing parts of two formulas, in order of place.
pub(super) fn differing(before: &str, after: &str) -> Vec<DifferingPart> {
    // The texts were within the limits of their engine.
    let limits = Limits {
        max_bytes: usize::MAX,
        max_tokens: usize::MAX,
        max_arguments: usize::MAX,
        ..Limits::DEFAULT
    };
    let tree = |text: &str| parse(text, &limits).expr.unwrap_or_default();
    let (old, new) = (tree(before), tree(after));
    let mut parts = Vec::new();
    let mut pairs = Vec::new();
    for line in &old.lets {
        match new.lets.iter().find(|twin| twin.name == line.name) {
            Some(twin) => pairs.push((line.value, twin.value)),
            None => parts.push(DifferingPart { before: Some(side(&old, line.value)), after: None }),
        }
    }
    for line in &new.lets {
        if !old.lets.iter().any(|twin| twin.name == line.name) {
            parts.push(DifferingPart { before: None, after: Some(side(&new, line.value)) });
        }
    }
    pairs.extend(old.root.zip(new.root));
    while let Some((left, right)) = pairs.pop() {
        let (Some(node), Some(twin)) = (old.node(left), new.node(right)) else { continue };
        match children_of_twins(&node.kind, &twin.kind) {
            Some(below) => pairs.extend(below),
            None => {
                parts.push(DifferingPart {
                    before: Some(side(&old, left)),
                    after: Some(side(&new, right)),
                });
            }
        }
    }
    parts.sort_by_key(|part| {
        let place = |side: &Option<(String, Span)>| side.as_ref().map(|(_, span)| *span);
        (place(&part.after).or_else(|| place(&part.before)), place(&part.before))
    });
    parts
}

fn side(expr: &Expr, id: ExprId) -> (String, Span) {
    (canonical_of(expr, id), expr.span(id))
}

/// Pairs the children of two nodes, if the nodes themselves are equal.
fn children_of_twins(left: &ExprKind, right: &ExprKind) -> Option<Vec<(ExprId, ExprId)>> {
    let (own, twins) = (left.children(), right.children());
    left.has_shape_of(right).then(|| own.into_iter().zip(twins).collect())
}
