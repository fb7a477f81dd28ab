//! Kernels with the nulls around them: from lanes to a lane. `None` means that something did not
//! fit, or that lanes have not the form that was agreed.

use rust_decimal::Decimal;

use super::kernels::{self, Divided};
use super::lane::{BLOCK_ROWS, Data, Lane, Slice, View, code_at};
use super::reasons::{PRESENT, code_of, reason_of};
use crate::check::{Arithmetic, Comparison};
use crate::number::{self, Quotient, Rounding, Small};
use crate::plan::operators::holds;
use crate::types::Reason;

pub(super) fn ints(
    out: &mut Lane,
    a: View<'_>,
    b: View<'_>,
    kernel: impl Fn(&mut [i64], &[i64], &[i64]) -> bool,
) -> Option<()> {
    out.join_nulls(a, b);
    let (Slice::Ints(a), Slice::Ints(b), Data::Ints(out)) = (a.data, b.data, &mut out.data) else {
        return None;
    };
    kernel(out, a, b).then_some(())
}

pub(super) fn int(
    out: &mut Lane,
    a: View<'_>,
    kernel: impl Fn(&mut [i64], &[i64]) -> bool,
) -> Option<()> {
    out.copy_nulls(a.codes);
    let (Slice::Ints(a), Data::Ints(out)) = (a.data, &mut out.data) else { return None };
    kernel(out, a).then_some(())
}

pub(super) fn rounded_quotient(
    out: &mut Lane,
    (top, bottom): (View<'_>, View<'_>),
    factors: (i64, i64),
    rounding: Rounding,
) -> Option<()> {
    out.join_nulls(top, bottom);
    let (Slice::Ints(top), Slice::Ints(bottom), Data::Ints(values)) =
        (top.data, bottom.data, &mut out.data)
    else {
        return None;
    };
    let Divided { fits, zeros } = if rounding == Rounding::HalfUp {
        kernels::round_quotient(values, (top, bottom), factors)
    } else {
        kernels::round_quotient_slowly(values, (top, bottom), factors, rounding)
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

pub(super) fn quotient(out: &mut Lane, top: View<'_>, bottom: View<'_>, scale: u32) -> Option<()> {
    out.join_nulls(top, bottom);
    let (Slice::Ints(top), Slice::Ints(bottom)) = (top.data, bottom.data) else { return None };
    let rows = top.iter().zip(bottom).map(|(top, bottom)| divided(*top, *bottom, scale));
    settle_rows(out, rows, top.len())
}

/// `top / bottom / 10^scale`, in 64 bits where they reach.
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

/// Leaves a decimal or a reason in every row that is not null.
fn settle_rows(
    out: &mut Lane,
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

pub(super) fn widen(out: &mut Lane, a: View<'_>, scale: u32) -> Option<()> {
    out.copy_nulls(a.codes);
    let (Slice::Ints(a), Data::Decimals(values)) = (a.data, &mut out.data) else { return None };
    for (value, a) in values.iter_mut().zip(a) {
        *value = Decimal::new(*a, scale);
    }
    Some(())
}

pub(super) fn decimals(out: &mut Lane, op: Arithmetic, a: View<'_>, b: View<'_>) -> Option<()> {
    out.join_nulls(a, b);
    let (Slice::Decimals(a), Slice::Decimals(b)) = (a.data, b.data) else { return None };
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
    out: &mut Lane,
    a: View<'_>,
    of: impl Fn(Decimal) -> Result<Decimal, Reason>,
) -> Option<()> {
    out.copy_nulls(a.codes);
    let Slice::Decimals(a) = a.data else { return None };
    settle_rows(out, a.iter().map(|a| of(*a)), a.len())
}

/// Two-valued: with a null on a side only "different" holds.
pub(super) fn compare(out: &mut Lane, op: Comparison, a: View<'_>, b: View<'_>) -> Option<()> {
    out.has_null = false;
    let Data::Truths(truths) = &mut out.data else { return None };
    compare_into(truths, op, a, b)
}

fn compare_into(truths: &mut [bool], op: Comparison, a: View<'_>, b: View<'_>) -> Option<()> {
    match (a.data, b.data) {
        (Slice::Ints(a), Slice::Ints(b)) => kernels::compare(truths, op, a, b),
        (Slice::Decimals(a), Slice::Decimals(b)) => {
            kernels::each(truths, a, b, |a: Decimal, b: Decimal| holds(op, a.cmp(&b)));
        }
        (Slice::Truths(a), Slice::Truths(b)) => {
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

/// Of truths, of which null is false.
pub(super) fn truths(
    out: &mut Lane,
    a: View<'_>,
    b: View<'_>,
    of: impl Fn(bool, bool) -> bool,
) -> Option<()> {
    out.has_null = false;
    let (Slice::Truths(a), Slice::Truths(b), Data::Truths(out)) = (a.data, b.data, &mut out.data)
    else {
        return None;
    };
    kernels::each(out, a, b, of);
    Some(())
}

/// Whether a row is null with such a reason.
pub(super) fn asked(out: &mut Lane, a: View<'_>, holds: impl Fn(Reason) -> bool) -> Option<()> {
    out.has_null = false;
    let Data::Truths(out) = &mut out.data else { return None };
    out.fill(false);
    for (truth, code) in out.iter_mut().zip(a.codes.unwrap_or_default()) {
        *truth = reason_of(*code).is_some_and(&holds);
    }
    Some(())
}

/// A choice of integers by a comparison, in one loop where that is of integers and nothing is null.
pub(super) fn select(
    out: &mut Lane,
    op: Comparison,
    sides: (View<'_>, View<'_>),
    branches: (View<'_>, View<'_>),
) -> Option<()> {
    let Slice::Ints(then) = branches.0.data else { return None };
    let views = [sides.0, sides.1, branches.0, branches.1];
    if let (Slice::Ints(a), Slice::Ints(b), Slice::Ints(otherwise), Data::Ints(values)) =
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

pub(super) fn choose(out: &mut Lane, condition: &[bool], a: View<'_>, b: View<'_>) -> Option<()> {
    match (a.data, b.data, &mut out.data) {
        (Slice::Ints(a), Slice::Ints(b), Data::Ints(out)) => kernels::choose(out, condition, a, b),
        (Slice::Decimals(a), Slice::Decimals(b), Data::Decimals(out)) => {
            kernels::choose(out, condition, a, b);
        }
        (Slice::Truths(a), Slice::Truths(b), Data::Truths(out)) => {
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

/// The first where it has a value, else the second.
pub(super) fn fill(out: &mut Lane, a: View<'_>, b: View<'_>) -> Option<()> {
    let rows = match a.data {
        Slice::Ints(values) => values.len(),
        Slice::Decimals(values) => values.len(),
        Slice::Truths(values) => values.len(),
    };
    let kept: Vec<bool> = (0..rows).map(|row| code_at(a.codes, row) == PRESENT).collect();
    choose(out, &kept, a, b)
}

/// The second, but null where the first is.
pub(super) fn given(out: &mut Lane, a: View<'_>, b: View<'_>) -> Option<()> {
    match (b.data, &mut out.data) {
        (Slice::Ints(b), Data::Ints(out)) => out.iter_mut().zip(b).for_each(|(out, b)| *out = *b),
        (Slice::Decimals(b), Data::Decimals(out)) => {
            out.iter_mut().zip(b).for_each(|(out, b)| *out = *b);
        }
        (Slice::Truths(b), Data::Truths(out)) => {
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
