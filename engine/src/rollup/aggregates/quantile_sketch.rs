//! Percentiles from counts in logarithmic bins.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::Retraction;
use crate::number;
use crate::types::{Reason, Value};

/// Bins of one power of ten. Each is 2 % wider than the one before; the last is cut short.
const PER_DECADE: usize = 117;
/// The number of digits of a bin edge.
const EDGE_DIGITS: u32 = 15;
/// The lower edges of the bins from 1 to 10, times 10^15.
const EDGES: [u64; PER_DECADE] = edges();
/// The smallest power of ten of a decimal.
const LOWEST: i32 = -28;

/// A histogram of numbers in logarithmic bins, with bins for negative numbers and zero.
///
/// A bin is at most 2 % wide and answers with its middle, so that the number at any rank is exact to 1 %;
/// so is the interpolation between two ranks of one sign. Bins can be subtracted, and empty ones are not
/// stored: about 117 remain for each power of ten that the numbers span.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuantileSketch {
    /// By bin; below zero for negative numbers, 0 for zero.
    counts: BTreeMap<i32, i64>,
}

const fn edges() -> [u64; PER_DECADE] {
    let mut edges = [0; PER_DECADE];
    let mut edge: u64 = 1_000_000_000_000_000;
    let mut index = 0;
    while index < PER_DECADE {
        #[expect(
            clippy::indexing_slicing,
            reason = "runs when the crate is compiled, below the length of the array"
        )]
        {
            edges[index] = edge;
        }
        edge = edge.saturating_add(edge.wrapping_div(50));
        index = index.saturating_add(1);
    }
    edges
}

impl QuantileSketch {
    /// Adds a number; nulls are skipped.
    pub fn fold(&mut self, value: &Value) {
        if let Value::Number(number) = value {
            self.add(bin_of(*number), 1);
        }
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self) {
        for (bin, count) in &other.counts {
            self.add(*bin, *count);
        }
    }

    /// Subtracts the partial aggregate of rows that were merged before.
    pub fn subtract(&mut self, other: &Self) -> Retraction {
        for (bin, count) in &other.counts {
            self.add(*bin, count.saturating_neg());
        }
        Retraction::Exact
    }

    fn add(&mut self, bin: i32, times: i64) {
        let count = self.counts.entry(bin).or_insert(0);
        *count = count.saturating_add(times);
        if *count == 0 {
            self.counts.remove(&bin);
        }
    }

    /// Returns whether it contains no rows.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the value at a fraction of the ranks, interpolated between the two nearest ranks,
    /// each exact to 1 %.
    pub fn finish(&self, fraction: Decimal) -> Value {
        self.percentile(fraction).into()
    }

    fn percentile(&self, fraction: Decimal) -> Result<Decimal, Reason> {
        let count = self.counts.values().copied().fold(0, i64::saturating_add);
        let last = count.checked_sub(1).filter(|last| *last >= 0).ok_or(Reason::NoRows)?;
        if !(Decimal::ZERO..=Decimal::ONE).contains(&fraction) {
            return Err(Reason::Domain);
        }
        let position = number::multiply(Decimal::from(last), fraction)?;
        let whole = position.floor();
        let rank = i64::try_from(whole).map_err(|_too_large| Reason::Overflow)?;
        let low = self.at(rank)?;
        let rest = number::subtract(position, whole)?;
        if rest.is_zero() {
            return Ok(low);
        }
        let high = self.at(rank.saturating_add(1))?;
        number::interpolate(low, high, rest)
    }

    /// Returns the number at a rank, counted from 0.
    fn at(&self, rank: i64) -> Result<Decimal, Reason> {
        let mut before = 0_i64;
        for (bin, count) in &self.counts {
            before = before.saturating_add(*count);
            if rank < before {
                return middle(*bin);
            }
        }
        Err(Reason::NoRows)
    }
}

/// Returns the bin of a number.
fn bin_of(number: Decimal) -> i32 {
    let magnitude = number.mantissa().unsigned_abs();
    let Some(digits) = magnitude.checked_ilog10() else { return 0 };
    let scale = i32::try_from(number.scale()).unwrap_or(0);
    let power = i32::try_from(digits).unwrap_or(0).saturating_sub(scale);
    // The digits as a number from 1 to 10, times 10^15; digits below do not move a bin edge.
    let lead = match EDGE_DIGITS.checked_sub(digits) {
        Some(more) => magnitude.saturating_mul(10_u128.saturating_pow(more)),
        None => magnitude
            .checked_div(10_u128.saturating_pow(digits.saturating_sub(EDGE_DIGITS)))
            .unwrap_or(0),
    };
    let within = EDGES.partition_point(|edge| u128::from(*edge) <= lead).saturating_sub(1);
    let decade = power.saturating_sub(LOWEST);
    let per_decade = i32::try_from(PER_DECADE).unwrap_or(i32::MAX);
    let place = decade.saturating_mul(per_decade);
    let place = place.saturating_add(i32::try_from(within).unwrap_or(0)).saturating_add(1);
    if number.is_sign_negative() { place.saturating_neg() } else { place }
}

/// Returns the middle of a bin.
fn middle(bin: i32) -> Result<Decimal, Reason> {
    let Some(place) = bin.checked_abs().and_then(|place| place.checked_sub(1)) else {
        return Err(Reason::Overflow);
    };
    let Ok(place) = usize::try_from(place) else { return Ok(Decimal::ZERO) };
    let within = place.checked_rem(PER_DECADE).unwrap_or(0);
    let decade = i32::try_from(place.checked_div(PER_DECADE).unwrap_or(0)).unwrap_or(i32::MAX);
    let lower = EDGES.get(within).copied().unwrap_or(0);
    let ten = 10_u64.saturating_pow(EDGE_DIGITS.saturating_add(1));
    let upper = EDGES.get(within.saturating_add(1)).copied().unwrap_or(ten);
    // The middle, half the sum of both edges, is five tenths of it.
    let both = i128::from(lower).saturating_add(i128::from(upper));
    let scale = i32::try_from(EDGE_DIGITS).unwrap_or(0).saturating_add(1);
    let scale = scale.saturating_sub(decade.saturating_add(LOWEST));
    let middle = both.saturating_mul(5);
    let sized = match u32::try_from(scale) {
        Ok(scale) => number::from_scaled(middle, scale)?,
        Err(_negative) => {
            let factor = 10_i128.checked_pow(scale.unsigned_abs()).ok_or(Reason::Overflow)?;
            number::from_scaled(middle.checked_mul(factor).ok_or(Reason::Overflow)?, 0)?
        }
    };
    Ok(if bin < 0 { number::negate(sized) } else { sized })
}
