//! Values compared across the buckets of a frame, separately for each group.

use std::ops::Range;
use std::rc::Rc;

use rust_decimal::Decimal;

use super::aggregates::without_unbegun;
use super::evaluator::Evaluator;
use crate::check::{AggregateFunction, BucketWindow};
use crate::evaluate::amount_currency::AmountCurrency;
use crate::evaluate::frames::{FrameId, Series};
use crate::evaluate::scan::{Sample, finish};
use crate::plan::NodeRef;
use crate::types::{Reason, Value};

impl Evaluator<'_> {
    /// The values of a bucket window. A bucket that has not begun has no value, and the windows of other buckets
    /// leave it out.
    pub(super) fn over_buckets(
        &mut self,
        call: NodeRef,
        window: BucketWindow,
        operand: NodeRef,
        frame: FrameId,
    ) -> Series {
        if let Some(value) = self.recorded_call(call, frame) {
            return self.frames.constant(frame, &value);
        }
        let values = self.series(operand, frame);
        let groups = self.frames.group_count(frame);
        let unbegun = if self.context.record.is_none() { self.unbegun(frame) } else { Vec::new() };
        let values = without_unbegun(values, &unbegun, groups);
        let buckets = Buckets { values: values.as_slice(), groups };
        let found = match window {
            BucketWindow::Previous(count) => {
                buckets.before(count, &Value::missing(Reason::NoBucket))
            }
            BucketWindow::Average(count) => {
                self.log.step(values.len().saturating_mul(count.min(buckets.len())));
                if self.is_exhausted() {
                    return self.frames.missing(frame, Reason::Overflow);
                }
                buckets.averages(count)
            }
            BucketWindow::Rank => buckets.ranks(),
        };
        let found = without_unbegun(Rc::new(found), &unbegun, groups);
        let Some(own) = self.currencies(operand, frame) else { return found };
        let currencies = Buckets { values: own.as_slice(), groups }.currencies(window);
        match window {
            BucketWindow::Previous(_) => {
                self.keep_currencies(call, frame, &found, &currencies);
                found
            }
            BucketWindow::Average(_) | BucketWindow::Rank => {
                self.nulled(call, frame, found, &currencies)
            }
        }
    }
}

/// The values of a series, or their currencies, bucket by bucket.
struct Buckets<'s, T> {
    values: &'s [T],
    groups: usize,
}

impl<T: Clone> Buckets<'_, T> {
    fn len(&self) -> usize {
        self.values.len().checked_div(self.groups).unwrap_or(0)
    }

    fn value(&self, bucket: usize, group: usize) -> Option<&T> {
        self.values.get(bucket.checked_mul(self.groups)?.checked_add(group)?)
    }

    /// The bucket and the group of each value, in order.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let groups = self.groups;
        (0..self.len()).flat_map(move |bucket| (0..groups).map(move |group| (bucket, group)))
    }

    /// For each bucket the value of an earlier one; `none` where there is no such bucket.
    fn before(&self, count: usize, none: &T) -> Vec<T> {
        let value = |(bucket, group): (usize, usize)| {
            let earlier = bucket.checked_sub(count);
            let value = earlier.and_then(|earlier| self.value(earlier, group));
            value.unwrap_or(none).clone()
        };
        self.cells().map(value).collect()
    }
}

impl Buckets<'_, AmountCurrency> {
    /// The currency of a window's value in each bucket.
    fn currencies(&self, window: BucketWindow) -> Vec<AmountCurrency> {
        let over = |buckets: Range<usize>, group| {
            let read = buckets.filter_map(|bucket| self.value(bucket, group));
            read.fold(AmountCurrency::Any, |all, currency| all.with(currency))
        };
        match window {
            BucketWindow::Previous(count) => self.before(count, &AmountCurrency::Any),
            BucketWindow::Average(count) => {
                let cell = |(bucket, group): (usize, usize)| {
                    let after = bucket.saturating_add(1);
                    over(after.saturating_sub(count)..after, group)
                };
                self.cells().map(cell).collect()
            }
            BucketWindow::Rank => {
                let all = (0..self.groups).map(|group| over(0..self.len(), group));
                let all: Vec<AmountCurrency> = all.collect();
                (0..self.len()).flat_map(|_| all.iter().cloned()).collect()
            }
        }
    }
}

impl Buckets<'_, Value> {
    fn averages(&self, count: usize) -> Vec<Value> {
        let mean = |(bucket, group): (usize, usize)| {
            let after = bucket.saturating_add(1);
            let mut sample = Sample::default();
            for own in after.saturating_sub(count)..after {
                if let Some(value) = self.value(own, group) {
                    sample.push(value);
                }
            }
            let mean = finish(AggregateFunction::Average, &sample, None);
            let own = self.value(bucket, group).filter(|own| own.is_missing());
            let is_empty = mean.as_missing().is_some_and(|null| null.reason == Reason::NoRows);
            own.filter(|_| is_empty).cloned().unwrap_or(mean)
        };
        self.cells().map(mean).collect()
    }

    fn ranks(&self) -> Vec<Value> {
        let mut ranks = self.values.to_vec();
        for group in 0..self.groups {
            rank(&mut ranks, (group..self.values.len()).step_by(self.groups));
        }
        ranks
    }
}

/// Replaces the numbers at these indices by their ranks: the largest ranks 1, equal ones share a
/// rank, and nulls stay.
pub(super) fn rank(values: &mut [Value], indices: impl Iterator<Item = usize>) {
    let number = |index: usize| Some((index, values.get(index)?.as_number()?));
    let mut order: Vec<(usize, Decimal)> = indices.filter_map(number).collect();
    order.sort_by(|(_, left), (_, right)| right.cmp(left));
    let mut place = 0_usize;
    let mut last: Option<Decimal> = None;
    for (position, (index, number)) in order.into_iter().enumerate() {
        if last != Some(number) {
            place = position.saturating_add(1);
        }
        last = Some(number);
        if let Some(slot) = values.get_mut(index) {
            *slot = Value::Number(Decimal::from(place));
        }
    }
}
