//! Counting different values, by group.

use std::ops::Range;

use rust_decimal::Decimal;

use super::frame::Part;
use super::vector::Vector;
use crate::types::Value;

/// How many different values each group has; nulls do not count.
pub(super) fn count(
    value: &Vector,
    positions: Range<usize>,
    group_count: usize,
    group: impl Fn(usize) -> Option<usize>,
) -> Vec<Value> {
    let compact = match value {
        Vector::Codes { codes, .. } => Some(pairs(positions.clone(), value, &group, |at| {
            codes.get(at).copied().map(u64::from)
        })),
        Vector::Scaled { values, .. } | Vector::Instants(values) => {
            Some(pairs(positions.clone(), value, &group, |at| {
                values.get(at).map(|value| value.cast_unsigned())
            }))
        }
        Vector::Same(_) | Vector::Truth(_) | Vector::Values(_) => None,
    };
    let counts = match compact {
        Some(pairs) => tally(pairs, group_count),
        None => tally(
            pairs(positions, value, &group, |at| Some(Part::of(&value.value(at)))),
            group_count,
        ),
    };
    counts.into_iter().map(|count| Value::Number(Decimal::from(count))).collect()
}

fn pairs<K>(
    positions: Range<usize>,
    value: &Vector,
    group: impl Fn(usize) -> Option<usize>,
    key: impl Fn(usize) -> Option<K>,
) -> Vec<(usize, K)> {
    positions
        .filter(|at| !value.is_missing(*at))
        .filter_map(|at| Some((group(at)?, key(at)?)))
        .collect()
}

fn tally<K: Ord>(mut pairs: Vec<(usize, K)>, group_count: usize) -> Vec<u64> {
    pairs.sort_unstable();
    pairs.dedup();
    let mut counts = vec![0_u64; group_count];
    for (group, _) in pairs {
        if let Some(count) = counts.get_mut(group) {
            *count = count.saturating_add(1);
        }
    }
    counts
}
