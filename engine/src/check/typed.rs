//! The checked formula, which is the input of the evaluator.
//!
//! Names are resolved, every node has a type and a level, and the parts that need rows are atoms.
//! Nodes form an acyclic graph in one arena: a `let` used twice is one node.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::facts::NodeFacts;
use crate::calendar::{PeriodLiteral, TimeSpan, TimeUnit};
pub use crate::functions::AggregateFunction;
use crate::functions::FunctionSpec;
use crate::schema::{Path, SourceId};
use crate::source::Span;
use crate::types::{Currency, Type, Value};

/// A node by its index in [`Typed::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) usize);

/// A metric by its index in the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MetricId(pub(crate) usize);

/// A checked formula.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    /// The formula's text, which spans point into.
    pub(crate) text: Arc<str>,
    pub(crate) nodes: Vec<TypedNode>,
    pub(crate) root: NodeId,
    /// Whether the formula, or a metric it uses, compares the buckets of the request.
    pub(crate) is_over_buckets: bool,
    /// Whether the formula, or a metric it uses, reads the whole period of the request.
    pub(crate) knows_request_end: bool,
    /// Whether the answers of the formula, or of a metric it uses, can change with the present after their period has
    /// ended, through `now()` and `today()` or a window that reaches further.
    pub(crate) knows_present: bool,
    /// Facts about the nodes, each computed on first use.
    pub(crate) facts: NodeFacts,
}

/// The number of values of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// One, whatever the rows.
    Constant,
    /// One for each row of the source.
    Row(SourceId),
    /// One for each period and group.
    Aggregate,
}

#[derive(Debug, Clone)]
pub(crate) struct TypedNode {
    pub(crate) span: Span,
    pub(crate) ty: Type,
    pub(crate) level: Level,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Constant(Value),
    /// `@2026-Q1`, resolved by the calendar of the request.
    Literal(PeriodLiteral),
    /// A value that only a context record provides: an input, or a placeholder without aggregation.
    Input(Arc<str>),
    /// Another metric, in the same period, groups and filters.
    Metric(MetricId),
    /// A bare placeholder: the record's value under this key, otherwise its aggregate.
    Placeholder(Arc<str>, NodeId),
    /// A `let` name; the node is computed once per frame.
    Shared(NodeId),
    /// Row level: a field of the row, or of the row at the end of a chain of links.
    Column(Path),
    /// Row level: an aggregate over the rows linked to this row, within the period.
    PerRow(NodeId),
    /// Row level: a value of the whole period, from outside the aggregate (a `let`).
    Outer(NodeId),
    Atom(Box<Atom>),
    /// `weighted_avg(x, w)`: the quotient of two sums, or null without rows.
    WeightedAverage(NodeId),
    /// An aggregate over the values of `value` per key: `avg(gmv per day)`.
    Per(Box<Per>),
    Window(Window, NodeId),
    /// `growth(x, cmp)`
    Growth(Window, NodeId),
    /// `change(x, cmp)`
    Change(Window, NodeId),
    /// `total(x, keep: …)`: without the grouping, except for the keys kept.
    Total {
        value: NodeId,
        keep: Vec<Key>,
    },
    /// `share(x)`
    Share(NodeId),
    /// `rank(x, by: dim)`: 1 = largest, among groups that differ only in that key.
    Rank {
        value: NodeId,
        by: Option<Key>,
    },
    /// A value computed from the values of the operand in several buckets of the request.
    OverBuckets(BucketWindow, NodeId),
    /// `(x where c)`: the condition for each source below `value`.
    Scoped {
        value: NodeId,
        conditions: Vec<(SourceId, NodeId)>,
    },
    /// Converts every amount below, row by row.
    Convert {
        value: NodeId,
        to: Currency,
    },
    /// `period`, `period_start`, `period_end`
    CurrentPeriod(PeriodPart),
    /// `now()`
    Now,
    /// `today()`
    Today,
    Negate(NodeId),
    Not(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Arithmetic(Arithmetic, NodeId, NodeId),
    Compare(Comparison, NodeId, NodeId),
    Concat(NodeId, NodeId),
    Default(NodeId, NodeId),
    IsNull(NodeId),
    /// Whether the value is null for a reason other than missing data.
    IsError(NodeId),
    InList(NodeId, Vec<NodeId>),
    InPeriod(NodeId, NodeId),
    Like(NodeId, Arc<str>),
    /// `if` and `case`: conditions with values, then the default.
    Case(Vec<(NodeId, NodeId)>, Option<NodeId>),
    /// A scalar function, the same at every level.
    Call(&'static FunctionSpec, Vec<NodeId>),
    /// An aggregate over a list from the context record.
    ListAggregate(AggregateFunction, NodeId),
}

pub(crate) fn children(kind: &Kind) -> Vec<NodeId> {
    let mut found = Vec::new();
    each_child(kind, |child| found.push(child));
    found
}

/// Visits the children in order, for passes over all nodes of every formula.
pub(super) fn each_child(kind: &Kind, mut visit: impl FnMut(NodeId)) {
    match kind {
        Kind::Constant(_)
        | Kind::Literal(_)
        | Kind::Input(_)
        | Kind::Metric(_)
        | Kind::Column(_)
        | Kind::CurrentPeriod(_)
        | Kind::Now
        | Kind::Today => {}
        Kind::Placeholder(_, node)
        | Kind::Shared(node)
        | Kind::PerRow(node)
        | Kind::Outer(node)
        | Kind::WeightedAverage(node)
        | Kind::OverBuckets(_, node)
        | Kind::Window(_, node)
        | Kind::Growth(_, node)
        | Kind::Change(_, node)
        | Kind::Total { value: node, .. }
        | Kind::Share(node)
        | Kind::Rank { value: node, .. }
        | Kind::Convert { value: node, .. }
        | Kind::Negate(node)
        | Kind::Not(node)
        | Kind::IsNull(node)
        | Kind::IsError(node)
        | Kind::Like(node, _)
        | Kind::ListAggregate(_, node) => visit(*node),
        Kind::Atom(atom) => {
            let parts = [atom.value, atom.condition, atom.population, atom.fraction];
            parts.into_iter().flatten().for_each(visit);
        }
        Kind::Per(per) => std::iter::once(per.value).chain(per.fraction).for_each(visit),
        Kind::Scoped { value, conditions } => {
            visit(*value);
            for (_, node) in conditions {
                visit(*node);
            }
        }
        Kind::And(left, right)
        | Kind::Or(left, right)
        | Kind::Arithmetic(_, left, right)
        | Kind::Compare(_, left, right)
        | Kind::Concat(left, right)
        | Kind::Default(left, right)
        | Kind::InPeriod(left, right) => [*left, *right].into_iter().for_each(visit),
        Kind::InList(operand, values) => {
            visit(*operand);
            values.iter().copied().for_each(visit);
        }
        Kind::Case(branches, otherwise) => {
            branches.iter().flat_map(|(when, then)| [*when, *then]).for_each(&mut visit);
            otherwise.iter().copied().for_each(visit);
        }
        Kind::Call(_, arguments) => arguments.iter().copied().for_each(visit),
    }
}

/// Iterates over a node and all those below it, each once, parents before children.
pub(crate) fn descend(nodes: &[TypedNode], id: NodeId) -> impl Iterator<Item = &TypedNode> {
    descend_where(nodes, id, |_| true)
}

/// Iterates as [`descend`] over the nodes that are computed from one row. Values from outside the row are the last of
/// them: what is below reads other rows.
pub(crate) fn descend_in_row(nodes: &[TypedNode], id: NodeId) -> impl Iterator<Item = &TypedNode> {
    descend_where(nodes, id, |kind| !matches!(kind, Kind::PerRow(_) | Kind::Outer(_)))
}

/// Iterates as [`descend`], but not below the nodes of a kind that it does not enter.
pub(super) fn descend_where(
    nodes: &[TypedNode],
    id: NodeId,
    enters: impl Fn(&Kind) -> bool,
) -> impl Iterator<Item = &TypedNode> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![id];
    std::iter::from_fn(move || {
        while let Some(id) = stack.pop() {
            if let Some(node) = nodes.get(id.0).filter(|_| seen.insert(id)) {
                if enters(&node.kind) {
                    stack.extend(children(&node.kind));
                }
                return Some(node);
            }
        }
        None
    })
}

/// Returns whether a node is computed only from the values of its children, in the same way at
/// every level.
pub(crate) const fn is_operation(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Negate(_)
            | Kind::Not(_)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Arithmetic(..)
            | Kind::Compare(..)
            | Kind::Concat(..)
            | Kind::Default(..)
            | Kind::IsNull(_)
            | Kind::IsError(_)
            | Kind::InList(..)
            | Kind::InPeriod(..)
            | Kind::Like(..)
            | Kind::Case(..)
            | Kind::Call(..)
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum PeriodPart {
    Whole,
    Start,
    End,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    /// A date or an instant plus a span or a duration.
    Shift,
    /// A date or an instant less a span or a duration.
    ShiftBack,
    /// The difference of two dates or instants, in seconds.
    Between,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the sign as formulas write it.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// Returns the comparison with its sides exchanged.
    pub(crate) const fn turned(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

/// An aggregate over the rows of one source.
#[derive(Debug, Clone)]
pub(crate) struct Atom {
    pub(crate) function: AggregateFunction,
    pub(crate) source: SourceId,
    /// The aggregated value, at row level; `None` for `count(source)` and `share_of`.
    pub(crate) value: Option<NodeId>,
    /// The condition on rows, at row level. For `share_of`, the counted condition.
    pub(crate) condition: Option<NodeId>,
    /// A population's standing condition, which always narrows.
    pub(crate) population: Option<NodeId>,
    /// The date column that places rows in the period; `None` for entities.
    pub(crate) date: Option<Path>,
    /// The fraction of `percentile`: a constant-level node.
    pub(crate) fraction: Option<NodeId>,
}

impl Atom {
    /// Returns the condition that rows must meet to take part. That of a share is none: the rows that meet it are
    /// counted among the others.
    pub(crate) fn row_condition(&self) -> Option<NodeId> {
        let is_counted = self.function == AggregateFunction::ShareOf && self.value.is_none();
        self.condition.filter(|_| !is_counted)
    }
}

/// An aggregate over values per key.
#[derive(Debug, Clone)]
pub(crate) struct Per {
    pub(crate) function: AggregateFunction,
    pub(crate) value: NodeId,
    pub(crate) unit: Option<TimeUnit>,
    pub(crate) keys: Vec<Key>,
    pub(crate) fraction: Option<NodeId>,
}

/// A grouping key: a column for each source that takes part.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Key {
    pub(crate) name: Arc<str>,
    pub(crate) columns: Vec<(SourceId, Path)>,
}

/// An expression over rows by which they are grouped.
#[derive(Debug, Clone)]
pub(crate) struct RowKey {
    pub(crate) typed: Typed,
    /// Its root for each source.
    pub(crate) roots: Vec<(SourceId, NodeId)>,
}

/// A change of the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Window {
    Previous { periods: i64, clip: bool },
    Shift(TimeSpan),
    Trailing { span: TimeSpan, with_current: bool },
    ToDate(TimeUnit),
    During(PeriodLiteral),
    Lifetime,
    Running,
    Overall,
    Opening,
    Closing,
}

impl Window {
    /// Returns whether the buckets of a request stay distinct under the window, each equally far
    /// back.
    pub(crate) const fn keeps_buckets(self) -> bool {
        matches!(self, Self::Previous { .. } | Self::Shift(_))
    }

    /// Returns whether the window can end after the period it is seen from.
    pub(crate) const fn reaches_ahead(self) -> bool {
        match self {
            Self::Shift(span) => span.count > 0,
            Self::During(_) => true,
            Self::Previous { .. }
            | Self::Trailing { .. }
            | Self::ToDate(_)
            | Self::Lifetime
            | Self::Running
            | Self::Overall
            | Self::Opening
            | Self::Closing => false,
        }
    }
}

/// The values of a series from which the value of one of its buckets is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum BucketWindow {
    /// `previous_bucket(x, n)`: the one `n` buckets earlier.
    Previous(usize),
    /// `moving_avg(x, n)`: the mean of the last `n`, including this one.
    Average(usize),
    /// `rank(x, by: period)`: 1 = largest.
    Rank,
}
