//! Aggregates many values to one: sums as 128-bit integers of one scale, and all other functions.

use rust_decimal::Decimal;

use super::mode::{extreme_texts, most_frequent};
use super::sample::{Sample, finish};
use super::vector::Vector;
use super::{distinct, integer_aggregates};
use crate::check::AggregateFunction;
use crate::data::{NO_CODE, NULL};
use crate::number;
use crate::types::{Reason, Value};

/// A range of a scan's values and group numbers.
#[derive(Clone, Copy)]
pub(super) struct ArrayView<'s> {
    pub(super) value: Option<&'s Vector>,
    /// The group of each row; `None` if there is only one group.
    pub(super) groups: Option<&'s [u32]>,
    /// The position of the first row in `groups`.
    pub(super) groups_from: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) group_count: usize,
}

/// One answer for each group.
pub(super) fn totals(
    rows: &ArrayView<'_>,
    function: AggregateFunction,
    fraction: Option<Decimal>,
) -> Vec<Value> {
    if let Some(sums) = rows.sums(function) {
        return sums.into_iter().map(|total| rows.conclude(function, total)).collect();
    }
    let Some(value) = rows.value else {
        return vec![Value::missing(Reason::NoRows); rows.group_count];
    };
    let compact = match (function, value) {
        (AggregateFunction::CountDistinct, value) => Some(distinct::count(value, rows)),
        (AggregateFunction::Mode, value) => most_frequent(value, rows),
        (function, Vector::Scaled { values, scale }) => {
            integer_aggregates::numbers(rows, (values, *scale), function, fraction)
        }
        (function, Vector::Instants(values)) => {
            integer_aggregates::instants(rows, values, function)
        }
        (AggregateFunction::Minimum, Vector::Codes { codes, entries }) => {
            Some(extreme_texts(codes, entries, rows, false))
        }
        (AggregateFunction::Maximum, Vector::Codes { codes, entries }) => {
            Some(extreme_texts(codes, entries, rows, true))
        }
        _ => None,
    };
    compact.unwrap_or_else(|| {
        let mut samples = vec![Sample::default(); rows.group_count];
        for position in rows.positions() {
            let sample = rows.group(position).and_then(|group| samples.get_mut(group));
            if let Some(sample) = sample {
                sample.push(&value.value(position));
            }
        }
        samples.into_iter().map(|sample| finish(function, &sample, fraction)).collect()
    })
}

impl ArrayView<'_> {
    pub(super) fn positions(&self) -> std::ops::Range<usize> {
        self.from..self.to
    }

    pub(super) fn group(&self, position: usize) -> Option<usize> {
        match self.groups {
            None => Some(0),
            Some(groups) => {
                let place = position.wrapping_sub(self.groups_from);
                let group = usize::try_from(*groups.get(place)?).ok()?;
                (group < self.group_count).then_some(group)
            }
        }
    }

    /// The group of each row; `None` if there is only one group.
    pub(super) fn group_numbers(&self) -> Option<&[u32]> {
        let [from, to] = [self.from, self.to].map(|at| at.wrapping_sub(self.groups_from));
        self.groups.map(|groups| groups.get(from..to).unwrap_or_default())
    }

    /// For each group, the mergeable state of a sum, count or mean; `None` for other functions, and for values that
    /// are not integers of one scale.
    pub(super) fn sums(&self, function: AggregateFunction) -> Option<Vec<IntegerTotal>> {
        match (function, self.value) {
            (AggregateFunction::Count, None) => Some(self.counted(self.positions().map(|_| true))),
            (AggregateFunction::Count, Some(value)) => Some(match value {
                Vector::Codes { codes, .. } => {
                    let codes = codes.get(self.positions()).unwrap_or_default();
                    self.counted(codes.iter().map(|code| *code != NO_CODE))
                }
                Vector::Scaled { values, .. } | Vector::Instants(values) => {
                    let values = values.get(self.positions()).unwrap_or_default();
                    self.counted(values.iter().map(|value| *value != NULL))
                }
                Vector::Same(_) | Vector::Truth(_) | Vector::Flags(_) | Vector::Values(_) => {
                    self.counted(self.positions().map(|position| !value.is_missing(position)))
                }
            }),
            (
                AggregateFunction::Sum | AggregateFunction::Average,
                Some(Vector::Scaled { values, .. }),
            ) => Some(self.summed(values.get(self.positions()).unwrap_or_default())),
            _ => None,
        }
    }

    /// Counts the rows whose flag is true.
    fn counted(&self, counts: impl Iterator<Item = bool>) -> Vec<IntegerTotal> {
        let Some(groups) = self.group_numbers() else {
            let count = counts.map(u64::from).sum();
            return vec![IntegerTotal { sum: 0, count }];
        };
        let mut sums = vec![IntegerTotal::default(); self.group_count];
        for (counts, group) in counts.zip(groups) {
            if let Some(total) = slot(&mut sums, *group) {
                total.count = total.count.wrapping_add(u64::from(counts));
            }
        }
        sums
    }

    fn summed(&self, values: &[i64]) -> Vec<IntegerTotal> {
        let Some(groups) = self.group_numbers() else { return vec![IntegerTotal::of(values)] };
        let mut sums = vec![IntegerTotal::default(); self.group_count];
        for (value, group) in values.iter().zip(groups) {
            if let Some(total) = slot(&mut sums, *group) {
                let known = *value != NULL;
                let value = if known { *value } else { 0 };
                // Fewer than 2^64 values of 64 bits stay within 128 bits.
                total.sum = total.sum.wrapping_add(i128::from(value));
                total.count = total.count.wrapping_add(u64::from(known));
            }
        }
        sums
    }

    /// The answer that a function computes from a sum and a count.
    pub(super) fn conclude(&self, function: AggregateFunction, total: IntegerTotal) -> Value {
        let scale = match self.value {
            Some(Vector::Scaled { scale, .. }) => *scale,
            Some(_) | None => 0,
        };
        match function {
            AggregateFunction::Count => Value::Number(Decimal::from(total.count)),
            AggregateFunction::Average => number::average(total.sum, scale, total.count).into(),
            AggregateFunction::Sum
            | AggregateFunction::CountDistinct
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation
            | AggregateFunction::Minimum
            | AggregateFunction::Maximum
            | AggregateFunction::First
            | AggregateFunction::Last
            | AggregateFunction::ShareOf
            | AggregateFunction::Variance
            | AggregateFunction::PopulationVariance
            | AggregateFunction::PopulationDeviation
            | AggregateFunction::Mode => number::from_scaled(total.sum, scale).into(),
        }
    }
}

/// A sum of integers and their number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct IntegerTotal {
    sum: i128,
    count: u64,
}

fn slot(sums: &mut [IntegerTotal], group: u32) -> Option<&mut IntegerTotal> {
    usize::try_from(group).ok().and_then(|group| sums.get_mut(group))
}

/// The number of values whose 32-bit halves can be added before the halves must be combined.
const BLOCK: usize = 1 << 16;

impl IntegerTotal {
    /// The sum and the number of all values that are not null.
    ///
    /// The high and low halves of up to 2^16 values are summed separately in 64 bits, which needs no carry and no
    /// branch.
    fn of(values: &[i64]) -> Self {
        let mut total = Self::default();
        for block in values.chunks(BLOCK) {
            let (mut high, mut low, mut count) = (0_i64, 0_i64, 0_u64);
            for value in block {
                let known = *value != NULL;
                let value = if known { *value } else { 0 };
                high = high.wrapping_add(value >> 32);
                low = low.wrapping_add(value & 0xffff_ffff);
                count = count.wrapping_add(u64::from(known));
            }
            let sum = i128::from(high).wrapping_shl(32).wrapping_add(i128::from(low));
            total.sum = total.sum.wrapping_add(sum);
            total.count = total.count.wrapping_add(count);
        }
        total
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            sum: self.sum.saturating_add(other.sum),
            count: self.count.saturating_add(other.count),
        }
    }

    /// Subtracts the sum and count of a part.
    pub(super) const fn minus(self, part: Self) -> Self {
        Self {
            sum: self.sum.saturating_sub(part.sum),
            count: self.count.saturating_sub(part.count),
        }
    }
}
