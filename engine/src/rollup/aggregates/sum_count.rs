//! Sums and counts as integers.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::Retraction;
use crate::number;
use crate::types::{Reason, Value};

/// A sum and a count, of values or of rows.
///
/// Values of each scale are added up as integers of their own, so that adding and subtracting are exact
/// and the answer has the scale of the values in it. A sum holds 2^31 of the largest values. Past 128 bits
/// it must be rebuilt; if it is still too large, the rows answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SumCountRecord", into = "SumCountRecord")]
pub struct SumCount {
    /// By scale, ascending; only scales that have a value. All amounts of a currency have the same scale.
    sums: SmallVec<[Sum; 1]>,
    /// Numbers of the nulls that make the answer null, by reason: no exchange rate, overflow.
    blocked: Vec<(u8, i64)>,
    /// Whether a sum did not fit in 128 bits.
    overflowed: bool,
}

/// The values of one scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Sum {
    scale: u32,
    total: i128,
    count: i64,
}

/// The stored form, which is compact for a single sum, since nearly all are.
#[derive(Serialize, Deserialize)]
enum SumCountRecord {
    One(Sum),
    Many { sums: Vec<Sum>, blocked: Vec<(u8, i64)>, overflowed: bool },
}

impl From<SumCount> for SumCountRecord {
    fn from(sum_count: SumCount) -> Self {
        let SumCount { sums, blocked, overflowed } = sum_count;
        match sums.as_slice() {
            [sum] if blocked.is_empty() && !overflowed => Self::One(*sum),
            _ => Self::Many { sums: sums.into_vec(), blocked, overflowed },
        }
    }
}

impl From<SumCountRecord> for SumCount {
    fn from(record: SumCountRecord) -> Self {
        match record {
            SumCountRecord::One(sum) => Self { sums: SmallVec::from([sum]), ..Self::default() },
            SumCountRecord::Many { sums, blocked, overflowed } => {
                Self { sums: SmallVec::from_vec(sums), blocked, overflowed }
            }
        }
    }
}

impl SumCount {
    /// Counts a row.
    pub fn fold_row(&mut self) {
        self.add(Sum { scale: 0, total: 0, count: 1 });
    }

    /// Adds a value. Texts, days and instants are counted; true adds one and false zero; most nulls are
    /// skipped.
    pub fn fold(&mut self, value: &Value) {
        let (total, scale) = match value {
            Value::Number(number) => (number.mantissa(), number.scale()),
            Value::Bool(truth) => (i128::from(*truth), 0),
            Value::Missing(missing) => {
                if let Some(blocks) = blocking(missing.reason) {
                    self.block(blocks, 1);
                }
                return;
            }
            _ => (0, 0),
        };
        self.add(Sum { scale, total, count: 1 });
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self) {
        for sum in &other.sums {
            self.add(*sum);
        }
        for (reason, count) in &other.blocked {
            self.block(*reason, *count);
        }
        self.overflowed |= other.overflowed;
    }

    /// Subtracts the partial aggregate of rows that were merged before.
    pub fn subtract(&mut self, other: &Self) -> Retraction {
        for sum in &other.sums {
            match (sum.total.checked_neg(), sum.count.checked_neg()) {
                (Some(total), Some(count)) => self.add(Sum { total, count, ..*sum }),
                _ => self.overflowed = true,
            }
        }
        for (reason, count) in &other.blocked {
            self.block(*reason, count.saturating_neg());
        }
        self.overflowed |= other.overflowed;
        if self.overflowed { Retraction::Rebuild } else { Retraction::Exact }
    }

    fn add(&mut self, sum: Sum) {
        let found = self.sums.binary_search_by_key(&sum.scale, |own| own.scale);
        let place = found.unwrap_or_else(|place| {
            self.sums.insert(place, Sum { total: 0, count: 0, ..sum });
            place
        });
        let Some(own) = self.sums.get_mut(place) else { return };
        match (own.total.checked_add(sum.total), own.count.checked_add(sum.count)) {
            (Some(total), Some(count)) => (own.total, own.count) = (total, count),
            _ => self.overflowed = true,
        }
        if own.total == 0 && own.count == 0 {
            self.sums.remove(place);
        }
    }

    fn block(&mut self, reason: u8, times: i64) {
        let found = self.blocked.binary_search_by_key(&reason, |(own, _)| *own);
        let place = found.unwrap_or_else(|place| {
            self.blocked.insert(place, (reason, 0));
            place
        });
        let Some((_, count)) = self.blocked.get_mut(place) else { return };
        *count = count.saturating_add(times);
        if *count == 0 {
            self.blocked.remove(place);
        }
    }

    /// Returns whether it contains no rows.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty() && self.blocked.is_empty() && !self.overflowed
    }

    /// Returns the number of values, or rows.
    pub fn count(&self) -> i64 {
        self.sums.iter().map(|sum| sum.count).fold(0, i64::saturating_add)
    }

    /// Returns the sum as an integer with its scale, at least the given one. `None` past 128 bits.
    fn total(&self, scale: u32) -> Option<(i128, u32)> {
        if self.overflowed {
            return None;
        }
        let scale = self.sums.last().map_or(scale, |last| last.scale.max(scale));
        let raised = self.sums.iter().try_fold(0_i128, |total, sum| {
            let factor = 10_i128.checked_pow(scale.checked_sub(sum.scale)?)?;
            total.checked_add(sum.total.checked_mul(factor)?)
        });
        raised.map(|total| (total, scale))
    }

    /// Returns the count as an answer.
    pub fn finish_count(&self) -> Value {
        Value::Number(Decimal::from(self.count()))
    }

    /// Returns the sum as an answer with at least the given scale; 0 over no values. `None` where only the
    /// rows determine it.
    pub fn finish_sum(&self, scale: u32) -> Option<Value> {
        self.unless_blocked(|| {
            let (total, scale) = self.total(scale)?;
            Some(number::from_scaled(total, scale).into())
        })
    }

    /// Returns the mean as an answer; over truth values it is the share of true ones. `None` where only the
    /// rows determine it.
    pub fn finish_average(&self) -> Option<Value> {
        self.unless_blocked(|| {
            let (total, scale) = self.total(0)?;
            let count = u64::try_from(self.count()).ok()?;
            Some(number::average(total, scale, count).into())
        })
    }

    /// Returns the null of the reason that occurs, or the answer where none does. `None` where several
    /// occur: the first in the order of rows would decide.
    fn unless_blocked(&self, answer: impl FnOnce() -> Option<Value>) -> Option<Value> {
        match self.blocked.as_slice() {
            [] => answer(),
            [(place, _)] => BLOCKING.get(usize::from(*place)).copied().map(Value::missing),
            _ => None,
        }
    }
}

/// The reasons of nulls that are not skipped. The index of each is stored.
const BLOCKING: [Reason; 4] =
    [Reason::NoRate, Reason::Overflow, Reason::MixedCurrency, Reason::MissingInput];

/// Returns the stored index of the reason of a null that is not skipped.
pub(super) fn blocking(reason: Reason) -> Option<u8> {
    let place = BLOCKING.iter().position(|known| *known == reason)?;
    u8::try_from(place).ok()
}
