//! Analysis of conditions: some restrict rows in every period, others compare a column with the period.

use std::collections::BTreeSet;

use super::strategy::{PER_ROW, RollupLayout, TimeRange, UNKEPT};
use super::text::text;
use crate::check::{
    Arithmetic, Comparison, Kind, NodeId, PeriodPart, Typed, TypedNode, children, descend,
};
use crate::evaluate::{NodeRef, Owner};
use crate::schema::{Path, Schema, SourceId};
use crate::types::Type;

/// Access to all that rollup definitions are derived from.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'l> {
    pub(super) schema: &'l Schema,
    pub(super) typed: &'l dyn Fn(Owner) -> Option<&'l Typed>,
    pub(super) layout: &'l RollupLayout,
}

impl<'l> Lookup<'l> {
    pub(super) fn node(&self, at: NodeRef) -> Option<&'l TypedNode> {
        (self.typed)(at.owner)?.nodes.get(at.id.0)
    }

    /// Resolves `let` names to the node that they stand for.
    pub(super) fn behind(&self, mut at: NodeRef) -> Option<NodeRef> {
        while let Kind::Shared(inner) = &self.node(at)?.kind {
            at.id = *inner;
        }
        Some(at)
    }

    pub(super) fn kind(&self, at: NodeRef) -> Option<&'l Kind> {
        self.node(self.behind(at)?).map(|node| &node.kind)
    }

    pub(super) fn text(&self, source: SourceId, at: NodeRef) -> Option<String> {
        text(self.schema, (self.typed)(at.owner)?, source, at.id)
    }

    /// Returns the columns that an expression over a row reads.
    pub(super) fn columns(&self, at: NodeRef) -> Vec<&'l Path> {
        let column = |node: &'l TypedNode| match &node.kind {
            Kind::Column(path) => Some(path),
            _ => None,
        };
        self.below(at).filter_map(column).collect()
    }

    /// Returns whether the value of the expression for one row depends on the zone.
    pub(super) fn is_zoned(&self, at: NodeRef) -> bool {
        self.below(at).any(|node| {
            let below = children(&node.kind);
            let of_time = |is: fn(&Type) -> bool| {
                let node = |id: &NodeId| self.node(NodeRef { id: *id, ..at });
                below.iter().filter_map(node).any(|node| is(&node.ty))
            };
            match &node.kind {
                Kind::Literal(_)
                | Kind::Arithmetic(Arithmetic::Shift | Arithmetic::ShiftBack, ..) => true,
                Kind::Compare(..) | Kind::InList(..) | Kind::Arithmetic(..) => {
                    of_time(|ty| *ty == Type::Date)
                }
                Kind::Call(..) => {
                    let is_time = |ty: &Type| matches!(ty, Type::Date | Type::DateTime);
                    is_time(&node.ty) || of_time(is_time)
                }
                _ => false,
            }
        })
    }

    /// Iterates over the nodes of an expression, parents before children.
    fn below(&self, at: NodeRef) -> impl Iterator<Item = &'l TypedNode> {
        let typed = (self.typed)(at.owner);
        typed.into_iter().flat_map(move |typed| descend(&typed.nodes, at.id))
    }

    /// Returns the conjuncts of conditions, without duplicates.
    pub(super) fn conjuncts(&self, conditions: &[NodeRef]) -> Vec<NodeRef> {
        self.joined(conditions, false)
    }

    /// Returns the alternatives of a condition, without duplicates.
    pub(super) fn alternatives(&self, condition: NodeRef) -> Vec<NodeRef> {
        self.joined(&[condition], true)
    }

    /// Returns what `or` joins in conditions, otherwise what `and` joins.
    fn joined(&self, conditions: &[NodeRef], by_or: bool) -> Vec<NodeRef> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut stack: Vec<NodeRef> = conditions.iter().rev().copied().collect();
        while let Some(at) = stack.pop().and_then(|at| self.behind(at)) {
            match (self.kind(at).filter(|_| seen.insert(at)), by_or) {
                (Some(Kind::And(left, right)), false) | (Some(Kind::Or(left, right)), true) => {
                    stack.extend([*right, *left].map(|id| NodeRef { id, ..at }));
                }
                (Some(_), _) => found.push(at),
                (None, _) => {}
            }
        }
        found
    }

    /// Returns whether the expression contains an aggregate over the rows linked to a row.
    pub(super) fn has_row_aggregate(&self, at: NodeRef) -> bool {
        self.below(at).any(|node| matches!(node.kind, Kind::PerRow(_)))
    }

    /// Returns the condition as a comparison of a column with the period, if buckets can answer it.
    pub(super) fn time_condition(&self, at: NodeRef) -> Option<TimeCondition<'l>> {
        let beside = |id: &NodeId| NodeRef { id: *id, ..at };
        match self.kind(at)? {
            Kind::InPeriod(value, period) => {
                let whole = self.kind(beside(period))?;
                let is_whole = matches!(whole, Kind::CurrentPeriod(PeriodPart::Whole));
                is_whole.then(|| self.column(beside(value)).map(TimeCondition::In)).flatten()
            }
            Kind::Compare(op, left, right) => self.compared(*op, beside(left), beside(right)),
            Kind::Or(left, right) => {
                let null = |id| match self.kind(beside(id))? {
                    Kind::IsNull(value) => self.column(beside(value)),
                    _ => None,
                };
                let from = |id| {
                    let Kind::Compare(op, left, right) = self.kind(beside(id))? else {
                        return None;
                    };
                    match self.compared(*op, beside(left), beside(right))? {
                        TimeCondition::From(path, part) => Some((path, part)),
                        _ => None,
                    }
                };
                let pair = null(left).zip(from(right)).or_else(|| null(right).zip(from(left)));
                let (column, (path, part)) = pair?;
                (column == path).then_some(TimeCondition::Open(path, part))
            }
            _ => None,
        }
    }

    fn compared(&self, op: Comparison, left: NodeRef, right: NodeRef) -> Option<TimeCondition<'l>> {
        let part = |at| match self.kind(at)? {
            Kind::CurrentPeriod(part) if *part != PeriodPart::Whole => Some(*part),
            _ => None,
        };
        let bounded = |column, bound| self.column(column).zip(part(bound));
        match (op, bounded(left, right), bounded(right, left)) {
            (Comparison::Less, Some((path, part)), _)
            | (Comparison::Greater, _, Some((path, part))) => {
                Some(TimeCondition::Before(path, part))
            }
            (Comparison::GreaterOrEqual, Some((path, part)), _)
            | (Comparison::LessOrEqual, _, Some((path, part))) => {
                Some(TimeCondition::From(path, part))
            }
            _ => None,
        }
    }

    pub(super) fn column(&self, at: NodeRef) -> Option<&'l Path> {
        match self.kind(at)? {
            Kind::Column(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the reason why an expression depends on more than the row, for users.
    pub(super) fn obstacle(&self, at: NodeRef) -> &'static str {
        let mut found = "an expression too long to be kept by its text";
        for node in self.below(at) {
            match &node.kind {
                Kind::CurrentPeriod(_) => found = UNKEPT,
                Kind::Now | Kind::Today => found = "a condition depends on the present",
                Kind::PerRow(_) => found = PER_ROW,
                Kind::Outer(_) => found = "a condition compares with a value of the whole period",
                Kind::Input(_) => found = "a value comes from a context record",
                _ => {}
            }
        }
        found
    }
}

/// A comparison of a column with the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeCondition<'l> {
    /// `x in period`
    In(&'l Path),
    /// `x < period_start` or `x < period_end`
    Before(&'l Path, PeriodPart),
    /// `x >= …`
    From(&'l Path, PeriodPart),
    /// `x is null or x >= …`
    Open(&'l Path, PeriodPart),
}

impl<'l> TimeCondition<'l> {
    /// Returns the time of the rows that meet it; `None` where rows without a date meet it too.
    pub(super) const fn range(self) -> Option<TimeRange> {
        match self {
            Self::In(_) => Some(TimeRange::Elapsed),
            Self::Before(_, part) => Some(TimeRange::Between(None, Some(part))),
            Self::From(_, part) => Some(TimeRange::Between(Some(part), None)),
            Self::Open(..) => None,
        }
    }

    pub(super) const fn path(self) -> &'l Path {
        match self {
            Self::In(path) | Self::Before(path, _) | Self::From(path, _) | Self::Open(path, _) => {
                path
            }
        }
    }
}
