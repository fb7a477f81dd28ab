//! The context: everything that an evaluation reads and never changes.

use std::collections::BTreeSet;
use std::fmt::Write;

use jiff::Timestamp;

use crate::calendar::Calendar;
use crate::check::{Kind, NodeId, Shape, Typed, TypedNode, digest};
use crate::data::{Data, Rates, Record};
use crate::functions::Environment;
use crate::plan::{NodeRef, Owner};
use crate::schema::{Path, Schema, SourceId};
use crate::source::Span;
use crate::syntax::Limits;

/// The input of an evaluation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) schema: &'a Schema,
    /// The engine's metrics by index; `None` for those that failed the check.
    pub(crate) metrics: &'a [Option<&'a Typed>],
    /// The keys of the metrics, by the same index.
    pub(crate) keys: &'a [&'a str],
    /// The requested formulas.
    pub(crate) formulas: &'a [&'a Typed],
    pub(crate) data: Option<&'a Data>,
    pub(crate) rates: Option<&'a Rates>,
    pub(crate) record: Option<&'a Record>,
    pub(crate) limits: &'a Limits,
    pub(crate) calendar: &'a Calendar,
    pub(crate) now: Timestamp,
    /// Whether a data source is asked for aggregates before rows in memory are scanned.
    pub(crate) has_data_source: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn typed(&self, owner: Owner) -> Option<&'a Typed> {
        match owner {
            Owner::Metric(index) => self.metrics.get(index).copied().flatten(),
            Owner::Formula(index) => self.formulas.get(index).copied(),
        }
    }

    pub(crate) fn root(&self, owner: Owner) -> Option<NodeRef> {
        Some(NodeRef { owner, id: self.typed(owner)?.root })
    }

    pub(crate) fn node(&self, node: NodeRef) -> Option<&'a TypedNode> {
        self.typed(node.owner)?.nodes.get(node.id.0)
    }

    pub(crate) fn kind(&self, node: NodeRef) -> Option<&'a Kind> {
        self.node(node).map(|node| &node.kind)
    }

    /// The place of a node in its formula.
    pub(crate) fn span(&self, node: NodeRef) -> Span {
        self.node(node).map(|node| node.span).unwrap_or_default()
    }

    /// The place of a node for a finding; the beginning if it is in a metric, whose text was not asked for.
    pub(crate) fn asked_span(&self, node: NodeRef) -> Span {
        match node.owner {
            Owner::Formula(_) => self.span(node),
            Owner::Metric(_) => Span::default(),
        }
    }

    pub(crate) fn shape(&self, node: NodeRef) -> Option<Shape> {
        self.typed(node.owner)?.shape(node.id)
    }

    /// A digest of a node's meaning, including the metrics below it.
    pub(crate) fn meaning(&self, node: NodeRef) -> u128 {
        let own = self.typed(node.owner).and_then(|typed| typed.meaning(node.id));
        let Some(own) = own else { return 0 };
        if own.metrics.is_empty() {
            return own.digest;
        }
        let mut text = own.digest.to_string();
        let mut pending = own.metrics.clone();
        let mut seen = BTreeSet::new();
        while let Some(metric) = pending.pop() {
            let typed = self.typed(Owner::Metric(metric.0));
            let typed = typed.filter(|_| seen.insert(metric));
            if let Some(meaning) = typed.and_then(|typed| typed.meaning(typed.root)) {
                write!(text, " metric {} {}", metric.0, meaning.digest).ok();
                pending.extend(&meaning.metrics);
            }
        }
        digest(&text)
    }

    /// The left spine of a binary node: its binary nodes from the top, and the first operand that is not binary.
    pub(crate) fn left_chain(&self, node: NodeRef) -> (Vec<NodeId>, NodeId) {
        let mut chain = Vec::new();
        let mut at = node.id;
        while let Some(
            Kind::Arithmetic(_, left, _)
            | Kind::And(left, _)
            | Kind::Or(left, _)
            | Kind::Concat(left, _)
            | Kind::Default(left, _),
        ) = self.kind(NodeRef { id: at, ..node })
        {
            chain.push(at);
            at = *left;
        }
        (chain, at)
    }

    pub(crate) fn environment(&self) -> Environment<'a> {
        Environment { calendar: self.calendar, now: self.now }
    }

    pub(crate) fn has_rows(&self, source: SourceId) -> bool {
        self.data.is_some_and(|data| data.given.get(source.0).copied().unwrap_or(false))
    }

    /// Whether rows in memory have the column at the end of a path.
    pub(crate) fn has_column(&self, source: SourceId, path: &Path) -> bool {
        let Some((owner, _)) = self.schema.field_at(source, path) else { return false };
        let column = || self.data?.table(owner)?.columns.get(path.field.0)?.as_ref();
        self.has_rows(owner) && column().is_some()
    }

    /// Whether the data source is asked about a source. Rows that a context record provides take precedence.
    pub(crate) fn is_supplied(&self, source: SourceId) -> bool {
        self.has_data_source && !(self.record.is_some() && self.has_rows(source))
    }

    /// Whether the rows of a source belong to a store, which covers the days that the source declares. Rows of a
    /// record cover any period.
    pub(crate) fn is_store(&self, source: SourceId) -> bool {
        self.data.is_some_and(|data| data.is_store) || self.is_supplied(source)
    }
}
