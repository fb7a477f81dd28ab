//! Extremes, positions and spread of 64-bit integers of one scale, without a value for each row.

use rust_decimal::Decimal;

use super::sample::percentile;
use super::totals::ArrayView;
use crate::check::AggregateFunction;
use crate::data::{NULL, instant, scaled};
use crate::number::{self, PowerSums, Spread};
use crate::types::{Reason, Value};

/// One answer per group over numbers; `None` for a function that is computed elsewhere.
pub(super) fn numbers(
    rows: &ArrayView<'_>,
    (values, scale): (&[i64], u32),
    function: AggregateFunction,
    fraction: Option<Decimal>,
) -> Option<Vec<Value>> {
    let fraction = fraction.unwrap_or(Decimal::new(5, 1));
    match function {
        AggregateFunction::Minimum => {
            Some(extremes(rows, values, i64::min, |value| scaled(value, scale)))
        }
        AggregateFunction::Maximum => {
            Some(extremes(rows, values, i64::max, |value| scaled(value, scale)))
        }
        AggregateFunction::Percentile => {
            let exact = |value: i64| number::from_scaled(i128::from(value), scale);
            let at = |own: Vec<i64>| percentile(own, fraction, exact).into();
            Some(samples(rows, values).into_iter().map(at).collect())
        }
        AggregateFunction::StandardDeviation
        | AggregateFunction::Variance
        | AggregateFunction::PopulationVariance
        | AggregateFunction::PopulationDeviation => {
            let kind = function.spread()?;
            let samples = samples(rows, values);
            samples.iter().map(|own| spread(own, scale, kind)).collect()
        }
        _ => None,
    }
}

/// The earliest or latest instant of each group; `None` for other functions.
pub(super) fn instants(
    rows: &ArrayView<'_>,
    values: &[i64],
    function: AggregateFunction,
) -> Option<Vec<Value>> {
    match function {
        AggregateFunction::Minimum => Some(extremes(rows, values, i64::min, instant)),
        AggregateFunction::Maximum => Some(extremes(rows, values, i64::max, instant)),
        _ => None,
    }
}

/// Calls `take` with the group and value of every row that has both.
fn each(rows: &ArrayView<'_>, values: &[i64], mut take: impl FnMut(usize, i64)) {
    for position in rows.positions() {
        let value = values.get(position).copied().filter(|value| *value != NULL);
        if let (Some(value), Some(group)) = (value, rows.group(position)) {
            take(group, value);
        }
    }
}

fn extremes(
    rows: &ArrayView<'_>,
    values: &[i64],
    better: fn(i64, i64) -> i64,
    shown: impl Fn(i64) -> Value,
) -> Vec<Value> {
    let mut best = vec![NULL; rows.group_count];
    each(rows, values, |group, value| {
        if let Some(slot) = best.get_mut(group) {
            *slot = if *slot == NULL { value } else { better(*slot, value) };
        }
    });
    let answer = |best| if best == NULL { Value::missing(Reason::NoRows) } else { shown(best) };
    best.into_iter().map(answer).collect()
}

fn samples(rows: &ArrayView<'_>, values: &[i64]) -> Vec<Vec<i64>> {
    let mut samples = vec![Vec::new(); rows.group_count];
    each(rows, values, |group, value| {
        if let Some(own) = samples.get_mut(group) {
            own.push(value);
        }
    });
    samples
}

/// A variance, or its root; `None` where the sums do not fit 128 bits.
fn spread(own: &[i64], scale: u32, kind: Spread) -> Option<Value> {
    let mut sum = 0_i128;
    let mut squares = 0_u128;
    for value in own {
        let magnitude = u128::from(value.unsigned_abs());
        sum = sum.checked_add(i128::from(*value))?;
        squares = squares.checked_add(magnitude.checked_mul(magnitude)?)?;
    }
    let sums = PowerSums::new(u64::try_from(own.len()).ok()?, sum, squares);
    Some(sums.spread(scale, kind)?.into())
}
