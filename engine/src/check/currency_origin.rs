//! Where the values of rows have their currencies from.

use std::collections::BTreeMap;

use super::typed::{Kind, Level, NodeId, Typed, TypedNode, children, is_operation};
use crate::schema::{DataType, Schema};

/// Where a value of a row has its currency from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CurrencyOrigin {
    /// No amount of a row is in it.
    Nowhere,
    /// From this column, or from this value from outside the row.
    Node(NodeId),
    /// From several of them, which may have different currencies.
    Several,
}

impl CurrencyOrigin {
    /// The origin of a value computed from both.
    pub(crate) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nowhere, one) | (one, Self::Nowhere) => one,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }
}

impl Typed {
    /// Returns the origin of a node's currency. Those of a formula are found on first use.
    pub(crate) fn currency_origin(&self, id: NodeId, schema: &Schema) -> CurrencyOrigin {
        let origins = self.facts.currency_origins.get_or_init(|| origins_of(&self.nodes, schema));
        origins.get(id.0).copied().unwrap_or(CurrencyOrigin::Nowhere)
    }
}

/// In one pass, children before parents.
fn origins_of(nodes: &[TypedNode], schema: &Schema) -> Vec<CurrencyOrigin> {
    let mut origins: Vec<CurrencyOrigin> = Vec::with_capacity(nodes.len());
    // The first amount with each column of currencies stands for all.
    let mut firsts = BTreeMap::new();
    for (index, node) in nodes.iter().enumerate() {
        let of = |id: NodeId| origins.get(id.0).copied().unwrap_or(CurrencyOrigin::Nowhere);
        let origin = match (&node.kind, node.level) {
            _ if !node.ty.is_in_currencies_of_rows() => CurrencyOrigin::Nowhere,
            (Kind::Column(path), Level::Row(source)) => match schema.field_at(source, path) {
                Some((_, field)) if let DataType::MoneyBy { currency, .. } = field.data_type => {
                    let code = (source, &path.links, currency);
                    CurrencyOrigin::Node(*firsts.entry(code).or_insert(NodeId(index)))
                }
                Some(_) | None => CurrencyOrigin::Nowhere,
            },
            (kind, _) if is_operation(kind) || matches!(kind, Kind::Shared(_)) => children(kind)
                .into_iter()
                .map(of)
                .fold(CurrencyOrigin::Nowhere, CurrencyOrigin::with),
            _ => CurrencyOrigin::Node(NodeId(index)),
        };
        origins.push(origin);
    }
    origins
}
