//! Inference of bases, the components of an amount, and the lint W301 on unlike bases.

use super::Environment;
use super::describe::listed;
use super::typed::{Arithmetic, Kind, Level, NodeId, Typed, TypedNode, children};
use crate::diagnostics::{Code, Diagnostic};
use crate::types::{Bases, Basis};

/// Returns the bases of the formula's answer; adds W301 for sides whose bases overlap but differ.
pub(super) fn bases(typed: &Typed, env: &Environment<'_>, findings: &mut Vec<Diagnostic>) -> Bases {
    // Only columns declare bases.
    let said = |node: &TypedNode| matches!(node.kind, Kind::Column(_) | Kind::Metric(_));
    if !typed.nodes.iter().any(said) {
        return Bases::NONE;
    }
    let mut known: Vec<Bases> = Vec::with_capacity(typed.nodes.len());
    for node in &typed.nodes {
        let of = |id: &NodeId| known.get(id.0).copied().unwrap_or(Bases::NONE);
        let money = node.ty.unit().is_some_and(crate::types::Unit::is_money);
        let contents = match &node.kind {
            _ if !money => Bases::NONE,
            Kind::Column(path) => match node.level {
                Level::Row(source) => {
                    env.schema.field_at(source, path).map_or(Bases::NONE, |(_, field)| field.bases)
                }
                Level::Constant | Level::Aggregate => Bases::NONE,
            },
            Kind::Metric(id) => {
                env.metrics.checked(*id).map_or(Bases::NONE, |checked| checked.bases)
            }
            Kind::Atom(atom) => atom.value.as_ref().map_or(Bases::NONE, of),
            Kind::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), left, right) => {
                let (first, second) = (of(left), of(right));
                let add = *op == Arithmetic::Add;
                if differ(first, second, add) {
                    findings.push(warning(typed, (*left, first), (*right, second), add));
                }
                combined(first, second, add)
            }
            kind => children(kind).iter().map(of).fold(Bases::NONE, Bases::union),
        };
        known.push(contents);
    }
    known.get(typed.root.0).copied().unwrap_or(Bases::NONE)
}

/// Returns whether to warn about two sides. Sides with nothing in common form a total or subtract a
/// cost on purpose. Sides that overlap must be equal, except that a pure part such as tax may be
/// subtracted from a total.
fn differ(left: Bases, right: Bases, add: bool) -> bool {
    if left.is_empty() || right.is_empty() || left == right || left.intersection(right).is_empty() {
        return false;
    }
    let takes_a_part_off = !add && right.without(left).is_empty() && !right.contains(Basis::Goods);
    !takes_a_part_off
}

fn combined(left: Bases, right: Bases, add: bool) -> Bases {
    if left.is_empty() || right.is_empty() {
        return Bases::NONE;
    }
    if add {
        left.union(right)
    } else if left == right || left.intersection(right).is_empty() {
        left
    } else {
        left.without(right)
    }
}

fn warning(
    typed: &Typed,
    (left, first): (NodeId, Bases),
    (right, second): (NodeId, Bases),
    add: bool,
) -> Diagnostic {
    let span = |id: NodeId| typed.nodes.get(id.0).map_or_else(Default::default, |node| node.span);
    let names = |bases: Bases| listed(&bases.iter().map(Basis::name).collect::<Vec<_>>());
    let verb = if add { "added" } else { "subtracted" };
    let (more, lack) = (second.without(first), first.without(second));
    let what = match (more.is_empty(), lack.is_empty()) {
        (false, true) => format!("the right one includes {}", names(more)),
        (true, _) => format!("the right one leaves out {}", names(lack)),
        (false, false) => {
            format!("the right one includes {} and leaves out {}", names(more), names(lack))
        }
    };
    let message = format!("amounts of unlike contents are {verb}: {what}");
    Diagnostic::new(Code::W301, span(right), message)
        .label(span(left), names(first))
        .label(span(right), names(second))
        .help("take amounts of one basis on both sides")
}
