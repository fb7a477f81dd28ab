//! Sums over periods that overlap, as under `trailing` and `running`: each row is added once.

use super::dated_rows::PositionRange;
use super::totals::{ArrayView, IntegerTotal};
use crate::check::AggregateFunction;
use crate::types::{Reason, Value};

/// Limit: sums held at once, boundaries times groups.
const MAX_TALLIES: usize = 1_000_000;

/// One answer for each range and group, from running sums at the boundaries of the ranges. `None`
/// if summing each range is less work, and for functions that running sums do not support.
///
/// `whole` spans all rows of the scan, and the ranges are positions in it; without a range there is
/// no coverage.
pub(super) fn answers(
    whole: &ArrayView<'_>,
    ranges: &[Option<PositionRange>],
    function: AggregateFunction,
) -> Option<Vec<Value>> {
    let requested = ranges.iter().flatten();
    let rows = requested
        .clone()
        .fold(0_usize, |sum, range| sum.saturating_add(range.to.saturating_sub(range.from)));
    if rows <= whole.to.saturating_sub(whole.from).saturating_mul(2) {
        return None;
    }
    let mut edges: Vec<usize> = requested.flat_map(|range| [range.from, range.to]).collect();
    edges.sort_unstable();
    edges.dedup();
    if edges.len().saturating_mul(whole.group_count) > MAX_TALLIES {
        return None;
    }
    let mut before = vec![IntegerTotal::default(); whole.group_count];
    let mut sums: Vec<Vec<IntegerTotal>> = Vec::with_capacity(edges.len());
    let mut from = edges.first().copied()?;
    for edge in &edges {
        let part = ArrayView { from, to: *edge, ..*whole }.sums(function)?;
        for (sum, part) in before.iter_mut().zip(part) {
            *sum = sum.plus(part);
        }
        sums.push(before.clone());
        from = *edge;
    }
    let up_to = |edge: usize| edges.binary_search(&edge).ok().and_then(|index| sums.get(index));
    let mut answers = Vec::with_capacity(ranges.len().saturating_mul(whole.group_count));
    for range in ranges {
        let ends = range.and_then(|range| up_to(range.from).zip(up_to(range.to)));
        match ends {
            Some((start, end)) => answers.extend(
                end.iter()
                    .zip(start)
                    .map(|(end, start)| whole.conclude(function, end.minus(*start))),
            ),
            None => answers.extend(vec![Value::missing(Reason::NoCoverage); whole.group_count]),
        }
    }
    Some(answers)
}
