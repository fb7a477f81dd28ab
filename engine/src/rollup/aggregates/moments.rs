//! Variances and standard deviations from sums of squares.

use serde::{Deserialize, Serialize};

use super::Retraction;
use crate::check::AggregateFunction;
use crate::number::PowerSums;
use crate::types::Value;

/// The first moments of some numbers: count, sum and sum of squares.
///
/// With integers nothing is rounded before the last division. That equals the answer over rows for numbers
/// whose digits fit in 64 bits. With any other number, the rows answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    scale: Option<u32>,
    count: i64,
    sum: i128,
    squares: i128,
    /// Whether a large number, a null that is not skipped, or a sum past 128 bits occurred.
    lost: bool,
}

impl Moments {
    /// Adds a number; nulls are skipped.
    pub fn fold(&mut self, value: &Value) {
        match value {
            Value::Missing(missing) => {
                self.lost |= super::sum_count::blocking(missing.reason).is_some();
            }
            Value::Number(number) => {
                let small = i64::try_from(number.mantissa()).map(i128::from);
                let one = small.ok().and_then(|value| {
                    let (scale, squares) = (Some(number.scale()), value.checked_mul(value)?);
                    Some(Self { scale, count: 1, sum: value, squares, lost: false })
                });
                match one {
                    Some(one) => self.merge(&one),
                    None => self.lost = true,
                }
            }
            _ => self.lost = true,
        }
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self) {
        let scale = self.scale.max(other.scale);
        let added = || {
            let (own, other) = (self.raised(scale)?, other.raised(scale)?);
            let sum = own.sum.checked_add(other.sum)?;
            let squares = own.squares.checked_add(other.squares)?;
            let count = own.count.checked_add(other.count)?;
            Some(Self { scale, count, sum, squares, lost: own.lost || other.lost })
        };
        match added() {
            Some(added) => *self = added,
            None => self.lost = true,
        }
        if self.count == 0 && self.sum == 0 && self.squares == 0 {
            self.scale = None;
        }
    }

    /// Returns the same moments with a larger scale.
    fn raised(&self, scale: Option<u32>) -> Option<Self> {
        let Some(to) = scale else { return Some(self.clone()) };
        let digits = to.checked_sub(self.scale.unwrap_or(to))?;
        let factor = 10_i128.checked_pow(digits)?;
        let squares = self.squares.checked_mul(factor)?.checked_mul(factor)?;
        Some(Self { scale, sum: self.sum.checked_mul(factor)?, squares, ..self.clone() })
    }

    /// Subtracts the partial aggregate of rows that were merged before.
    pub fn subtract(&mut self, other: &Self) -> Retraction {
        let turned = other.count.checked_neg().zip(other.sum.checked_neg());
        match turned.zip(other.squares.checked_neg()) {
            Some(((count, sum), squares)) => {
                self.merge(&Self { count, sum, squares, ..other.clone() });
            }
            None => self.lost = true,
        }
        if self.lost { Retraction::Rebuild } else { Retraction::Exact }
    }

    /// Returns whether it contains no rows.
    pub const fn is_empty(&self) -> bool {
        self.count == 0 && self.sum == 0 && self.squares == 0 && !self.lost
    }

    /// Returns a variance or a standard deviation as an answer. `None` where the squares do not fit, and
    /// for other functions.
    pub fn finish(&self, function: AggregateFunction) -> Option<Value> {
        if self.lost {
            return None;
        }
        let (count, squares) = (u64::try_from(self.count), u128::try_from(self.squares));
        let sums = PowerSums::new(count.ok()?, self.sum, squares.ok()?);
        Some(sums.spread(self.scale.unwrap_or(0), function.spread()?)?.into())
    }
}
