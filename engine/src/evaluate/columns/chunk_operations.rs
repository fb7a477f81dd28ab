//! Kernels with null handling, from chunks to a chunk. `None` means that a result did not fit, or that a
//! chunk does not have the agreed form.

use rust_decimal::Decimal;

use super::chunk::{
    BLOCK_ROWS, Chunk, ChunkView, Data, PRESENT, ViewData, code_at, code_of, reason_of,
};
use super::kernels::{self, Divided};
use crate::check::{Arithmetic, Comparison};
use crate::number::{self, Quotient, Rounding, Small};
use crate::plan::operators::holds;
use crate::types::Reason;

pub(super) fn ints(
    out: &mut Chunk,
    a: ChunkView<'_>,
    b: ChunkView<'_>,
    kernel: impl Fn(&mut [i64], &[i64], &[i64]) -> bool,
) -> Option<()> {
    out.join_nulls(a, b);
    let (ViewData::Ints(a), ViewData::Ints(b), Data::Ints(out)) = (a.data, b.data, &mut out.data)
    else {
        return None;
    };
    kernel(out, a, b).then_some(())
}

pub(super) fn int(
    out: &mut Chunk,
    a: ChunkView<'_>,
    kernel: impl Fn(&mut [i64], &[i64]) -> bool,
) -> Option<()> {
    out.copy_nulls(a.codes);
    let (ViewData::Ints(a), Data::Ints(out)) = (a.data, &mut out.data) else { return None };
    kernel(out, a).then_some(())
}

pub(super) fn rounded_quotient(
    out: &mut Chunk,
    (top, bottom): (ChunkView<'_>, ChunkView<'_>),
    factors: (i64, i64),
    rounding: Rounding,
) -> Option<()> {
    out.join_nulls(top, bottom);
    let (ViewData::Ints(top), ViewData::Ints(bottom), Data::Ints(values)) =
        (top.data, bottom.data, &mut out.data)
    else {
        return None;
    };
    let Divided { fits, zeros } = if rounding == Rounding::HalfUp {
        kernels::round_quotient(values, top, bottom, factors)
    } else {
        kernels::round_quotient_slowly(values, top, bottom, factors, rounding)
    };
    if zeros {
        out.start_nulls();
        for (code, bottom) in out.codes.iter_mut().zip(bottom) {
            if *bottom == 0 && *code == PRESENT {
                *code = code_of(Reason::DivisionByZero);
            }
        }
        out.settle(bottom.len());
    }
    fits.then_some(())
}

pub(super) fn quotient(
    out: &mut Chunk,
    top: ChunkView<'_>,
    bottom: ChunkView<'_>,
    scale: u32,
) -> Option<()> {
    out.join_nulls(top, bottom);
    let (ViewData::Ints(top), ViewData::Ints(bottom)) = (top.data, bottom.data) else {
        return None;
    };
    let rows = top.iter().zip(bottom).map(|(top, bottom)| divided(*top, *bottom, scale));
    settle_rows(out, rows, top.len())
}

/// `top / bottom / 10^scale`, in 64 bits where possible.
#[inline]
fn divided(top: i64, bottom: i64, scale: u32) -> Result<Decimal, Reason> {
    let small = Small::new(top, scale).zip(Small::new(bottom, 0));
    match small.and_then(|(top, bottom)| top.divide(bottom)) {
        Some(Ok(Quotient::Small(small))) => Ok(small.decimal()),
        Some(Ok(Quotient::Large(number))) => Ok(number),
        Some(Err(reason)) => Err(reason),
        None => number::divide(Decimal::new(top, scale), Decimal::from(bottom)),
    }
}

/// Writes a decimal or a null reason to every row that is not yet null.
fn settle_rows(
    out: &mut Chunk,
    rows: impl Iterator<Item = Result<Decimal, Reason>>,
    count: usize,
) -> Option<()> {
    let Data::Decimals(values) = &mut out.data else { return None };
    let mut failures: Vec<(usize, Reason)> = Vec::new();
    for (row, (value, found)) in values.iter_mut().zip(rows).enumerate() {
        match found {
            Ok(found) => *value = found,
            Err(reason) => failures.push((row, reason)),
        }
    }
    if !failures.is_empty() {
        out.start_nulls();
        for (row, reason) in failures {
            if let Some(code) = out.codes.get_mut(row).filter(|code| **code == PRESENT) {
                *code = code_of(reason);
            }
        }
        out.settle(count);
    }
    Some(())
}

pub(super) fn widen(out: &mut Chunk, a: ChunkView<'_>, scale: u32) -> Option<()> {
    out.copy_nulls(a.codes);
    let (ViewData::Ints(a), Data::Decimals(values)) = (a.data, &mut out.data) else { return None };
    for (value, a) in values.iter_mut().zip(a) {
        *value = Decimal::new(*a, scale);
    }
    Some(())
}

pub(super) fn decimals(
    out: &mut Chunk,
    op: Arithmetic,
    a: ChunkView<'_>,
    b: ChunkView<'_>,
) -> Option<()> {
    out.join_nulls(a, b);
    let (ViewData::Decimals(a), ViewData::Decimals(b)) = (a.data, b.data) else { return None };
    let rows = a.iter().zip(b);
    match op {
        Arithmetic::Add => settle_rows(out, rows.map(|(a, b)| number::add(*a, *b)), a.len()),
        Arithmetic::Subtract => {
            settle_rows(out, rows.map(|(a, b)| number::subtract(*a, *b)), a.len())
        }
        Arithmetic::Multiply => {
            settle_rows(out, rows.map(|(a, b)| number::multiply(*a, *b)), a.len())
        }
        Arithmetic::Divide => settle_rows(out, rows.map(|(a, b)| number::divide(*a, *b)), a.len()),
        Arithmetic::Power | Arithmetic::Shift | Arithmetic::ShiftBack | Arithmetic::Between => None,
    }
}

pub(super) fn decimal(
    out: &mut Chunk,
    a: ChunkView<'_>,
    of: impl Fn(Decimal) -> Result<Decimal, Reason>,
) -> Option<()> {
    out.copy_nulls(a.codes);
    let ViewData::Decimals(a) = a.data else { return None };
    settle_rows(out, a.iter().map(|a| of(*a)), a.len())
}

/// Two-valued comparison: with a null on either side only "different" is true.
pub(super) fn compare(
    out: &mut Chunk,
    op: Comparison,
    a: ChunkView<'_>,
    b: ChunkView<'_>,
) -> Option<()> {
    out.has_null = false;
    let Data::Truths(truths) = &mut out.data else { return None };
    compare_into(truths, op, a, b)
}

fn compare_into(
    truths: &mut [bool],
    op: Comparison,
    a: ChunkView<'_>,
    b: ChunkView<'_>,
) -> Option<()> {
    match (a.data, b.data) {
        (ViewData::Ints(a), ViewData::Ints(b)) => kernels::compare(truths, op, a, b),
        (ViewData::Decimals(a), ViewData::Decimals(b)) => {
            kernels::each(truths, a, b, |a: Decimal, b: Decimal| holds(op, a.cmp(&b)));
        }
        (ViewData::Truths(a), ViewData::Truths(b)) => {
            kernels::each(truths, a, b, |a: bool, b: bool| holds(op, a.cmp(&b)));
        }
        _ => return None,
    }
    for codes in [a.codes, b.codes].into_iter().flatten() {
        for (truth, code) in truths.iter_mut().zip(codes) {
            if *code != PRESENT {
                *truth = op == Comparison::NotEqual;
            }
        }
    }
    Some(())
}

/// A boolean operation; null counts as false.
pub(super) fn truths(
    out: &mut Chunk,
    a: ChunkView<'_>,
    b: ChunkView<'_>,
    of: impl Fn(bool, bool) -> bool,
) -> Option<()> {
    out.has_null = false;
    let (ViewData::Truths(a), ViewData::Truths(b), Data::Truths(out)) =
        (a.data, b.data, &mut out.data)
    else {
        return None;
    };
    kernels::each(out, a, b, of);
    Some(())
}

/// Whether each row is null with the given reason.
pub(super) fn is_null_because(
    out: &mut Chunk,
    a: ChunkView<'_>,
    holds: impl Fn(Reason) -> bool,
) -> Option<()> {
    out.has_null = false;
    let Data::Truths(out) = &mut out.data else { return None };
    out.fill(false);
    for (truth, code) in out.iter_mut().zip(a.codes.unwrap_or_default()) {
        *truth = reason_of(*code).is_some_and(&holds);
    }
    Some(())
}

/// A choice between integers by a comparison; a single loop if integers are compared and nothing is null.
pub(super) fn select(
    out: &mut Chunk,
    op: Comparison,
    sides: (ChunkView<'_>, ChunkView<'_>),
    branches: (ChunkView<'_>, ChunkView<'_>),
) -> Option<()> {
    let ViewData::Ints(then) = branches.0.data else { return None };
    let views = [sides.0, sides.1, branches.0, branches.1];
    if let (ViewData::Ints(a), ViewData::Ints(b), ViewData::Ints(otherwise), Data::Ints(values)) =
        (sides.0.data, sides.1.data, branches.1.data, &mut out.data)
        && views.iter().all(|view| view.codes.is_none())
    {
        kernels::select(values, op, (a, b), (then, otherwise));
        out.has_null = false;
        return Some(());
    }
    let mut condition = [false; BLOCK_ROWS];
    let condition = condition.get_mut(..then.len())?;
    compare_into(condition, op, sides.0, sides.1)?;
    choose(out, condition, branches.0, branches.1)
}

pub(super) fn choose(
    out: &mut Chunk,
    condition: &[bool],
    a: ChunkView<'_>,
    b: ChunkView<'_>,
) -> Option<()> {
    match (a.data, b.data, &mut out.data) {
        (ViewData::Ints(a), ViewData::Ints(b), Data::Ints(out)) => {
            kernels::choose(out, condition, a, b);
        }
        (ViewData::Decimals(a), ViewData::Decimals(b), Data::Decimals(out)) => {
            kernels::choose(out, condition, a, b);
        }
        (ViewData::Truths(a), ViewData::Truths(b), Data::Truths(out)) => {
            kernels::choose(out, condition, a, b);
        }
        _ => return None,
    }
    out.has_null = false;
    if a.codes.is_some() || b.codes.is_some() {
        for (row, (code, condition)) in out.codes.iter_mut().zip(condition).enumerate() {
            *code = code_at(if *condition { a.codes } else { b.codes }, row);
        }
        out.settle(condition.len());
    }
    Some(())
}

/// The first operand unless it is null, else the second.
pub(super) fn fill(out: &mut Chunk, a: ChunkView<'_>, b: ChunkView<'_>) -> Option<()> {
    let rows = match a.data {
        ViewData::Ints(values) => values.len(),
        ViewData::Decimals(values) => values.len(),
        ViewData::Truths(values) => values.len(),
    };
    let kept: Vec<bool> = (0..rows).map(|row| code_at(a.codes, row) == PRESENT).collect();
    choose(out, &kept, a, b)
}

/// The second operand, null where the first is null.
pub(super) fn given(out: &mut Chunk, a: ChunkView<'_>, b: ChunkView<'_>) -> Option<()> {
    match (b.data, &mut out.data) {
        (ViewData::Ints(b), Data::Ints(out)) => {
            out.iter_mut().zip(b).for_each(|(out, b)| *out = *b);
        }
        (ViewData::Decimals(b), Data::Decimals(out)) => {
            out.iter_mut().zip(b).for_each(|(out, b)| *out = *b);
        }
        (ViewData::Truths(b), Data::Truths(out)) => {
            out.iter_mut().zip(b).for_each(|(out, b)| *out = *b);
        }
        _ => return None,
    }
    out.join_nulls(a, b);
    let codes = if out.has_null { out.codes.as_slice() } else { &[] };
    if let Data::Truths(truths) = &mut out.data {
        for (truth, code) in truths.iter_mut().zip(codes) {
            *truth &= *code == PRESENT;
        }
    }
    Some(())
}
