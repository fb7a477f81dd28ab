//! Expressions over the rows of one source, as programs whose slots are columns.

use std::sync::Arc;

use super::program::Program;
use crate::calendar::TimeUnit;
use crate::check::{AggregateFunction, Key};
use crate::schema::{Path, SourceId};

/// Expressions over one row; the owner defines the order of the results.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Rows {
    pub(crate) source: SourceId,
    /// The source's name.
    pub(crate) name: Arc<str>,
    pub(crate) program: Program,
}

impl Rows {
    /// Formats a result as a formula.
    pub(crate) fn text(&self, result: usize) -> String {
        self.program.expression(result)
    }
}

/// An aggregate over rows, which a scan, a query or rollups answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct PlannedAtom {
    pub(crate) function: AggregateFunction,
    /// The value, condition and population, as far as there are any, in this order.
    pub(crate) rows: Rows,
    /// The result of `rows` that is aggregated; `None` for `count(source)` and `share_of`.
    pub(crate) value: Option<usize>,
    /// The result that filters rows; for `share_of` the one that is counted.
    pub(crate) condition: Option<usize>,
    /// The result of the population's standing condition.
    pub(crate) population: Option<usize>,
    /// The date that places a row in the period.
    pub(crate) date: Option<Path>,
    /// The name of that field.
    pub(crate) date_name: Option<Arc<str>>,
    /// The fraction of `percentile`.
    pub(crate) fraction: Option<Program>,
}

/// An aggregate over the values of a program for each key.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct PlannedPer {
    pub(crate) function: AggregateFunction,
    pub(crate) unit: Option<TimeUnit>,
    pub(crate) keys: Vec<Key>,
    /// The program; the places of its slots are below that of the aggregate.
    pub(crate) value: Program,
    pub(crate) fraction: Option<Program>,
}

impl std::fmt::Display for PlannedAtom {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = aggregate_name(self.function);
        match self.value {
            Some(value) => {
                write!(formatter, "{name}({} of {}", self.rows.text(value), self.rows.name)?;
            }
            None => write!(formatter, "{name}({}", self.rows.name)?,
        }
        if let Some(condition) = self.condition {
            write!(formatter, " where {}", self.rows.text(condition))?;
        }
        // Apart from the condition, which a share counts: atoms of one text are one slot.
        if let Some(population) = self.population {
            write!(formatter, " of rows where {}", self.rows.text(population))?;
        }
        if let Some(date) = &self.date_name {
            write!(formatter, " by {date}")?;
        }
        if let Some(fraction) = &self.fraction {
            write!(formatter, " at {}", fraction.expression(0))?;
        }
        formatter.write_str(")")
    }
}

impl std::fmt::Display for PlannedPer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = self.unit.map(|unit| unit.name().to_owned());
        let keys = self.keys.iter().map(|key| key.name.to_string());
        let keys: Vec<String> = unit.into_iter().chain(keys).collect();
        let name = aggregate_name(self.function);
        write!(formatter, "{name}({} per {}", self.value.expression(0), keys.join(", "))?;
        if let Some(fraction) = &self.fraction {
            write!(formatter, " at {}", fraction.expression(0))?;
        }
        formatter.write_str(")")
    }
}

/// Returns the name by which formulas call an aggregate.
pub(crate) const fn aggregate_name(function: AggregateFunction) -> &'static str {
    match function {
        AggregateFunction::Sum => "sum",
        AggregateFunction::Count => "count",
        AggregateFunction::CountDistinct => "count_distinct",
        AggregateFunction::Average => "avg",
        AggregateFunction::Percentile => "percentile",
        AggregateFunction::StandardDeviation => "stddev",
        AggregateFunction::Minimum => "min",
        AggregateFunction::Maximum => "max",
        AggregateFunction::First => "first",
        AggregateFunction::Last => "last",
        AggregateFunction::ShareOf => "share_of",
        AggregateFunction::Variance => "variance",
        AggregateFunction::PopulationVariance => "variance_pop",
        AggregateFunction::PopulationDeviation => "stddev_pop",
        AggregateFunction::Mode => "mode",
    }
}
