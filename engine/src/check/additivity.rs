//! Additivity: whether parts of an answer add up to the whole, inferred from the formula.

use std::collections::BTreeSet;

use super::fingerprint::fingerprint;
use super::populations::dates_below;
use super::typed::{
    AggregateFunction, Arithmetic, Kind, NodeId, PeriodPart, Typed, Window, children, descend_where,
};
use super::{Environment, Level};
use crate::schema::{Path, SourceId, SourceKind};
use crate::types::{Currency, CurrencyOf, Unit};

/// How the answers of parts combine to the answer of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Additivity {
    /// The same for every part: no rows are read.
    Constant,
    /// Parts add up, over groups and over time.
    Additive,
    /// Parts add up over groups but not over time, as for stock levels.
    SemiAdditive,
    /// The extreme of the parts is the extreme of the whole.
    Extremal,
    /// The whole follows only from the rows themselves: ratios, averages, distinct counts.
    NonAdditive,
}

impl Additivity {
    /// Returns the name used in answers and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Additive => "additive",
            Self::SemiAdditive => "semi-additive",
            Self::Extremal => "extremal",
            Self::NonAdditive => "non-additive",
        }
    }

    /// The additivity of a sum or difference of two.
    const fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant, Self::Constant) => Self::Constant,
            (Self::Additive, Self::Additive) => Self::Additive,
            (Self::SemiAdditive, Self::SemiAdditive) => Self::SemiAdditive,
            _ => Self::NonAdditive,
        }
    }

    /// The additivity of a multiple by a constant.
    const fn scaled(self) -> Self {
        match self {
            Self::Extremal => Self::NonAdditive,
            other => other,
        }
    }
}

/// Infers the additivity of the whole formula in one pass, children before parents.
pub(super) fn additivity(typed: &Typed, env: &Environment<'_>) -> Additivity {
    let mut classes: Vec<Additivity> = Vec::with_capacity(typed.nodes.len());
    for node in &typed.nodes {
        let of = |id: NodeId| classes.get(id.0).copied().unwrap_or(Additivity::NonAdditive);
        let class = match (&node.kind, node.level) {
            (Kind::CurrentPeriod(_) | Kind::Now | Kind::Today, _) => Additivity::NonAdditive,
            // The same for every part, unless it is computed from the period or the present.
            (kind, Level::Constant)
                if children(kind).into_iter().all(|child| of(child) == Additivity::Constant) =>
            {
                Additivity::Constant
            }
            (kind, _) => class(typed, kind, of, env),
        };
        classes.push(class);
    }
    classes.get(typed.root.0).copied().unwrap_or(Additivity::NonAdditive)
}

fn class(
    typed: &Typed,
    kind: &Kind,
    of: impl Fn(NodeId) -> Additivity,
    env: &Environment<'_>,
) -> Additivity {
    match kind {
        Kind::Atom(atom) => {
            let snapshot = env
                .schema
                .source_at(atom.source)
                .is_some_and(|source| source.kind == SourceKind::Snapshot);
            let conditions = [atom.condition, atom.population].into_iter().flatten();
            let date = atom.date.as_ref();
            let Some(conditions) = period_conditions(typed, atom.value, conditions, date) else {
                return Additivity::NonAdditive;
            };
            // Rows that nothing places count in every part; rows placed twice may count only in the whole.
            let placed = conditions.saturating_add(usize::from(date.is_some()));
            match atom.function {
                AggregateFunction::Sum | AggregateFunction::Count => {
                    let adds = placed == 1 && !snapshot;
                    if adds { Additivity::Additive } else { Additivity::SemiAdditive }
                }
                AggregateFunction::Minimum
                | AggregateFunction::Maximum
                | AggregateFunction::First
                | AggregateFunction::Last
                    if placed <= 1 =>
                {
                    Additivity::Extremal
                }
                _ => Additivity::NonAdditive,
            }
        }
        Kind::Metric(id) => {
            env.metrics.checked(*id).map_or(Additivity::NonAdditive, |checked| checked.additivity)
        }
        Kind::Convert { value, to } if converts_amount(typed, *value, *to) => {
            Additivity::NonAdditive
        }
        Kind::Shared(node) | Kind::Placeholder(_, node) | Kind::Convert { value: node, .. } => {
            of(*node)
        }
        Kind::Scoped { value, conditions } => {
            match (of(*value), filter_conditions(typed, *value, conditions, env)) {
                (class, Some(0)) => class,
                (Additivity::Additive | Additivity::SemiAdditive, Some(_)) => {
                    Additivity::SemiAdditive
                }
                _ => Additivity::NonAdditive,
            }
        }
        Kind::Negate(node) => of(*node).scaled(),
        Kind::Window(Window::Opening | Window::Closing, node) => match of(*node) {
            Additivity::Additive | Additivity::SemiAdditive => Additivity::SemiAdditive,
            Additivity::Constant => Additivity::Constant,
            Additivity::Extremal | Additivity::NonAdditive => Additivity::NonAdditive,
        },
        Kind::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, left, right) => {
            of(*left).plus(of(*right))
        }
        Kind::Arithmetic(Arithmetic::Multiply, left, right) => match (of(*left), of(*right)) {
            (Additivity::Constant, other) | (other, Additivity::Constant) => other.scaled(),
            _ => Additivity::NonAdditive,
        },
        Kind::Arithmetic(Arithmetic::Divide, left, right) if of(*right) == Additivity::Constant => {
            of(*left).scaled()
        }
        _ => Additivity::NonAdditive,
    }
}

/// Returns whether an amount that is written in the formula is converted, at the rate of the end of the period.
fn converts_amount(typed: &Typed, id: NodeId, to: Currency) -> bool {
    let is_other = |unit: &Unit| unit.is_money() && unit.currency != CurrencyOf::Fixed(to);
    // The rows of an aggregate are converted each on its own day.
    descend_where(&typed.nodes, id, |kind| !matches!(kind, Kind::Atom(_)))
        .any(|node| matches!(node.kind, Kind::Constant(_)) && node.ty.unit().is_some_and(is_other))
}

/// Counts the columns that a filter places in the period, apart from those that date the rows below it; `None` as in
/// [`period_conditions`].
fn filter_conditions(
    typed: &Typed,
    value: NodeId,
    conditions: &[(SourceId, NodeId)],
    env: &Environment<'_>,
) -> Option<usize> {
    let dates = dates_below(&typed.nodes, value, env.metrics);
    conditions.iter().try_fold(0_usize, |placed, (source, condition)| {
        let mut own = dates.iter().filter(|(of, _)| of == source).map(|(_, date)| *date);
        // A date that places only some of the rows is a condition on the others.
        let date = own.next().flatten().filter(|_| own.next().is_none());
        let more = period_conditions(typed, None, std::iter::once(*condition), date)?;
        placed.checked_add(more)
    })
}

/// Counts the columns that conditions place in the period by `x in period`, apart from the one that dates the rows; `None` if
/// rows depend on the period in another way: by its ends, by the present, or by values from outside the row.
fn period_conditions(
    typed: &Typed,
    value: Option<NodeId>,
    conditions: impl Iterator<Item = NodeId>,
    date: Option<&Path>,
) -> Option<usize> {
    let kind = |id: NodeId| typed.nodes.get(id.0).map(|node| &node.kind);
    let is_date = |id| matches!(kind(id), Some(Kind::Column(path)) if Some(path) == date);
    let is_period = |id| matches!(kind(id), Some(Kind::CurrentPeriod(PeriodPart::Whole)));
    let mut placing = BTreeSet::new();
    let mut seen = BTreeSet::new();
    // Each node, and whether only rows for which it is true count.
    let mut stack: Vec<(NodeId, bool)> = conditions.map(|id| (id, true)).collect();
    stack.extend(value.map(|id| (id, false)));
    while let Some((id, narrows)) = stack.pop() {
        let Some(kind) = kind(id).filter(|_| seen.insert((id, narrows))) else { continue };
        match kind {
            Kind::And(left, right) => stack.extend([(*left, narrows), (*right, narrows)]),
            Kind::InPeriod(operand, period) if narrows && is_period(*period) => {
                if !is_date(*operand) {
                    placing.insert(fingerprint(typed, *operand, 0));
                }
                stack.push((*operand, false));
            }
            Kind::CurrentPeriod(_) | Kind::Now | Kind::Today | Kind::PerRow(_) | Kind::Outer(_) => {
                return None;
            }
            kind => stack.extend(children(kind).into_iter().map(|child| (child, false))),
        }
    }
    Some(placing.len())
}
