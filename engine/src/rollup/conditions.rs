//! Analysis of conditions: some restrict rows in every period, others compare a column with the period.

use super::text::text;
use crate::check::{Arithmetic, Comparison, Kind, NodeId, PeriodPart, Typed, TypedNode, children};
use crate::evaluate::Owner;
use crate::schema::{Path, Schema, SourceId};
use crate::types::Type;

/// Access to the schema and the checked formulas that rollup definitions are derived from.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'l> {
    pub(super) schema: &'l Schema,
    pub(super) typed: &'l dyn Fn(Owner) -> Option<&'l Typed>,
}

impl<'l> Lookup<'l> {
    pub(super) fn node(&self, (owner, id): (Owner, NodeId)) -> Option<&'l TypedNode> {
        (self.typed)(owner)?.nodes.get(id.0)
    }

    /// Resolves `let` names to the node that they stand for.
    pub(super) fn behind(&self, (owner, mut id): (Owner, NodeId)) -> Option<(Owner, NodeId)> {
        while let Kind::Shared(inner) = &self.node((owner, id))?.kind {
            id = *inner;
        }
        Some((owner, id))
    }

    pub(super) fn kind(&self, at: (Owner, NodeId)) -> Option<&'l Kind> {
        self.node(self.behind(at)?).map(|node| &node.kind)
    }

    pub(super) fn text(&self, source: SourceId, (owner, id): (Owner, NodeId)) -> Option<String> {
        text(self.schema, (self.typed)(owner)?, source, id)
    }

    /// Returns the columns that an expression over a row reads.
    pub(super) fn columns(&self, (owner, id): (Owner, NodeId)) -> Vec<&'l Path> {
        let mut found = Vec::new();
        self.each_below((owner, id), |node| {
            if let Kind::Column(path) = &node.kind {
                found.push(path);
            }
        });
        found
    }

    /// Returns whether the value of the expression for one row depends on the zone.
    pub(super) fn is_zoned(&self, (owner, id): (Owner, NodeId)) -> bool {
        let mut zoned = false;
        self.each_below((owner, id), |node| {
            let below = children(&node.kind);
            let of_time = |is: fn(&Type) -> bool| {
                below.iter().any(|id| self.node((owner, *id)).is_some_and(|node| is(&node.ty)))
            };
            zoned |= match &node.kind {
                Kind::Literal(_)
                | Kind::Arithmetic(Arithmetic::Shift | Arithmetic::ShiftBack, ..) => true,
                Kind::Compare(..) | Kind::InList(..) | Kind::Arithmetic(..) => {
                    of_time(|ty| *ty == Type::Date)
                }
                Kind::Call(..) => {
                    let is_time = |ty: &Type| matches!(ty, Type::Date | Type::DateTime);
                    is_time(&node.ty) || of_time(|ty| matches!(ty, Type::Date | Type::DateTime))
                }
                _ => false,
            };
        });
        zoned
    }

    fn each_below(&self, (owner, id): (Owner, NodeId), mut visit: impl FnMut(&'l TypedNode)) {
        let mut seen = std::collections::BTreeSet::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let Some(node) = self.node((owner, id)).filter(|_| seen.insert(id)) else { continue };
            visit(node);
            stack.extend(children(&node.kind));
        }
    }

    /// Returns the conjuncts of conditions, without duplicates.
    pub(super) fn conjuncts(&self, conditions: &[(Owner, NodeId)]) -> Vec<(Owner, NodeId)> {
        let mut found: Vec<(Owner, NodeId)> = Vec::new();
        let mut stack: Vec<(Owner, NodeId)> = conditions.iter().rev().copied().collect();
        while let Some(at) = stack.pop().and_then(|at| self.behind(at)) {
            match self.kind(at) {
                Some(Kind::And(left, right)) => stack.extend([(at.0, *right), (at.0, *left)]),
                Some(_) if !found.contains(&at) => found.push(at),
                Some(_) | None => {}
            }
        }
        found
    }

    /// Returns whether the expression contains an aggregate over the rows linked to a row.
    pub(super) fn has_row_aggregate(&self, at: (Owner, NodeId)) -> bool {
        let mut found = false;
        self.each_below(at, |node| found |= matches!(node.kind, Kind::PerRow(_)));
        found
    }

    /// Returns the condition as a comparison of a column with the period, if buckets can answer it.
    pub(super) fn time_condition(&self, at: (Owner, NodeId)) -> Option<TimeCondition<'l>> {
        let (owner, _) = at;
        match self.kind(at)? {
            Kind::InPeriod(value, period) => {
                let whole = self.kind((owner, *period))?;
                let is_whole = matches!(whole, Kind::CurrentPeriod(PeriodPart::Whole));
                is_whole.then(|| self.column((owner, *value)).map(TimeCondition::In)).flatten()
            }
            Kind::Compare(op, left, right) => self.compared(owner, *op, *left, *right),
            Kind::Or(left, right) => {
                let null = |id| match self.kind((owner, id))? {
                    Kind::IsNull(value) => self.column((owner, *value)),
                    _ => None,
                };
                let from = |id| match self.time_comparison((owner, id))? {
                    TimeCondition::From(path, part) => Some((path, part)),
                    TimeCondition::In(_) | TimeCondition::Before(..) | TimeCondition::Open(..) => {
                        None
                    }
                };
                let pair = null(*left).zip(from(*right)).or_else(|| null(*right).zip(from(*left)));
                let (column, (path, part)) = pair?;
                (column == path).then_some(TimeCondition::Open(path, part))
            }
            _ => None,
        }
    }

    fn time_comparison(&self, at: (Owner, NodeId)) -> Option<TimeCondition<'l>> {
        match self.kind(at)? {
            Kind::Compare(op, left, right) => self.compared(at.0, *op, *left, *right),
            _ => None,
        }
    }

    fn compared(
        &self,
        owner: Owner,
        op: Comparison,
        left: NodeId,
        right: NodeId,
    ) -> Option<TimeCondition<'l>> {
        let part = |id| match self.kind((owner, id))? {
            Kind::CurrentPeriod(part) if *part != PeriodPart::Whole => Some(*part),
            _ => None,
        };
        let column = |id| self.column((owner, id));
        match (op, column(left).zip(part(right)), column(right).zip(part(left))) {
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

    pub(super) fn column(&self, at: (Owner, NodeId)) -> Option<&'l Path> {
        match self.kind(at)? {
            Kind::Column(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the reason why an expression depends on more than the row, for users.
    pub(super) fn obstacle(&self, at: (Owner, NodeId)) -> &'static str {
        let mut found = "an expression too long to be kept by its text";
        self.each_below(at, |node| match &node.kind {
            Kind::CurrentPeriod(_) => {
                found = "a condition compares with the period in a way that days do not keep";
            }
            Kind::Now | Kind::Today => found = "a condition depends on the present",
            Kind::PerRow(_) => found = "an aggregate for each row needs the rows",
            Kind::Outer(_) => found = "a condition compares with a value of the whole period",
            Kind::Input(_) => found = "a value comes from a context record",
            _ => {}
        });
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
    pub(super) const fn path(self) -> &'l Path {
        match self {
            Self::In(path) | Self::Before(path, _) | Self::From(path, _) | Self::Open(path, _) => {
                path
            }
        }
    }
}
