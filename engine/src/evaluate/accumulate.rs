//! Many values to one: sums in 128-bit integers of one scale, extremes, positions, spread.

use rust_decimal::Decimal;

use super::compact;
use super::vector::Vector;
use crate::check::AggregateFunction;
use crate::data::NULL;
use crate::number;
use crate::types::{Missing, Reason, Value};

/// The values that one answer is made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    values: Vec<Value>,
    /// A null that must not be skipped: an amount without a rate, a number too large.
    blocked: Option<Missing>,
}

impl Sample {
    /// Adds a value; most nulls are skipped.
    pub(super) fn push(&mut self, value: &Value) {
        match value {
            Value::Missing(missing) => {
                let blocks = matches!(
                    missing.reason,
                    Reason::NoRate
                        | Reason::Overflow
                        | Reason::MixedCurrency
                        | Reason::MissingInput
                );
                if blocks && self.blocked.is_none() {
                    self.blocked = Some(*missing);
                }
            }
            other => self.values.push(other.clone()),
        }
    }
}

/// The answer over a sample.
pub(super) fn finish(
    function: AggregateFunction,
    sample: &Sample,
    fraction: Option<Decimal>,
) -> Value {
    if let Some(blocked) = sample.blocked {
        return Value::Missing(blocked);
    }
    let values = &sample.values;
    let count = Decimal::from(values.len());
    match function {
        AggregateFunction::Count => Value::Number(count),
        AggregateFunction::CountDistinct => {
            let mut parts: Vec<_> = values.iter().map(super::frame::Part::of).collect();
            parts.sort_unstable();
            parts.dedup();
            Value::Number(Decimal::from(parts.len()))
        }
        AggregateFunction::Sum => sum(values).into(),
        AggregateFunction::Average | AggregateFunction::ShareOf if values.is_empty() => {
            Value::missing(Reason::NoRows)
        }
        AggregateFunction::Average => sum(values).and_then(|sum| number::divide(sum, count)).into(),
        AggregateFunction::Minimum => extreme(values, false),
        AggregateFunction::Maximum => extreme(values, true),
        AggregateFunction::First => {
            values.first().cloned().unwrap_or(Value::missing(Reason::NoRows))
        }
        AggregateFunction::Last => values.last().cloned().unwrap_or(Value::missing(Reason::NoRows)),
        AggregateFunction::Percentile => {
            let numbers: Vec<Decimal> = values.iter().filter_map(Value::as_number).collect();
            percentile(numbers, fraction.unwrap_or(Decimal::new(5, 1))).into()
        }
        AggregateFunction::StandardDeviation => {
            let numbers: Vec<Decimal> = values.iter().filter_map(Value::as_number).collect();
            standard_deviation(&numbers).into()
        }
        AggregateFunction::ShareOf => {
            let held = values.iter().filter(|value| super::operators::is_true(value)).count();
            number::divide(Decimal::from(held), count).into()
        }
    }
}

/// An aggregate over a list given in a record.
pub(super) fn list(function: AggregateFunction, value: &Value) -> Value {
    match value {
        Value::List(items) => {
            let mut sample = Sample::default();
            for item in items.iter() {
                sample.push(item);
            }
            finish(function, &sample, None)
        }
        Value::Missing(_) => value.clone(),
        _ => Value::missing(Reason::Domain),
    }
}

/// An exact sum: integers of the largest scale among the numbers.
fn sum(values: &[Value]) -> Result<Decimal, Reason> {
    let scale = values.iter().filter_map(Value::as_number).map(|number| number.scale()).max();
    let scale = scale.unwrap_or(0);
    let mut total: i128 = 0;
    for number in values.iter().filter_map(Value::as_number) {
        let digits = scale.saturating_sub(number.scale());
        let raised =
            10_i128.checked_pow(digits).and_then(|factor| number.mantissa().checked_mul(factor));
        let next = raised.and_then(|raised| total.checked_add(raised));
        let Some(next) = next else { return sum_slowly(values) };
        total = next;
    }
    number::from_scaled(total, scale)
}

/// Scales too far apart for one integer: each step rounds to 28 digits.
fn sum_slowly(values: &[Value]) -> Result<Decimal, Reason> {
    values.iter().filter_map(Value::as_number).try_fold(Decimal::ZERO, number::add)
}

fn extreme(values: &[Value], largest: bool) -> Value {
    let mut parts: Vec<_> = values.iter().map(super::frame::Part::of).collect();
    parts.sort_unstable();
    let found = if largest { parts.last() } else { parts.first() };
    found.map_or(Value::missing(Reason::NoRows), super::frame::Part::to_value)
}

/// The value at a fraction of the sorted numbers, interpolated between its neighbours, as
/// `PERCENTILE.INC` of spreadsheets and `percentile_cont` of SQL do.
fn percentile(mut numbers: Vec<Decimal>, fraction: Decimal) -> Result<Decimal, Reason> {
    let Some(last) = numbers.len().checked_sub(1) else { return Err(Reason::NoRows) };
    if !(Decimal::ZERO..=Decimal::ONE).contains(&fraction) {
        return Err(Reason::Domain);
    }
    let position = number::multiply(Decimal::from(last), fraction)?;
    let whole = position.floor();
    let index = usize::try_from(whole).ok().ok_or(Reason::Overflow)?;
    let (_, low, above) = numbers.select_nth_unstable(index.min(last));
    let low = *low;
    let rest = number::subtract(position, whole)?;
    if rest.is_zero() {
        return Ok(low);
    }
    let high = above.iter().min().copied().unwrap_or(low);
    let step = number::multiply(rest, number::subtract(high, low)?)?;
    number::add(low, step)
}

/// Of a sample: divided by one less than the count.
fn standard_deviation(numbers: &[Decimal]) -> Result<Decimal, Reason> {
    let count = Decimal::from(numbers.len());
    let degrees = number::subtract(count, Decimal::ONE)?;
    if degrees <= Decimal::ZERO {
        return Err(Reason::NoRows);
    }
    let mean = number::divide(
        numbers.iter().try_fold(Decimal::ZERO, |sum, n| number::add(sum, *n))?,
        count,
    )?;
    let squares = numbers.iter().try_fold(Decimal::ZERO, |sum, n| {
        let distance = number::subtract(*n, mean)?;
        number::add(sum, number::multiply(distance, distance)?)
    })?;
    number::sqrt(number::divide(squares, degrees)?)
}

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
