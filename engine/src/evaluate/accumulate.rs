//! Many values to one: sums in 128-bit integers of one scale, extremes, positions, spread.

use rust_decimal::Decimal;

use super::compact;
use super::sample::{Sample, finish};
use super::vector::Vector;
use crate::check::AggregateFunction;
use crate::data::NULL;
use crate::number;
use crate::types::{Reason, Value};

/// The rows of a scan that one bucket is made of.
#[derive(Clone, Copy)]
pub(super) struct Slice<'s> {
    pub(super) value: Option<&'s Vector>,
    /// For each row its group; `None` where there is one group.
    pub(super) groups: Option<&'s [u32]>,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) group_count: usize,
}

impl Slice<'_> {
    pub(super) fn positions(&self) -> std::ops::Range<usize> {
        self.from..self.to
    }

    pub(super) fn group(&self, position: usize) -> Option<usize> {
        match self.groups {
            None => Some(0),
            Some(groups) => {
                let group = usize::try_from(*groups.get(position)?).ok()?;
                (group < self.group_count).then_some(group)
            }
        }
    }

    /// One answer for each group.
    pub(super) fn answer(
        &self,
        function: AggregateFunction,
        fraction: Option<Decimal>,
    ) -> Vec<Value> {
        if let Some(tallies) = self.tallies(function) {
            return tallies.into_iter().map(|tally| self.conclude(function, tally)).collect();
        }
        let compact = match self.value {
            Some(Vector::Scaled { values, scale }) => {
                compact::numbers(self, (values, *scale), function, fraction)
            }
            Some(Vector::Instants(values)) => compact::instants(self, values, function),
            Some(Vector::Same(_) | Vector::Codes { .. } | Vector::Truth(_) | Vector::Values(_))
            | None => None,
        };
        match (compact, function, self.value) {
            (Some(answer), _, _) => answer,
            (None, AggregateFunction::CountDistinct, Some(value)) => {
                super::distinct::count(value, self.positions(), self.group_count, |at| {
                    self.group(at)
                })
            }
            (None, _, Some(value)) => {
                let mut samples = vec![Sample::default(); self.group_count];
                for position in self.positions() {
                    let sample = self.group(position).and_then(|group| samples.get_mut(group));
                    if let Some(sample) = sample {
                        sample.push(&value.value(position));
                    }
                }
                samples.into_iter().map(|sample| finish(function, &sample, fraction)).collect()
            }
            (None, _, None) => vec![Value::missing(Reason::NoRows); self.group_count],
        }
    }

    /// For each group what a sum, count or mean is made of, and can be added up; `None` for other
    /// functions, and for values that are not integers of one scale.
    pub(super) fn tallies(&self, function: AggregateFunction) -> Option<Vec<Tally>> {
        match (function, self.value) {
            (AggregateFunction::Count, value) => Some(self.tally(|position| {
                value.is_none_or(|value| !value.is_missing(position)).then_some(0)
            })),
            (
                AggregateFunction::Sum | AggregateFunction::Average,
                Some(Vector::Scaled { values, .. }),
            ) => Some(
                self.tally(|position| values.get(position).copied().filter(|value| *value != NULL)),
            ),
            _ => None,
        }
    }

    /// Sums and counts. A sum of 64-bit integers cannot leave 128 bits.
    fn tally(&self, value: impl Fn(usize) -> Option<i64>) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); self.group_count];
        for position in self.positions() {
            let Some(value) = value(position) else { continue };
            if let Some(tally) = self.group(position).and_then(|group| tallies.get_mut(group)) {
                tally.sum = tally.sum.saturating_add(i128::from(value));
                tally.count = tally.count.saturating_add(1);
            }
        }
        tallies
    }

    /// The answer a tally stands for.
    pub(super) fn conclude(&self, function: AggregateFunction, tally: Tally) -> Value {
        let scale = match self.value {
            Some(Vector::Scaled { scale, .. }) => *scale,
            Some(_) | None => 0,
        };
        match function {
            AggregateFunction::Count => Value::Number(Decimal::from(tally.count)),
            AggregateFunction::Average => number::average(tally.sum, scale, tally.count).into(),
            AggregateFunction::Sum
            | AggregateFunction::CountDistinct
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation
            | AggregateFunction::Minimum
            | AggregateFunction::Maximum
            | AggregateFunction::First
            | AggregateFunction::Last
            | AggregateFunction::ShareOf => number::from_scaled(tally.sum, scale).into(),
        }
    }
}

/// A sum of integers, and of how many.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    sum: i128,
    count: u64,
}

impl Tally {
    /// Both together.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            sum: self.sum.saturating_add(other.sum),
            count: self.count.saturating_add(other.count),
        }
    }

    /// What is left of it without a part of it.
    pub(super) const fn minus(self, part: Self) -> Self {
        Self {
            sum: self.sum.saturating_sub(part.sum),
            count: self.count.saturating_sub(part.count),
        }
    }
}
