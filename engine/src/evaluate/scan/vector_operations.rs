//! Arithmetic and comparisons on scaled integers, texts by their code, and instants.
//!
//! Each returns `None` for operands it has no loop for, and on overflow. The caller then computes row
//! by row in decimals, which is slower and exact at any size.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::vector::Vector;
use crate::check::{Arithmetic, Comparison};
use crate::data::{NO_CODE, NULL};
use crate::plan::operators::{holds, is_true};
use crate::types::Value;

/// An operand of an integer operation: one value for each row, or one for all.
enum VectorOperand<'v> {
    Each(&'v [i64], u32),
    All(i64, u32),
}

impl VectorOperand<'_> {
    const fn scale(&self) -> u32 {
        match self {
            Self::Each(_, scale) | Self::All(_, scale) => *scale,
        }
    }

    fn get(&self, index: usize) -> i64 {
        match self {
            Self::Each(values, _) => values.get(index).copied().unwrap_or(NULL),
            Self::All(value, _) => *value,
        }
    }
}

fn operand(vector: &Vector) -> Option<VectorOperand<'_>> {
    match vector {
        Vector::Scaled { values, scale } => Some(VectorOperand::Each(values, *scale)),
        Vector::Same(Value::Number(number)) => {
            let number = number.normalize();
            let value = i64::try_from(number.mantissa()).ok().filter(|value| *value != NULL)?;
            Some(VectorOperand::All(value, number.scale()))
        }
        _ => None,
    }
}

/// Limit: digits after the point of a product; products of more digits are computed as decimals.
pub(crate) const MAX_PRODUCT_SCALE: u32 = 12;

pub(super) fn arithmetic(
    op: Arithmetic,
    left: &Vector,
    right: &Vector,
    count: usize,
) -> Option<Vector> {
    let (left, right) = (operand(left)?, operand(right)?);
    let (first, second, scale) = match op {
        Arithmetic::Multiply => (
            1,
            1,
            left.scale().checked_add(right.scale()).filter(|scale| *scale <= MAX_PRODUCT_SCALE)?,
        ),
        Arithmetic::Add | Arithmetic::Subtract => {
            let scale = left.scale().max(right.scale());
            let factor = |own: u32| 10_i64.checked_pow(scale.checked_sub(own)?);
            (factor(left.scale())?, factor(right.scale())?, scale)
        }
        _ => return None,
    };
    let values = match op {
        Arithmetic::Multiply => combined(&left, &right, count, i64::checked_mul),
        Arithmetic::Add => combined(&left, &right, count, |a, b| {
            a.checked_mul(first)?.checked_add(b.checked_mul(second)?)
        }),
        _ => combined(&left, &right, count, |a, b| {
            a.checked_mul(first)?.checked_sub(b.checked_mul(second)?)
        }),
    };
    values.map(|values| Vector::Scaled { values, scale })
}

/// Applies `of` to each pair of rows. Null operands give null; a result that does not fit gives `None` for all
/// rows.
fn combined(
    left: &VectorOperand<'_>,
    right: &VectorOperand<'_>,
    count: usize,
    of: impl Fn(i64, i64) -> Option<i64>,
) -> Option<Vec<i64>> {
    let one = |a: i64, b: i64| {
        if a == NULL || b == NULL {
            return Some(NULL);
        }
        of(a, b).filter(|value| *value != NULL)
    };
    match (left, right) {
        (VectorOperand::Each(left, _), VectorOperand::Each(right, _)) => {
            left.iter().zip(*right).map(|(a, b)| one(*a, *b)).collect()
        }
        (VectorOperand::Each(left, _), VectorOperand::All(b, _)) => {
            left.iter().map(|a| one(*a, *b)).collect()
        }
        (VectorOperand::All(a, _), VectorOperand::Each(right, _)) => {
            right.iter().map(|b| one(*a, *b)).collect()
        }
        (VectorOperand::All(a, _), VectorOperand::All(b, _)) => Some(vec![one(*a, *b)?; count]),
    }
}

pub(super) fn compare(
    op: Comparison,
    left: &Vector,
    right: &Vector,
    count: usize,
) -> Option<Vector> {
    if let (Some(first), Some(second)) = (operand(left), operand(right)) {
        return numbers(op, &first, &second, count);
    }
    match (left, right) {
        (Vector::Codes { codes, entries }, Vector::Same(Value::Text(text))) => {
            let holds = |entry: &str| holds(op, entry.cmp(text));
            Some(by_text((codes, entries), op == Comparison::NotEqual, holds))
        }
        (Vector::Instants(values), Vector::Same(Value::DateTime(at))) => {
            // An instant with nanoseconds lies between two microseconds, and equals neither.
            let (at, rest) = (at.as_microsecond(), at.as_nanosecond().rem_euclid(1_000));
            let truth = match op {
                _ if rest == 0 => compared(op, values.iter().map(|value| (*value, at))),
                Comparison::Equal => vec![false; count],
                Comparison::NotEqual => vec![true; count],
                Comparison::Less | Comparison::LessOrEqual => {
                    compared(Comparison::LessOrEqual, values.iter().map(|value| (*value, at)))
                }
                Comparison::Greater | Comparison::GreaterOrEqual => {
                    compared(Comparison::Greater, values.iter().map(|value| (*value, at)))
                }
            };
            Some(Vector::Truth(truth))
        }
        (Vector::Same(Value::Text(_)), Vector::Codes { .. })
        | (Vector::Same(Value::DateTime(_)), Vector::Instants(_)) => {
            compare(op.turned(), right, left, count)
        }
        (Vector::Instants(first), Vector::Instants(second)) => {
            let pairs = first.iter().zip(second).map(|(a, b)| (*a, *b));
            Some(Vector::Truth(compared(op, pairs)))
        }
        _ => None,
    }
}

/// Compares each pair. A null differs from everything; every other comparison with null is false.
fn compared(op: Comparison, pairs: impl Iterator<Item = (i64, i64)>) -> Vec<bool> {
    let known = |(a, b): &(i64, i64)| *a != NULL && *b != NULL;
    match op {
        Comparison::Equal => pairs.map(|pair| known(&pair) && pair.0 == pair.1).collect(),
        Comparison::NotEqual => pairs.map(|pair| !known(&pair) || pair.0 != pair.1).collect(),
        Comparison::Less => pairs.map(|pair| known(&pair) && pair.0 < pair.1).collect(),
        Comparison::LessOrEqual => pairs.map(|pair| known(&pair) && pair.0 <= pair.1).collect(),
        Comparison::Greater => pairs.map(|pair| known(&pair) && pair.0 > pair.1).collect(),
        Comparison::GreaterOrEqual => pairs.map(|pair| known(&pair) && pair.0 >= pair.1).collect(),
    }
}

fn numbers(
    op: Comparison,
    left: &VectorOperand<'_>,
    right: &VectorOperand<'_>,
    count: usize,
) -> Option<Vector> {
    let truth = match (left, right) {
        (VectorOperand::Each(left, scale), VectorOperand::Each(right, other)) if scale == other => {
            compared(op, left.iter().zip(*right).map(|(a, b)| (*a, *b)))
        }
        (VectorOperand::Each(values, scale), VectorOperand::All(one, other)) => {
            match scale.checked_sub(*other).and_then(|more| raised(*one, more)) {
                Some(one) => compared(op, values.iter().map(|value| (*value, one))),
                None => widened(op, left, right, count)?,
            }
        }
        (VectorOperand::All(..), VectorOperand::Each(..)) => {
            return numbers(op.turned(), right, left, count);
        }
        (VectorOperand::Each(..) | VectorOperand::All(..), _) => widened(op, left, right, count)?,
    };
    Some(Vector::Truth(truth))
}

/// Rescales a number to more digits after the point; `None` if it is too large.
fn raised(value: i64, digits: u32) -> Option<i64> {
    value.checked_mul(10_i64.checked_pow(digits)?).filter(|value| *value != NULL)
}

/// Combines numbers of different scales in 128 bits.
fn widened(
    op: Comparison,
    left: &VectorOperand<'_>,
    right: &VectorOperand<'_>,
    count: usize,
) -> Option<Vec<bool>> {
    let scale = left.scale().max(right.scale());
    let factor = |own: u32| 10_i128.checked_pow(scale.checked_sub(own)?);
    let (first, second) = (factor(left.scale())?, factor(right.scale())?);
    let mut truth = Vec::with_capacity(count);
    for index in 0..count {
        let (a, b) = (left.get(index), right.get(index));
        truth.push(if a == NULL || b == NULL {
            op == Comparison::NotEqual
        } else {
            let (a, b) = (i128::from(a).checked_mul(first)?, i128::from(b).checked_mul(second)?);
            holds(op, a.cmp(&b))
        });
    }
    Some(truth)
}

/// Maps a condition on texts to rows: once for each dictionary entry, unless there are far more entries than rows.
pub(super) fn by_text(
    (codes, entries): (&[u32], &[Arc<str>]),
    null: bool,
    holds: impl Fn(&str) -> bool,
) -> Vector {
    if entries.len() > codes.len().saturating_mul(2) {
        let entry = |code: &u32| usize::try_from(*code).ok().and_then(|code| entries.get(code));
        let of = |code| entry(code).map_or(null, |entry| holds(entry));
        return Vector::Truth(codes.iter().map(of).collect());
    }
    let by_code: Vec<bool> = entries.iter().map(|entry| holds(entry)).collect();
    by_codes(codes, &by_code, null)
}

/// Maps a condition's result for each dictionary entry to rows.
fn by_codes(codes: &[u32], by_code: &[bool], null: bool) -> Vector {
    let of = |code: &u32| {
        if *code == NO_CODE {
            return null;
        }
        usize::try_from(*code).ok().and_then(|code| by_code.get(code).copied()).unwrap_or(null)
    };
    Vector::Truth(codes.iter().map(of).collect())
}

/// Maps texts computed for each dictionary entry to rows, as a dictionary without duplicates.
fn reworded(codes: &[u32], results: &[Value]) -> Vector {
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    let mut entries: Vec<Arc<str>> = Vec::new();
    let mut renamed = Vec::with_capacity(results.len());
    for result in results {
        let Value::Text(text) = result else {
            renamed.push(NO_CODE);
            continue;
        };
        let next = u32::try_from(entries.len()).unwrap_or(NO_CODE);
        renamed.push(*known.entry(text).or_insert_with(|| {
            entries.push(Arc::clone(text));
            next
        }));
    }
    let of = |code: &u32| usize::try_from(*code).ok().and_then(|code| renamed.get(code).copied());
    let codes = codes.iter().map(|code| of(code).unwrap_or(NO_CODE)).collect();
    Vector::Codes { codes, entries: Arc::from(entries) }
}

/// Maps the values of dictionary entries to rows.
pub(super) fn spread(codes: &[u32], results: &[Value], null: &Value) -> Vector {
    if null.is_missing()
        && results.iter().all(|value| matches!(value, Value::Bool(_)))
        && codes.iter().all(|code| *code != NO_CODE)
    {
        let by_code: Vec<bool> = results.iter().map(is_true).collect();
        return by_codes(codes, &by_code, false);
    }
    if null.is_missing() && results.iter().all(|value| matches!(value, Value::Text(_))) {
        return reworded(codes, results);
    }
    let of = |code: &u32| {
        let code = usize::try_from(*code).ok();
        code.and_then(|code| results.get(code)).unwrap_or(null).clone()
    };
    Vector::Values(codes.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_condition_on_texts_is_found_for_the_rows_or_for_the_entries_whichever_are_fewer() {
        for (entry_count, expected) in [(100, 2), (3, 3)] {
            let entries: Vec<Arc<str>> =
                (0..entry_count).map(|n| Arc::from(n.to_string())).collect();
            let calls = Cell::new(0);
            let holds = |text: &str| {
                calls.set(calls.get() + 1);
                text == "2"
            };
            let found = by_text((&[2, NO_CODE, 0], &entries), true, holds);
            assert_eq!(found.truths(3).as_ref(), [true, true, false]);
            assert_eq!(calls.get(), expected);
        }
    }
}
