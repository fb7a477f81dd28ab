//! A state of any kind.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::definition::StateKind;
use super::kinds::{Edge, Extreme, Keys, Repeats, Sketch, Spread, Tally, Undone};
use super::part::Part;
use crate::check::AggregateFunction;
use crate::types::Value;

/// What one cell holds.
///
/// Plain data: a program keeps it as it likes, through serde. The [`StateKind`] is kept with the
/// definition and given again with each operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum State {
    /// Sums and counts.
    Tally(Tally),
    /// Sums of squares.
    Spread(Spread),
    /// Logarithmic buckets.
    Sketch(Sketch),
    /// The least or the largest value.
    Extreme(Extreme),
    /// The first or the last value.
    Edge(Edge),
    /// Different keys.
    Keys(Keys),
    /// Keys seen, and seen again.
    Repeats(Repeats),
}

/// What a row brings to a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// The value; `None` where rows themselves are counted.
    pub value: Option<Value>,
    /// The number of the key, for sets of keys.
    pub number: Option<u32>,
    /// When the row happened, in microseconds since 1970, and its key: for first and last.
    pub place: Option<(i64, Part)>,
}

impl State {
    /// A state of no rows.
    pub fn empty(kind: StateKind) -> Self {
        match kind {
            StateKind::Tally => Self::Tally(Tally::default()),
            StateKind::Spread => Self::Spread(Spread::default()),
            StateKind::Sketch => Self::Sketch(Sketch::default()),
            StateKind::Least | StateKind::Largest => Self::Extreme(Extreme::default()),
            StateKind::First | StateKind::Last => Self::Edge(Edge::default()),
            StateKind::Keys => Self::Keys(Keys::default()),
            StateKind::Repeats => Self::Repeats(Repeats::default()),
        }
    }

    /// Whether no row is in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Tally(tally) => tally.is_empty(),
            Self::Spread(spread) => spread.is_empty(),
            Self::Sketch(sketch) => sketch.is_empty(),
            Self::Extreme(extreme) => extreme.is_empty(),
            Self::Edge(edge) => edge.is_empty(),
            Self::Keys(keys) => keys.is_empty(),
            Self::Repeats(repeats) => repeats.is_empty(),
        }
    }

    /// Adds a row.
    pub fn fold(&mut self, kind: StateKind, row: &Contribution) {
        match (self, &row.value) {
            (Self::Tally(tally), None) => tally.fold_row(),
            (Self::Tally(tally), Some(value)) => tally.fold(value),
            (Self::Spread(spread), Some(value)) => spread.fold(value),
            (Self::Sketch(sketch), Some(value)) => sketch.fold(value),
            (Self::Extreme(extreme), Some(value)) => extreme.fold(value, largest(kind)),
            (Self::Edge(edge), Some(value)) => {
                if let Some((at, key)) = &row.place {
                    edge.fold(value, (*at, key), last(kind));
                }
            }
            (Self::Keys(keys), value) => match row.number {
                Some(number) => keys.fold(number),
                None if value.is_none() => keys.fold_keyless(),
                None => {}
            },
            (Self::Repeats(repeats), _) => {
                if let Some(number) = row.number {
                    repeats.fold(number);
                }
            }
            (Self::Spread(_) | Self::Sketch(_) | Self::Extreme(_) | Self::Edge(_), None) => {}
        }
    }

    /// Takes a row out that was folded before.
    pub fn undo(&mut self, kind: StateKind, row: &Contribution) -> Undone {
        match (self, &row.value) {
            (Self::Tally(tally), None) => {
                let mut one = Tally::default();
                one.fold_row();
                tally.take_out(&one)
            }
            (Self::Tally(tally), Some(value)) => tally.undo(value),
            (Self::Spread(spread), Some(value)) => spread.undo(value),
            (Self::Sketch(sketch), Some(value)) => sketch.undo(value),
            (Self::Extreme(extreme), Some(value)) => extreme.undo(value, largest(kind)),
            (Self::Edge(edge), Some(value)) => match &row.place {
                Some((at, key)) => edge.undo(value, (*at, key), last(kind)),
                None => Undone::Exactly,
            },
            (Self::Keys(keys), value) => match row.number {
                Some(number) => keys.undo(number),
                None if value.is_none() => Undone::Rebuild,
                None => Undone::Exactly,
            },
            (Self::Repeats(repeats), _) => {
                row.number.map_or(Undone::Exactly, |number| repeats.undo(number))
            }
            (Self::Spread(_) | Self::Sketch(_) | Self::Extreme(_) | Self::Edge(_), None) => {
                Undone::Exactly
            }
        }
    }

    /// Adds everything of another state of the same definition; one of another kind adds nothing.
    pub fn merge(&mut self, kind: StateKind, other: &Self) {
        match (self, other) {
            (Self::Tally(own), Self::Tally(other)) => own.merge(other),
            (Self::Spread(own), Self::Spread(other)) => own.merge(other),
            (Self::Sketch(own), Self::Sketch(other)) => own.merge(other),
            (Self::Extreme(own), Self::Extreme(other)) => own.merge(other, largest(kind)),
            (Self::Edge(own), Self::Edge(other)) => own.merge(other, last(kind)),
            (Self::Keys(own), Self::Keys(other)) => own.merge(other),
            (Self::Repeats(own), Self::Repeats(other)) => own.merge(other),
            _ => {}
        }
    }

    /// Takes everything of another state of the same definition out again.
    pub fn take_out(&mut self, kind: StateKind, other: &Self) -> Undone {
        match (self, other) {
            (Self::Tally(own), Self::Tally(other)) => own.take_out(other),
            (Self::Spread(own), Self::Spread(other)) => own.take_out(other),
            (Self::Sketch(own), Self::Sketch(other)) => own.take_out(other),
            (Self::Extreme(own), Self::Extreme(other)) => own.take_out(other, largest(kind)),
            (Self::Edge(own), Self::Edge(other)) => own.take_out(other, last(kind)),
            (Self::Keys(own), Self::Keys(other)) => own.take_out(other),
            (Self::Repeats(own), Self::Repeats(other)) => own.take_out(other),
            _ => Undone::Rebuild,
        }
    }

    /// The answer of an aggregate; `None` where the state cannot tell it and the rows must.
    ///
    /// `fraction` is that of `percentile`; `scale` the digits after the point that sums and values
    /// have at least.
    pub fn finish(
        &self,
        function: AggregateFunction,
        fraction: Option<Decimal>,
        scale: u32,
    ) -> Option<Value> {
        match self {
            Self::Tally(tally) => match function {
                AggregateFunction::Count => Some(tally.finish_count()),
                AggregateFunction::Sum => tally.finish_sum(scale),
                AggregateFunction::Average | AggregateFunction::ShareOf => tally.finish_average(),
                AggregateFunction::CountDistinct
                | AggregateFunction::Percentile
                | AggregateFunction::StandardDeviation
                | AggregateFunction::Minimum
                | AggregateFunction::Maximum
                | AggregateFunction::First
                | AggregateFunction::Last => None,
            },
            Self::Spread(spread) => spread.finish(),
            Self::Sketch(sketch) => Some(sketch.finish(fraction.unwrap_or(Decimal::new(5, 1)))),
            Self::Extreme(extreme) => extreme.finish().map(|value| at_least(value, scale)),
            Self::Edge(edge) => edge.finish().map(|value| at_least(value, scale)),
            Self::Keys(keys) => Some(Value::Number(Decimal::from(keys.seen().len()))),
            Self::Repeats(repeats) => Some(Value::Number(Decimal::from(repeats.seen().len()))),
        }
    }
}

const fn largest(kind: StateKind) -> bool {
    matches!(kind, StateKind::Largest)
}

const fn last(kind: StateKind) -> bool {
    matches!(kind, StateKind::Last)
}

/// A number with at least so many digits after the point, if they fit.
fn at_least(value: Value, scale: u32) -> Value {
    match value {
        Value::Number(mut number) if number.scale() < scale => {
            number.rescale(scale);
            Value::Number(number)
        }
        value => value,
    }
}
