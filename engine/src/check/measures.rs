//! Measures of a checked formula: what it uses, how deep and how large it is, and whether it is exact.

use std::collections::BTreeSet;

use super::metrics::Metrics;
use super::typed::{Arithmetic, Kind, MetricId, NodeId, Typed, children, each_child};

/// Returns the metrics that a formula names, and every input below it.
pub(super) fn uses(typed: &Typed, metrics: &Metrics) -> (Vec<MetricId>, Vec<String>) {
    let mut used = Vec::new();
    let mut inputs: Vec<&str> = Vec::new();
    for node in &typed.nodes {
        match &node.kind {
            Kind::Metric(id) => {
                used.push(*id);
                let below = metrics.checked(*id).map(|checked| &checked.inputs);
                inputs.extend(below.into_iter().flatten().map(String::as_str));
            }
            Kind::Input(name) | Kind::Placeholder(name, _) => inputs.push(name),
            _ => {}
        }
    }
    used.sort_unstable();
    used.dedup();
    inputs.sort_unstable();
    inputs.dedup();
    (used, inputs.into_iter().map(str::to_owned).collect())
}

/// Counts levels of nesting through metrics; a run of one operator is one level.
pub(super) fn nesting(typed: &Typed, metrics: &Metrics) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(typed.nodes.len());
    for node in &typed.nodes {
        let of = |id: &NodeId| depths.get(id.0).copied().unwrap_or(0);
        let depth = match &node.kind {
            Kind::Metric(id) => {
                metrics.checked(*id).map_or(0, |checked| checked.nesting).saturating_add(1)
            }
            // A loop walks the left side.
            Kind::Arithmetic(_, left, right)
            | Kind::And(left, right)
            | Kind::Or(left, right)
            | Kind::Concat(left, right)
            | Kind::Default(left, right) => of(left).max(of(right).saturating_add(1)),
            kind => {
                let mut deepest = 0;
                each_child(kind, |child| deepest = deepest.max(of(&child)));
                deepest.saturating_add(1)
            }
        };
        depths.push(depth);
    }
    depths.get(typed.root.0).copied().unwrap_or(0)
}

/// Counts the nodes of a formula and of every metric below it, each metric once.
pub(super) fn count_nodes(typed: &Typed, uses: &[MetricId], metrics: &Metrics) -> usize {
    let mut seen = BTreeSet::new();
    let mut stack = uses.to_vec();
    let mut count = typed.nodes.len();
    while let Some(id) = stack.pop() {
        if let Some(checked) = metrics.checked(id).filter(|_| seen.insert(id)) {
            count = count.saturating_add(checked.typed.nodes.len());
            stack.extend(&checked.uses);
        }
    }
    count
}

/// Counts the nodes with every `let` expanded at each use, as rows compute them.
pub(super) fn written_out(typed: &Typed) -> usize {
    let mut sizes: Vec<usize> = Vec::with_capacity(typed.nodes.len());
    for node in &typed.nodes {
        let below = children(&node.kind);
        let below = below.iter().map(|id| sizes.get(id.0).copied().unwrap_or(0));
        sizes.push(below.fold(1, usize::saturating_add));
    }
    sizes.get(typed.root.0).copied().unwrap_or(0)
}

/// Returns true if no part is a root, a logarithm or a power with a fractional exponent.
pub(super) fn is_exact(typed: &Typed, metrics: &Metrics) -> bool {
    typed.nodes.iter().all(|node| match &node.kind {
        Kind::Call(spec, _) => spec.exact,
        Kind::Metric(id) => metrics.checked(*id).is_none_or(|checked| checked.exact),
        Kind::Atom(atom) => atom.function.is_exact(),
        Kind::Per(per) => per.function.is_exact(),
        Kind::ListAggregate(function, _) => function.is_exact(),
        Kind::Arithmetic(Arithmetic::Power, _, exponent) => is_whole(typed, *exponent),
        _ => true,
    })
}

/// Returns whether a constant is an integer and written only with integers.
fn is_whole(typed: &Typed, id: NodeId) -> bool {
    match typed.nodes.get(id.0).map(|node| &node.kind) {
        Some(Kind::Constant(value)) => value.as_number().is_some_and(|number| number.is_integer()),
        Some(Kind::Negate(inner)) => is_whole(typed, *inner),
        Some(Kind::Arithmetic(Arithmetic::Power, base, exponent)) => {
            let exponent = typed.nodes.get(exponent.0).map(|node| &node.kind);
            let is_natural = matches!(
                exponent,
                Some(Kind::Constant(value)) if value.as_number().is_some_and(|number| {
                    number.is_integer() && !number.is_sign_negative()
                })
            );
            is_natural && is_whole(typed, *base)
        }
        _ => false,
    }
}
