//! Distinct counts by group.

use rust_decimal::Decimal;

use super::totals::ArrayView;
use super::vector::Vector;
use crate::data::{NO_CODE, NULL};
use crate::evaluate::frames::GroupValue;
use crate::types::Value;

/// Limit: bytes of the mark table for each row; a larger table is replaced by sorting.
const MARKS_A_ROW: usize = 16;

/// The number of distinct values in each group, ignoring nulls.
pub(super) fn count(value: &Vector, rows: &ArrayView<'_>) -> Vec<Value> {
    let counts = match value {
        Vector::Codes { codes, entries } => texts(codes, entries.len(), rows),
        Vector::Scaled { values, .. } | Vector::Instants(values) => count_distinct(
            pairs(rows, |at| values.get(at).copied().filter(|value| *value != NULL)),
            rows.group_count,
        ),
        _ => count_distinct(
            pairs(rows, |at| (!value.is_missing(at)).then(|| GroupValue::of(&value.value(at)))),
            rows.group_count,
        ),
    };
    counts.into_iter().map(|count| Value::Number(Decimal::from(count))).collect()
}

/// Counts texts by marking them in a table; falls back to sorting if the table would be much larger than the rows.
fn texts(codes: &[u32], entries: usize, rows: &ArrayView<'_>) -> Vec<u64> {
    let row_count = rows.positions().len();
    let marks = entries.checked_mul(rows.group_count);
    let marks = marks.filter(|marks| *marks <= row_count.saturating_mul(MARKS_A_ROW));
    let Some(marks) = marks else {
        let known = |at: usize| codes.get(at).copied().filter(|code| *code != NO_CODE);
        return count_distinct(pairs(rows, known), rows.group_count);
    };
    let mut seen = vec![false; marks];
    for at in rows.positions() {
        let Some(code) = codes.get(at).filter(|code| **code != NO_CODE) else { continue };
        let place = rows.group(at).zip(usize::try_from(*code).ok());
        let place = place.map(|(group, code)| group.wrapping_mul(entries).wrapping_add(code));
        if let Some(slot) = place.and_then(|place| seen.get_mut(place)) {
            *slot = true;
        }
    }
    if entries == 0 {
        return vec![0; rows.group_count];
    }
    let count = |seen: &[bool]| seen.iter().map(|seen| u64::from(*seen)).sum();
    seen.chunks(entries).map(count).collect()
}

pub(super) fn pairs<K>(rows: &ArrayView<'_>, key: impl Fn(usize) -> Option<K>) -> Vec<(usize, K)> {
    rows.positions().filter_map(|at| Some((rows.group(at)?, key(at)?))).collect()
}

fn count_distinct<K: Ord>(mut pairs: Vec<(usize, K)>, group_count: usize) -> Vec<u64> {
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
