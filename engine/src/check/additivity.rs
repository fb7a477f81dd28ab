//! Additivity: whether parts of an answer add up to the whole, inferred from the formula.

use super::metrics::State;
use super::typed::{
    AggregateFunction, Arithmetic, Atom, Kind, NodeId, PeriodPart, Typed, Window, children,
};
use super::{Environment, Level};
use crate::schema::SourceKind;

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
            (_, Level::Constant) => Additivity::Constant,
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
            match (atom.function, period_dependence(typed, atom)) {
                (AggregateFunction::Sum | AggregateFunction::Count, PeriodDependence::Other) => {
                    Additivity::NonAdditive
                }
                (AggregateFunction::Sum | AggregateFunction::Count, period_dependence) => {
                    // Undated rows that no condition places in the period count again in each
                    // period.
                    let dated =
                        atom.date.is_some() || period_dependence == PeriodDependence::InPeriod;
                    if snapshot || !dated { Additivity::SemiAdditive } else { Additivity::Additive }
                }
                (
                    AggregateFunction::Minimum
                    | AggregateFunction::Maximum
                    | AggregateFunction::First
                    | AggregateFunction::Last,
                    _,
                ) => Additivity::Extremal,
                (
                    AggregateFunction::CountDistinct
                    | AggregateFunction::Average
                    | AggregateFunction::Percentile
                    | AggregateFunction::StandardDeviation
                    | AggregateFunction::ShareOf
                    | AggregateFunction::Variance
                    | AggregateFunction::PopulationVariance
                    | AggregateFunction::PopulationDeviation
                    | AggregateFunction::Mode,
                    _,
                ) => Additivity::NonAdditive,
            }
        }
        Kind::Metric(id) => match env.metrics.entry(*id).map(|entry| &entry.state) {
            Some(State::Ready(checked)) => checked.additivity,
            Some(State::Unchecked | State::Broken) | None => Additivity::NonAdditive,
        },
        Kind::Shared(node) | Kind::Placeholder(_, node) | Kind::Convert { value: node, .. } => {
            of(*node)
        }
        Kind::Scoped { value, .. } => of(*value),
        Kind::Negate(node) => of(*node).scaled(),
        Kind::Window(Window::Opening | Window::Closing, node) => match of(*node) {
            Additivity::Additive | Additivity::SemiAdditive => Additivity::SemiAdditive,
            other => other,
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

/// How an atom's condition and value depend on the period, apart from the date of its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PeriodDependence {
    None,
    /// By `x in period`; parts add up over periods.
    InPeriod,
    /// By the ends of the period, by the present, or by aggregates of each row.
    Other,
}

fn period_dependence(typed: &Typed, atom: &Atom) -> PeriodDependence {
    let mut found = PeriodDependence::None;
    let mut stack: Vec<NodeId> =
        [atom.value, atom.condition, atom.population].into_iter().flatten().collect();
    while let Some(id) = stack.pop() {
        let Some(node) = typed.nodes.get(id.0) else { continue };
        let whole = |id: NodeId| {
            let kind = typed.nodes.get(id.0).map(|node| &node.kind);
            matches!(kind, Some(Kind::CurrentPeriod(PeriodPart::Whole)))
        };
        match &node.kind {
            Kind::InPeriod(operand, period) if whole(*period) => {
                found = PeriodDependence::InPeriod;
                stack.push(*operand);
            }
            Kind::CurrentPeriod(_) | Kind::Now | Kind::Today | Kind::PerRow(_) | Kind::Outer(_) => {
                return PeriodDependence::Other;
            }
            kind => stack.extend(children(kind)),
        }
    }
    found
}
