//! Aggregates over values of any type, one value at a time.

use rust_decimal::Decimal;

use crate::check::AggregateFunction;
use crate::evaluate::frames::GroupValue;
use crate::number;
use crate::plan::operators::is_true;
use crate::types::{Missing, Reason, Value};

/// Whether a null must not be skipped: something is there, but its value cannot be told.
pub(super) const fn blocks(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::NoRate | Reason::Overflow | Reason::MixedCurrency | Reason::MissingInput
    )
}

/// The values behind one answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    values: Vec<Value>,
    /// A null that must not be skipped: an amount without a rate, or a number that is too large.
    blocked: Option<Missing>,
    /// Whether a null came from uncovered time, and whether there was anything else.
    has_uncovered: bool,
    has_covered: bool,
}

impl Sample {
    /// Adds a value; most nulls are skipped.
    pub(crate) fn push(&mut self, value: &Value) {
        match value {
            Value::Missing(Missing { reason: Reason::NoCoverage, .. }) => self.has_uncovered = true,
            Value::Missing(missing) => {
                self.has_covered = true;
                if blocks(missing.reason) && self.blocked.is_none() {
                    self.blocked = Some(*missing);
                }
            }
            other => {
                self.has_covered = true;
                self.values.push(other.clone());
            }
        }
    }

    /// Whether nothing was added, not even a null.
    pub(crate) const fn is_untouched(&self) -> bool {
        !self.has_covered && !self.has_uncovered
    }
}

/// The aggregate of a sample.
pub(crate) fn finish(
    function: AggregateFunction,
    sample: &Sample,
    fraction: Option<Decimal>,
) -> Value {
    if let Some(blocked) = sample.blocked {
        return Value::Missing(blocked);
    }
    if sample.has_uncovered && !sample.has_covered {
        return Value::missing(Reason::NoCoverage);
    }
    let values = &sample.values;
    let numbers = || values.iter().filter_map(Value::as_number).collect::<Vec<Decimal>>();
    let count = Decimal::from(values.len());
    match function {
        AggregateFunction::Count => Value::Number(count),
        AggregateFunction::CountDistinct => {
            let mut parts: Vec<_> = values.iter().map(GroupValue::of).collect();
            parts.sort_unstable();
            parts.dedup();
            Value::Number(Decimal::from(parts.len()))
        }
        AggregateFunction::Sum => sum(values).into(),
        AggregateFunction::Average | AggregateFunction::ShareOf if values.is_empty() => {
            Value::missing(Reason::NoRows)
        }
        AggregateFunction::Average => average(values).into(),
        AggregateFunction::Minimum => extreme(values, false),
        AggregateFunction::Maximum => extreme(values, true),
        AggregateFunction::First => {
            values.first().cloned().unwrap_or(Value::missing(Reason::NoRows))
        }
        AggregateFunction::Last => values.last().cloned().unwrap_or(Value::missing(Reason::NoRows)),
        AggregateFunction::Percentile => {
            percentile(numbers(), fraction.unwrap_or(Decimal::new(5, 1)), Ok).into()
        }
        AggregateFunction::StandardDeviation
        | AggregateFunction::Variance
        | AggregateFunction::PopulationVariance
        | AggregateFunction::PopulationDeviation => {
            let kind = function.spread().ok_or(Reason::Domain);
            kind.and_then(|kind| number::spread(&numbers(), kind)).into()
        }
        AggregateFunction::Mode => mode(values),
        AggregateFunction::ShareOf => {
            let held = values.iter().filter(|value| is_true(value)).count();
            number::divide(Decimal::from(held), count).into()
        }
    }
}

/// Aggregates a list from a record.
pub(crate) fn list(function: AggregateFunction, value: &Value) -> Value {
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

fn sum(values: &[Value]) -> Result<Decimal, Reason> {
    match total(values) {
        Some((total, scale)) => number::from_scaled(total, scale),
        None => number::sum(values.iter().filter_map(Value::as_number)),
    }
}

fn average(values: &[Value]) -> Result<Decimal, Reason> {
    let count = u64::try_from(values.len()).map_err(|_too_many| Reason::Overflow)?;
    match total(values) {
        Some((total, scale)) => number::average(total, scale, count),
        None => number::mean(values.iter().filter_map(Value::as_number), count),
    }
}

/// The exact sum as an integer at the largest scale of the numbers, if it fits.
fn total(values: &[Value]) -> Option<(i128, u32)> {
    let scale = values.iter().filter_map(Value::as_number).map(|number| number.scale()).max();
    let scale = scale.unwrap_or(0);
    let mut total: i128 = 0;
    for number in values.iter().filter_map(Value::as_number) {
        let digits = scale.saturating_sub(number.scale());
        let raised = number.mantissa().checked_mul(10_i128.checked_pow(digits)?)?;
        total = total.checked_add(raised)?;
    }
    Some((total, scale))
}

fn extreme(values: &[Value], largest: bool) -> Value {
    let mut parts: Vec<_> = values.iter().map(GroupValue::of).collect();
    parts.sort_unstable();
    let found = if largest { parts.last() } else { parts.first() };
    found.map_or(Value::missing(Reason::NoRows), GroupValue::to_value)
}

/// The most frequent value, and the smallest of several.
fn mode(values: &[Value]) -> Value {
    let mut parts: Vec<_> = values.iter().map(GroupValue::of).collect();
    parts.sort_unstable();
    let mut best: &[GroupValue] = &[];
    for run in parts.chunk_by(|left, right| left == right) {
        if run.len() > best.len() {
            best = run;
        }
    }
    best.first().map_or(Value::missing(Reason::NoRows), GroupValue::to_value)
}

/// The value at a fraction of the sorted values, interpolated between its neighbours, as
/// `PERCENTILE.INC` of spreadsheets and `percentile_cont` of SQL do. `number` gives the number that a value stands for.
pub(super) fn percentile<T: Copy + Ord>(
    mut values: Vec<T>,
    fraction: Decimal,
    number: impl Fn(T) -> Result<Decimal, Reason>,
) -> Result<Decimal, Reason> {
    let last = values.len().checked_sub(1).ok_or(Reason::NoRows)?;
    if !(Decimal::ZERO..=Decimal::ONE).contains(&fraction) {
        return Err(Reason::Domain);
    }
    let position = number::multiply(Decimal::from(last), fraction)?;
    let whole = position.floor();
    let index = usize::try_from(whole).map_err(|_too_large| Reason::Overflow)?;
    let (_, low, above) = values.select_nth_unstable(index.min(last));
    let low = *low;
    let start = number(low)?;
    let rest = number::subtract(position, whole)?;
    if rest.is_zero() {
        return Ok(start);
    }
    let high = above.iter().min().copied().unwrap_or(low);
    number::interpolate(start, number(high)?, rest)
}
