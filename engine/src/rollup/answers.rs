//! The answers of each strategy, from merged partial aggregates.

use roaring::RoaringBitmap;
use rust_decimal::Decimal;

use super::aggregates::{DistinctSet, RepeatSet, Retraction};
use super::bucket::Grain;
use super::partial::PartialAggregate;
use super::period::TimeCoverage;
use super::reader::{GroupPartials, PeriodPartials, ReadRequest, RollupReader};
use super::strategy::{
    CountCondition, CountLeaf, DeclineReason, RangedPlan, RollupPlan, TimeRange,
};
use crate::evaluate::{AmountCurrency, Evaluation, in_currencies};
use crate::types::{Reason, Value};

const INCONCLUSIVE: &str = "its partial aggregates are too large, or mixed, to tell the answer";

impl RollupReader<'_> {
    pub(super) fn merge(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        request: &ReadRequest<'_>,
        ranged: &RangedPlan,
    ) -> Result<Vec<Value>, DeclineReason> {
        let PeriodPartials { kind, scale, codes, periods } =
            self.partials(evaluation, request, ranged)?;
        let policy = evaluation.context().schema.store.mixed_currency;
        let finish = |partial: &PartialAggregate| {
            let found = partial.finish(request.function, request.fraction, scale);
            found.ok_or_else(|| INCONCLUSIVE.to_owned())
        };
        answers(request, &periods, |_, partials, answers| {
            if ranged.plan.currency.is_none() {
                for partial in partials {
                    answers.push(finish(partial)?);
                }
                return Ok(());
            }
            let empty = finish(&PartialAggregate::empty(kind))?;
            for group in 0..request.frame.group_count() {
                let first = group.saturating_mul(codes.len());
                let own = partials.iter().skip(first).take(codes.len());
                let own = codes.iter().zip(own).filter(|(_, partial)| !partial.is_empty());
                let own = own.map(|(code, partial)| {
                    Ok((AmountCurrency::of_code(&code.to_value()), finish(partial)?))
                });
                let own = own.collect::<Result<Vec<_>, DeclineReason>>()?;
                let whole = own.first().map_or(&empty, |(_, value)| value);
                answers.push(in_currencies(&own, whole, policy));
            }
            Ok(())
        })
    }

    /// Answers with the rows opened before a boundary of the period, minus those closed by then.
    pub(super) fn difference(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        request: &ReadRequest<'_>,
        opened: &RangedPlan,
        closed: &RangedPlan,
    ) -> Result<Vec<Value>, DeclineReason> {
        let PeriodPartials { scale, periods: opened, .. } =
            self.partials(evaluation, request, opened)?;
        let closed = self.partials(evaluation, request, closed)?.periods;
        let mut answers = Vec::with_capacity(request.frame.cell_count());
        for (opened, closed) in opened.into_iter().zip(closed) {
            let (Some(opened), Some(closed)) = (opened, closed) else {
                return Err("a source without dates of its own has no coverage".to_owned());
            };
            for both in opened.partials.into_iter().zip(&closed.partials) {
                let (PartialAggregate::SumCount(mut open), PartialAggregate::SumCount(closed)) =
                    both
                else {
                    return Err(INCONCLUSIVE.to_owned());
                };
                if open.subtract(closed) == Retraction::Rebuild {
                    return Err(INCONCLUSIVE.to_owned());
                }
                let answer = PartialAggregate::SumCount(open).finish(
                    request.function,
                    request.fraction,
                    scale,
                );
                answers.push(answer.ok_or(INCONCLUSIVE)?);
            }
        }
        Ok(answers)
    }

    /// Counts the keys that are in all of the other sets too.
    pub(super) fn intersection(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        request: &ReadRequest<'_>,
        plan: RollupPlan,
        sets: &[RangedPlan],
    ) -> Result<Vec<Value>, DeclineReason> {
        let mut common: Vec<Option<RoaringBitmap>> = vec![None; request.frame.buckets.len()];
        for set in sets {
            let found = self.whole(evaluation, request, set)?;
            for (partial, common) in found.into_iter().zip(&mut common) {
                let Some(PartialAggregate::DistinctSet(keys)) = partial else {
                    return Err(INCONCLUSIVE.to_owned());
                };
                let seen = keys.seen();
                *common = Some(common.as_ref().map_or_else(|| seen.clone(), |own| own & seen));
            }
        }
        let own = RangedPlan { plan, range: TimeRange::Frame };
        let mut periods = self.partials(evaluation, request, &own)?.periods;
        for (period, common) in periods.iter_mut().zip(&common) {
            if common.is_none() {
                *period = None;
            }
        }
        counts(request, &periods, |index, keys| {
            let common = common.get(index).and_then(Option::as_ref);
            Ok(common.map_or(0, |common| keys.seen().intersection_len(common)))
        })
    }

    /// Counts the rows of an entity that meet a condition on the number of rows linked to them.
    pub(super) fn count_condition(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        request: &ReadRequest<'_>,
        members: &RangedPlan,
        condition: &CountCondition,
    ) -> Result<Vec<Value>, DeclineReason> {
        let leaves = condition.leaves().into_iter();
        let counted = leaves.map(|leaf| self.counted(evaluation, request, leaf));
        let counted = counted.collect::<Result<Vec<_>, _>>()?;
        let members = self.partials(evaluation, request, members)?.periods;
        counts(request, &members, |index, keys| {
            if !keys.is_complete() {
                return Err("there are rows without a key".to_owned());
            }
            let mut counts = counted.iter().map(|leaf| leaf.get(index).cloned().flatten());
            Ok(condition.matching(keys.seen(), &mut counts).len())
        })
    }

    /// Returns for each period the keys that rows link to, once and repeatedly, in the windows of a
    /// count.
    fn counted(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        request: &ReadRequest<'_>,
        leaf: &CountLeaf,
    ) -> Result<Vec<Option<RepeatSet>>, DeclineReason> {
        let mut frame = Some(request.frame_id);
        for window in &leaf.windows {
            frame = frame.and_then(|frame| evaluation.frames_mut().window(*window, frame));
        }
        // A window that leaves the range of instants is a null for every row.
        let frame = frame.and_then(|frame| evaluation.frame(frame).cloned());
        let Some(frame) = frame else { return Ok(vec![None; request.frame.buckets.len()]) };
        let table = evaluation.context().schema.source_at(leaf.ranged.plan.source);
        let is_dated = leaf.ranged.plan.definition.grain != Grain::Always;
        let coverage = TimeCoverage {
            kind: table.map(|table| table.kind),
            coverage: table.and_then(|table| table.coverage).filter(|_| is_dated),
            present: None,
        };
        let request = ReadRequest { coverage: &coverage, frame: &frame, ..*request };
        let found = self.whole(evaluation, &request, &leaf.ranged)?.into_iter();
        let repeats = found.zip(&frame.buckets).map(|(partial, bucket)| match partial {
            // What has not begun is a null for every row too.
            _ if frame.is_unbegun(bucket) => Ok(None),
            Some(PartialAggregate::RepeatSet(repeats)) => Ok(Some(repeats)),
            Some(_) => Err(INCONCLUSIVE.to_owned()),
            None => Ok(None),
        });
        repeats.collect()
    }
}

/// Answers each period from its merged partials, or with a null for every group.
fn answers(
    request: &ReadRequest<'_>,
    periods: &[Option<GroupPartials>],
    mut answer: impl FnMut(usize, &[PartialAggregate], &mut Vec<Value>) -> Result<(), DeclineReason>,
) -> Result<Vec<Value>, DeclineReason> {
    let none = |reason| vec![Value::missing(reason); request.frame.group_count()];
    let mut answers = Vec::with_capacity(request.frame.cell_count());
    for (index, period) in periods.iter().enumerate() {
        match period {
            None => answers.extend(none(Reason::NoCoverage)),
            Some(period) if request.coverage.is_void(period.buckets) => {
                answers.extend(none(Reason::NoRows));
            }
            Some(period) => answer(index, &period.partials, &mut answers)?,
        }
    }
    Ok(answers)
}

/// Answers each period and group with a number of keys of its set.
fn counts(
    request: &ReadRequest<'_>,
    periods: &[Option<GroupPartials>],
    count: impl Fn(usize, &DistinctSet) -> Result<u64, DeclineReason>,
) -> Result<Vec<Value>, DeclineReason> {
    answers(request, periods, |index, partials, answers| {
        for partial in partials {
            let PartialAggregate::DistinctSet(keys) = partial else {
                return Err(INCONCLUSIVE.to_owned());
            };
            answers.push(Value::Number(Decimal::from(count(index, keys)?)));
        }
        Ok(())
    })
}
