//! The most frequent value of each group, and the smallest of several.

use std::sync::Arc;

use super::distinct::pairs;
use super::totals::ArrayView;
use super::vector::Vector;
use crate::data::{NO_CODE, NULL, instant, scaled};
use crate::types::{Reason, Value};

/// One answer for each group; `None` for a vector whose values are compared one by one.
pub(super) fn most_frequent(value: &Vector, rows: &ArrayView<'_>) -> Option<Vec<Value>> {
    let known = |values: &[i64], at: usize| values.get(at).copied().filter(|it| *it != NULL);
    match value {
        Vector::Scaled { values, scale } => {
            let found = modes(pairs(rows, |at| known(values, at)), rows, |a, b| a < b);
            Some(shown(found, |value| scaled(value, *scale)))
        }
        Vector::Instants(values) => {
            let found = modes(pairs(rows, |at| known(values, at)), rows, |a, b| a < b);
            Some(shown(found, instant))
        }
        Vector::Codes { codes, entries } => {
            let known = |at: usize| codes.get(at).copied().filter(|code| *code != NO_CODE);
            let found =
                modes(pairs(rows, known), rows, |a, b| entry(entries, a) < entry(entries, b));
            Some(shown(found, |code| of_code(entries, code)))
        }
        Vector::Same(_) | Vector::Truth(_) | Vector::Flags(_) | Vector::Values(_) => None,
    }
}

/// The smallest or the largest text of each group.
pub(super) fn extreme_texts(
    codes: &[u32],
    entries: &[Arc<str>],
    rows: &ArrayView<'_>,
    largest: bool,
) -> Vec<Value> {
    let mut best: Vec<Option<u32>> = vec![None; rows.group_count];
    for at in rows.positions() {
        let code = codes.get(at).copied().filter(|code| *code != NO_CODE);
        let slot = rows.group(at).and_then(|group| best.get_mut(group));
        let (Some(code), Some(slot)) = (code, slot) else { continue };
        let is_better = match *slot {
            None => true,
            Some(own) if own == code => false,
            Some(own) => (entry(entries, code) > entry(entries, own)) == largest,
        };
        if is_better {
            *slot = Some(code);
        }
    }
    shown(best, |code| of_code(entries, code))
}

/// The most frequent key of each group.
fn modes<K: Ord + Copy>(
    mut pairs: Vec<(usize, K)>,
    rows: &ArrayView<'_>,
    is_smaller: impl Fn(K, K) -> bool,
) -> Vec<Option<K>> {
    pairs.sort_unstable();
    let mut best: Vec<Option<(usize, K)>> = vec![None; rows.group_count];
    for run in pairs.chunk_by(|left, right| left == right) {
        let Some((group, key)) = run.first().copied() else { continue };
        let Some(slot) = best.get_mut(group) else { continue };
        let is_better = match *slot {
            None => true,
            Some((count, own)) => run.len() > count || run.len() == count && is_smaller(key, own),
        };
        if is_better {
            *slot = Some((run.len(), key));
        }
    }
    best.into_iter().map(|best| best.map(|(_, key)| key)).collect()
}

fn shown<K>(found: Vec<Option<K>>, value: impl Fn(K) -> Value) -> Vec<Value> {
    let answer = |key: Option<K>| key.map_or(Value::missing(Reason::NoRows), &value);
    found.into_iter().map(answer).collect()
}

fn entry(entries: &[Arc<str>], code: u32) -> Option<&Arc<str>> {
    usize::try_from(code).ok().and_then(|code| entries.get(code))
}

fn of_code(entries: &[Arc<str>], code: u32) -> Value {
    let text = entry(entries, code).map(|text| Value::Text(Arc::clone(text)));
    text.unwrap_or(Value::missing(Reason::NoRows))
}
