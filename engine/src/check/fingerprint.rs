//! Fingerprints: typed nodes as text, independent of spans and of the order of the arena.

use std::fmt::Write;

use super::typed::{Kind, NodeId, Typed, TypedNode, children};

/// Returns the fingerprint of a node. Columns omit the first `skip` links, so that a condition
/// reads the same from every source that leads to it.
///
/// Equal fingerprints have equal meaning; the order of operands is kept.
pub(crate) fn fingerprint(typed: &Typed, id: NodeId, skip: usize) -> String {
    let mut out = String::new();
    // A `let` is written out once; later uses only give its number.
    let mut lets: Vec<NodeId> = Vec::new();
    let mut stack = vec![Piece::Node(id)];
    while let Some(step) = stack.pop() {
        match step {
            Piece::Close => out.push(')'),
            Piece::Node(id) => {
                let Some(node) = typed.nodes.get(id.0) else { continue };
                if let Kind::Shared(inner) = &node.kind {
                    if let Some(number) = lets.iter().position(|known| known == inner) {
                        write!(out, "let {number} ").ok();
                        continue;
                    }
                    lets.push(*inner);
                }
                out.push_str(&label(node, skip));
                let below = children(&node.kind);
                if !below.is_empty() {
                    out.push('(');
                    stack.push(Piece::Close);
                    stack.extend(below.into_iter().rev().map(Piece::Node));
                }
                out.push(' ');
            }
        }
    }
    out
}

enum Piece {
    Node(NodeId),
    Close,
}

/// Returns the text of a node without its children; columns omit the first `skip` links.
pub(super) fn label(node: &TypedNode, skip: usize) -> String {
    match &node.kind {
        // 50, 50 EUR and 50 USD are the same number with different types.
        Kind::Constant(value) => format!("{value:?} {}", node.ty),
        Kind::Literal(literal) => literal.to_string(),
        Kind::Input(name) | Kind::Placeholder(name, _) => format!("input {name}"),
        Kind::Metric(id) => format!("metric {}", id.0),
        Kind::Shared(_) => "let".to_owned(),
        Kind::Column(path) => {
            let links: Vec<_> = path.links.iter().skip(skip).map(|link| link.0).collect();
            format!("column {links:?}.{}", path.field.0)
        }
        Kind::PerRow(_) => "per row".to_owned(),
        Kind::Outer(_) => "outer".to_owned(),
        Kind::Atom(atom) => format!(
            "{:?} of {} dated {:?} narrowed {} {} {}",
            atom.function,
            atom.source.0,
            atom.date,
            atom.value.is_some(),
            atom.condition.is_some(),
            atom.population.is_some()
        ),
        Kind::WeightedAverage(_) => "weighted".to_owned(),
        Kind::OverBuckets(window, _) => format!("of buckets {window:?}"),
        Kind::Per(per) => format!("{:?} per {:?} {:?}", per.function, per.unit, per.keys),
        Kind::Window(window, _) => format!("{window:?}"),
        Kind::Growth(window, _) => format!("growth {window:?}"),
        Kind::Change(window, _) => format!("change {window:?}"),
        Kind::Total { keep, .. } => format!("total {keep:?}"),
        Kind::Share(_) => "share".to_owned(),
        Kind::Rank { by, .. } => format!("rank {by:?}"),
        Kind::Scoped { conditions, .. } => {
            let sources: Vec<_> = conditions.iter().map(|(source, _)| source.0).collect();
            format!("scoped {sources:?}")
        }
        Kind::Convert { to, .. } => format!("convert {}", to.code()),
        Kind::CurrentPeriod(part) => format!("{part:?}"),
        Kind::Now => "now".to_owned(),
        Kind::Today => "today".to_owned(),
        Kind::Negate(_) => "-".to_owned(),
        Kind::Not(_) => "not".to_owned(),
        Kind::And(..) => "and".to_owned(),
        Kind::Or(..) => "or".to_owned(),
        Kind::Arithmetic(op, ..) => format!("{op:?}"),
        Kind::Compare(op, ..) => format!("{op:?}"),
        Kind::Concat(..) => "&".to_owned(),
        Kind::Default(..) => "default".to_owned(),
        Kind::IsNull(_) => "is null".to_owned(),
        Kind::IsError(_) => "is error".to_owned(),
        Kind::InList(..) => "in".to_owned(),
        Kind::InPeriod(..) => "in period".to_owned(),
        Kind::Like(_, pattern) => format!("like {pattern:?}"),
        Kind::Case(branches, otherwise) => {
            format!("case {} {}", branches.len(), otherwise.is_some())
        }
        Kind::Call(spec, _) => spec.name.to_owned(),
        Kind::ListAggregate(function, _) => format!("list {function:?}"),
    }
}
