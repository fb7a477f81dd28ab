//! Rollup definitions: readable descriptions whose hashes name stored rollups.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::bucket::Grain;
use crate::plan::Hash;

/// The number of hexadecimal digits of a hash.
const HASH_DIGITS: usize = 32;

/// The kind of a partial aggregate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AggregateKind {
    /// [`SumCount`](super::SumCount): sums, counts, averages, shares of rows.
    SumCount,
    /// [`Moments`](super::Moments): variances and standard deviations.
    Moments,
    /// [`QuantileSketch`](super::QuantileSketch): approximate percentiles.
    QuantileSketch,
    /// [`Extreme`](super::Extreme): the least value.
    Minimum,
    /// [`Extreme`](super::Extreme): the largest value.
    Maximum,
    /// [`FirstOrLast`](super::FirstOrLast): the first value in time.
    First,
    /// [`FirstOrLast`](super::FirstOrLast): the last value in time.
    Last,
    /// [`DistinctSet`](super::DistinctSet): distinct values.
    DistinctSet,
    /// [`RepeatSet`](super::RepeatSet): keys that occur once, and repeatedly.
    RepeatSet,
    /// [`Frequencies`](super::Frequencies): the most frequent value.
    Frequencies,
}

impl AggregateKind {
    /// Returns the name in the text of a definition. Hashes depend on it, so it never changes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SumCount => "sum_count",
            Self::Moments => "moments",
            Self::QuantileSketch => "quantile_sketch",
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::First => "first",
            Self::Last => "last",
            Self::DistinctSet => "distinct_set",
            Self::RepeatSet => "repeat_set",
            Self::Frequencies => "frequencies",
        }
    }

    /// Returns whether every subtraction is exact without the rows.
    pub const fn subtracts(self) -> bool {
        matches!(self, Self::SumCount | Self::Moments | Self::QuantileSketch)
    }
}

/// The event time of rows: the columns that place a row in time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventTime {
    /// None: rows of an entity, without a date.
    Never,
    /// A column.
    By(String),
    /// The later of two columns, where both have a value: opened and closed.
    Later(String, String),
}

/// The definition of a rollup: its rows, value, aggregate, event time and dimensions.
///
/// Names are those of the schema. Formulas with an equal definition share the rollup. The
/// [`hash`](Self::hash) is the same in every run and on every machine, and differs for definitions whose
/// contents differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RollupDefinition {
    /// The source of the rows.
    pub source: String,
    /// The event time of rows.
    pub event_time: EventTime,
    /// The aggregated value, as a formula over the row; none where rows are counted.
    pub value: Option<String>,
    /// The conditions on rows, in order of their texts.
    pub conditions: Vec<String>,
    /// The kind of partial aggregate.
    pub kind: AggregateKind,
    /// The unit of the value, if it has one.
    pub unit: Option<String>,
    /// For a set of keys: the source, or column, that the keys are of.
    pub keys_of: Option<String>,
    /// The dimensions by name, with their columns in the source.
    pub dimensions: Vec<(String, String)>,
    /// The currency column, where currencies are kept apart: the last value of a dimension key.
    pub currency: Option<String>,
    /// The unit of the buckets.
    pub grain: Grain,
    /// The zone and calendar, where the contents depend on them.
    pub calendar: Option<String>,
}

impl RollupDefinition {
    /// Returns the stable name of the definition: the first digits of the SHA-256 of its text, in
    /// hexadecimal.
    pub fn hash(&self) -> String {
        let mut digits = Hash::of_text(&self.to_string()).to_string();
        digits.truncate(HASH_DIGITS);
        digits
    }
}

impl fmt::Display for RollupDefinition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of ", self.kind.name())?;
        match &self.value {
            Some(value) => write!(out, "{value}")?,
            None => write!(out, "rows")?,
        }
        if let Some(unit) = &self.unit {
            write!(out, " in {unit}")?;
        }
        if let Some(keys_of) = &self.keys_of {
            write!(out, " as keys of {keys_of}")?;
        }
        write!(out, " from {}", self.source)?;
        for (index, condition) in self.conditions.iter().enumerate() {
            let word = if index == 0 { "where" } else { "and" };
            write!(out, " {word} {condition}")?;
        }
        match &self.event_time {
            EventTime::Never => {}
            EventTime::By(column) => write!(out, " dated by {column}")?,
            EventTime::Later(opened, closed) => {
                write!(out, " dated by the later of {opened} and {closed}")?;
            }
        }
        write!(out, " by {}", self.grain.name())?;
        if let Some(calendar) = &self.calendar {
            write!(out, " of {calendar}")?;
        }
        for (name, column) in &self.dimensions {
            write!(out, " × {name}")?;
            if name != column {
                write!(out, " ({column})")?;
            }
        }
        if let Some(currency) = &self.currency {
            write!(out, " × currency {currency}")?;
        }
        Ok(())
    }
}
