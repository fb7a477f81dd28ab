//! Labels and display types of the parts of a formula.

use crate::check::{Kind, TypedNode};
use crate::engine::{Engine, Request, Run};
use crate::evaluate::Owner;
use crate::format::FormatRules;
use crate::source::one_line;
use crate::types::Type;

/// The description of a part for display.
pub(super) struct Description {
    /// The metric's key, or the text of the part on one line.
    pub(super) label: String,
    /// The metric, by its index in the engine.
    pub(super) metric: Option<usize>,
    /// The metric's formula on one line.
    pub(super) formula: Option<String>,
    pub(super) rules: FormatRules,
    /// The type for displaying its values.
    pub(super) ty: Type,
}

/// Describes a node of a formula in evaluation.
pub(super) fn described(
    engine: &Engine,
    run: &Run<'_, '_>,
    request: &Request,
    (owner, node): (Owner, Option<&TypedNode>),
) -> Description {
    let metric = match node.map(|node| &node.kind) {
        Some(Kind::Metric(id)) => engine.metrics().get(id.0).map(|metric| (id.0, metric)),
        Some(_) | None => None,
    };
    let ty = node.map_or(Type::Null, |node| node.ty.clone());
    let declared = metric.and_then(|(_, metric)| metric.data_type);
    let ty = engine.in_request(ty, declared, request);
    if let Some((index, metric)) = metric {
        return Description {
            label: metric.key.clone(),
            metric: Some(index),
            formula: Some(one_line(&metric.formula)),
            rules: metric.format.clone(),
            ty,
        };
    }
    let text = run.evaluator.context.typed(owner).map_or("", |typed| &typed.text);
    let label = one_line(node.map_or("", |node| node.span.slice(text)));
    Description { label, metric: None, formula: None, rules: FormatRules::default(), ty }
}
