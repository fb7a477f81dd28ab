//! Outer values: the parts of a row's expression that are not computed from the row. They are aggregates over
//! other rows, values of the period, and the present.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Kind, NodeId, children, is_operation};
use crate::evaluate::amount_currency::{AmountCurrency, Currencies};
use crate::evaluate::context::Context;
use crate::evaluate::frames::Series;
use crate::plan::NodeRef;
use crate::types::Value;

/// A part of a row's expression that must be computed before the row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OuterNode {
    /// The aggregate at this node, over the rows linked to each row.
    PerRow(NodeId),
    /// The value at this node in the whole bucket, regardless of groups.
    WholeBucket(NodeId),
    /// The value of the part itself in the bucket, equal for all groups.
    Bucket,
}

#[derive(Debug, Clone)]
pub(crate) enum OuterValue {
    /// One value for each row of the source, by row number, with their currencies if they have any.
    PerRow(Series, Option<Currencies>),
    Same(Value, AmountCurrency),
}

/// All outer values of an expression.
pub(crate) type OuterValues = BTreeMap<NodeRef, OuterValue>;

/// The parts of a row's expression that must be computed before the row.
pub(crate) fn outer_nodes(context: &Context<'_>, root: NodeRef) -> Vec<(NodeRef, OuterNode)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if !seen.insert(node) {
            continue;
        }
        let Some(kind) = context.kind(node) else { continue };
        match kind {
            Kind::PerRow(inner) => found.push((node, OuterNode::PerRow(*inner))),
            Kind::Outer(inner) => found.push((node, OuterNode::WholeBucket(*inner))),
            Kind::Constant(_) | Kind::Column(_) => {}
            Kind::Shared(inner) => stack.push(NodeRef { id: *inner, ..node }),
            kind if is_operation(kind) => {
                stack.extend(children(kind).into_iter().map(|id| NodeRef { id, ..node }));
            }
            _ => found.push((node, OuterNode::Bucket)),
        }
    }
    found
}
