//! A partial aggregate of any kind.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::aggregates::{
    DistinctSet, Extreme, FirstOrLast, Frequencies, Moments, QuantileSketch, RepeatSet, Retraction,
    SumCount,
};
use super::definition::AggregateKind;
use super::scalar::ScalarValue;
use crate::check::AggregateFunction;
use crate::types::Value;

/// The partial aggregate of some rows: it merges with those of other rows and finishes as an answer.
///
/// It is plain data that a program stores through serde. The [`AggregateKind`] is part of the
/// definition and passed to each operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PartialAggregate {
    /// Sums and counts.
    SumCount(SumCount),
    /// Sums of squares.
    Moments(Moments),
    /// Counts in logarithmic bins.
    QuantileSketch(QuantileSketch),
    /// The least or the largest value.
    Extreme(Extreme),
    /// The first or the last value.
    FirstOrLast(FirstOrLast),
    /// Distinct keys.
    DistinctSet(DistinctSet),
    /// Keys that occur, and keys that occur twice or more.
    RepeatSet(RepeatSet),
    /// A count for each value.
    Frequencies(Frequencies),
}

/// The input of one row to a partial aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateInput {
    /// The value; `None` where rows themselves are counted.
    pub value: Option<Value>,
    /// The number of the key, for sets of keys.
    pub key_number: Option<u32>,
    /// The row's instant in microseconds since 1970, and its key: for first and last.
    pub position: Option<(i64, ScalarValue)>,
}

impl PartialAggregate {
    /// Returns the partial aggregate of no rows.
    pub fn empty(kind: AggregateKind) -> Self {
        match kind {
            AggregateKind::SumCount => Self::SumCount(SumCount::default()),
            AggregateKind::Moments => Self::Moments(Moments::default()),
            AggregateKind::QuantileSketch => Self::QuantileSketch(QuantileSketch::default()),
            AggregateKind::Minimum | AggregateKind::Maximum => Self::Extreme(Extreme::default()),
            AggregateKind::First | AggregateKind::Last => Self::FirstOrLast(FirstOrLast::default()),
            AggregateKind::DistinctSet => Self::DistinctSet(DistinctSet::default()),
            AggregateKind::RepeatSet => Self::RepeatSet(RepeatSet::default()),
            AggregateKind::Frequencies => Self::Frequencies(Frequencies::default()),
        }
    }

    /// Returns whether it is the partial aggregate of no rows.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::SumCount(sum_count) => sum_count.is_empty(),
            Self::Moments(moments) => moments.is_empty(),
            Self::QuantileSketch(sketch) => sketch.is_empty(),
            Self::Extreme(extreme) => extreme.is_empty(),
            Self::FirstOrLast(value) => value.is_empty(),
            Self::DistinctSet(keys) => keys.is_empty(),
            Self::RepeatSet(repeats) => repeats.is_empty(),
            Self::Frequencies(frequencies) => frequencies.is_empty(),
        }
    }

    /// Adds a row.
    pub fn fold(&mut self, kind: AggregateKind, row: &AggregateInput) {
        match (self, &row.value) {
            (Self::SumCount(sum_count), None) => sum_count.fold_row(),
            (Self::SumCount(sum_count), Some(value)) => sum_count.fold(value),
            (Self::Moments(moments), Some(value)) => moments.fold(value),
            (Self::QuantileSketch(sketch), Some(value)) => sketch.fold(value),
            (Self::Extreme(extreme), Some(value)) => extreme.fold(value, largest(kind)),
            (Self::Frequencies(frequencies), Some(value)) => frequencies.fold(value),
            (Self::FirstOrLast(own), Some(value)) => {
                if let Some((at, key)) = &row.position {
                    own.fold(value, (*at, key), last(kind));
                }
            }
            (Self::DistinctSet(keys), value) => match row.key_number {
                Some(number) => keys.fold(number),
                None if value.is_none() => keys.fold_keyless(),
                None => {}
            },
            (Self::RepeatSet(repeats), _) => {
                if let Some(number) = row.key_number {
                    repeats.fold(number);
                }
            }
            (_, None) => {}
        }
    }

    /// Merges the partial aggregate of other rows under the same definition; another kind adds nothing.
    pub fn merge(&mut self, kind: AggregateKind, other: &Self) {
        match (self, other) {
            (Self::SumCount(own), Self::SumCount(other)) => own.merge(other),
            (Self::Moments(own), Self::Moments(other)) => own.merge(other),
            (Self::QuantileSketch(own), Self::QuantileSketch(other)) => own.merge(other),
            (Self::Extreme(own), Self::Extreme(other)) => own.merge(other, largest(kind)),
            (Self::FirstOrLast(own), Self::FirstOrLast(other)) => own.merge(other, last(kind)),
            (Self::DistinctSet(own), Self::DistinctSet(other)) => own.merge(other),
            (Self::RepeatSet(own), Self::RepeatSet(other)) => own.merge(other),
            (Self::Frequencies(own), Self::Frequencies(other)) => own.merge(other),
            _ => {}
        }
    }

    /// Subtracts the partial aggregate of rows that were merged before.
    pub fn subtract(&mut self, kind: AggregateKind, other: &Self) -> Retraction {
        match (self, other) {
            (Self::SumCount(own), Self::SumCount(other)) => own.subtract(other),
            (Self::Moments(own), Self::Moments(other)) => own.subtract(other),
            (Self::QuantileSketch(own), Self::QuantileSketch(other)) => own.subtract(other),
            (Self::Extreme(own), Self::Extreme(other)) => own.subtract(other, largest(kind)),
            (Self::FirstOrLast(own), Self::FirstOrLast(other)) => own.subtract(other, last(kind)),
            (Self::DistinctSet(own), Self::DistinctSet(other)) => own.subtract(other),
            (Self::RepeatSet(own), Self::RepeatSet(other)) => own.subtract(other),
            (Self::Frequencies(own), Self::Frequencies(other)) => own.subtract(other),
            _ => Retraction::Rebuild,
        }
    }

    /// Returns the answer of an aggregate; `None` where only the rows determine it.
    ///
    /// `fraction` is that of `percentile`, `scale` the minimal number of decimal places.
    pub fn finish(
        &self,
        function: AggregateFunction,
        fraction: Option<Decimal>,
        scale: u32,
    ) -> Option<Value> {
        match self {
            Self::SumCount(sum_count) => match function {
                AggregateFunction::Count => Some(sum_count.finish_count()),
                AggregateFunction::Sum => sum_count.finish_sum(scale),
                AggregateFunction::Average | AggregateFunction::ShareOf => {
                    sum_count.finish_average()
                }
                _ => None,
            },
            Self::Moments(moments) => moments.finish(function),
            Self::QuantileSketch(sketch) => {
                Some(sketch.finish(fraction.unwrap_or(Decimal::new(5, 1))))
            }
            Self::Extreme(extreme) => extreme.finish().map(|value| at_least(value, scale)),
            Self::FirstOrLast(value) => value.finish().map(|value| at_least(value, scale)),
            Self::DistinctSet(keys) => Some(Value::Number(Decimal::from(keys.seen().len()))),
            Self::RepeatSet(repeats) => Some(Value::Number(Decimal::from(repeats.seen().len()))),
            Self::Frequencies(values) => values.finish().map(|value| at_least(value, scale)),
        }
    }
}

const fn largest(kind: AggregateKind) -> bool {
    matches!(kind, AggregateKind::Maximum)
}

const fn last(kind: AggregateKind) -> bool {
    matches!(kind, AggregateKind::Last)
}

/// Pads a number to at least `scale` decimal places, if they fit.
fn at_least(value: Value, scale: u32) -> Value {
    match value {
        Value::Number(mut number) if number.scale() < scale => {
            number.rescale(scale);
            Value::Number(number)
        }
        value => value,
    }
}
