//! Linear sums: `sum(a - b)` is `sum(a) - sum(b)`, which needs no column of differences.

use super::chunk::BLOCK_ROWS;
use super::column::{Column, Values};
use super::kernels;
use super::run::{Prepared, SlotColumn};
use super::step::{OperandRef, Step};

/// Limit: columns in one sum; with more, the sum is first computed row by row.
const MAX_TERMS: usize = 32;

/// The sum over all rows of a linear combination of columns without nulls, in units of its scale; `None` if the
/// expression is not one.
pub(super) fn linear_sum(prepared: &Prepared<'_>, at: OperandRef, rows: usize) -> Option<i128> {
    let terms = terms(prepared, at)?;
    let mut total = 0_i128;
    let mut start = 0_usize;
    // Block by block, so that the terms of a row share the cache.
    while start < rows {
        let end = start.saturating_add(BLOCK_ROWS).min(rows);
        for (factor, values) in &terms {
            let sum = kernels::sum(values.get(start..end)?);
            total = total.checked_add(sum.checked_mul(*factor)?)?;
        }
        start = end;
    }
    Some(total)
}

/// The columns with their coefficients.
fn terms<'p>(prepared: &'p Prepared<'_>, at: OperandRef) -> Option<Vec<(i128, &'p [i64])>> {
    let mut terms = Vec::new();
    let mut stack = vec![(1_i128, at)];
    while let Some((factor, at)) = stack.pop() {
        if terms.len() >= MAX_TERMS || stack.len() >= MAX_TERMS {
            return None;
        }
        match at {
            OperandRef::Slot(index) => match prepared.slots.get(index)? {
                SlotColumn::Column(Column { values: Values::Ints { values, .. }, codes })
                    if codes.is_empty() =>
                {
                    terms.push((factor, values.as_slice()));
                }
                SlotColumn::Column(_) | SlotColumn::All(_) => return None,
            },
            OperandRef::Register(index) => match *prepared.kernels.steps.get(index)? {
                Step::Add(a, b) => stack.extend([(factor, a), (factor, b)]),
                Step::Subtract(a, b) => {
                    stack.extend([(factor, a), (factor.checked_neg()?, b)]);
                }
                Step::Negate(at) => stack.push((factor.checked_neg()?, at)),
                Step::ScaleUp { at, factor: raised } => {
                    stack.push((factor.checked_mul(i128::from(raised))?, at));
                }
                _ => return None,
            },
            OperandRef::Constant(_) => return None,
        }
    }
    Some(terms)
}
