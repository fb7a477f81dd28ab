//! One kernel over one block.

use rust_decimal::Decimal;

use super::kernels::{self, Divided};
use super::lane::{Data, Lane, Slice, View, code_at, failed};
use super::reasons::{PRESENT, code_of, reason_of};
use crate::check::{Arithmetic, Comparison};
use crate::number::{self, Quotient, Rounding, Small};
use crate::plan::operators::holds;
use crate::types::Reason;

/// Where a kernel finds a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    Constant(usize),
    Slot(usize),
    Register(usize),
}

/// A kernel with the lanes it reads. Integers that are added or compared have one scale.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Add(At, At),
    Subtract(At, At),
    Multiply(At, At),
    ScaleUp {
        at: At,
        factor: i64,
    },
    Negate(At),
    Absolute(At),
    RoundInts {
        at: At,
        divisor: i64,
        rounding: Rounding,
    },
    /// `round(top * factors.0 / (bottom * factors.1))`
    RoundedQuotient {
        top: At,
        bottom: At,
        factors: (i64, i64),
        rounding: Rounding,
    },
    /// `top / bottom / 10^scale` to 28 digits.
    Quotient {
        top: At,
        bottom: At,
        scale: u32,
    },
    Widen {
        at: At,
        scale: u32,
    },
    Decimals(Arithmetic, At, At),
    NegateDecimals(At),
    RoundDecimals {
        at: At,
        digits: i64,
        rounding: Rounding,
    },
    Compare(Comparison, At, At),
    /// The first if it stands so to the second, else the second.
    Extreme(Comparison, At, At),
    Not(At),
    And(At, At),
    Or(At, At),
    IsNull(At),
    IsError(At),
    Choose(At, At, At),
    Default(At, At),
    Given(At, At),
}

impl Step {
    /// A lane of the form that it leaves.
    pub(super) fn lane(&self, view: impl Fn(At) -> Option<Form>) -> Lane {
        match self.form(view) {
            Form::Ints => Lane::ints(0),
            Form::Decimals => Lane::decimals(Decimal::ZERO),
            Form::Truths => Lane::truths(false),
        }
    }

    fn form(&self, of: impl Fn(At) -> Option<Form>) -> Form {
        match self {
            Self::Add(..)
            | Self::Subtract(..)
            | Self::Multiply(..)
            | Self::ScaleUp { .. }
            | Self::Negate(_)
            | Self::Absolute(_)
            | Self::RoundInts { .. }
            | Self::RoundedQuotient { .. }
            | Self::Extreme(..) => Form::Ints,
            Self::Quotient { .. }
            | Self::Widen { .. }
            | Self::Decimals(..)
            | Self::NegateDecimals(_)
            | Self::RoundDecimals { .. } => Form::Decimals,
            Self::Compare(..)
            | Self::Not(_)
            | Self::And(..)
            | Self::Or(..)
            | Self::IsNull(_)
            | Self::IsError(_) => Form::Truths,
            Self::Choose(_, at, _) | Self::Default(at, _) | Self::Given(_, at) => {
                of(*at).unwrap_or(Form::Truths)
            }
        }
    }

    /// Computes one block; `None` where something did not fit, and the block must be computed
    /// otherwise.
    pub(super) fn run<'v>(
        &self,
        out: &mut Lane,
        view: impl Fn(At) -> Option<View<'v>>,
    ) -> Option<()> {
        match *self {
            Self::Add(a, b) => ints(out, view(a)?, view(b)?, kernels::add),
            Self::Subtract(a, b) => ints(out, view(a)?, view(b)?, kernels::subtract),
            Self::Multiply(a, b) => ints(out, view(a)?, view(b)?, kernels::multiply),
            Self::ScaleUp { at, factor } => {
                int(out, view(at)?, |out, a| kernels::scale_up(out, a, factor))
            }
            Self::Negate(at) => int(out, view(at)?, kernels::negate),
            Self::Absolute(at) => int(out, view(at)?, kernels::absolute),
            Self::RoundInts { at, divisor, rounding } => int(out, view(at)?, |out, a| {
                for (out, a) in out.iter_mut().zip(a) {
                    *out = kernels::rounded(*a, divisor, rounding).unwrap_or(0);
                }
                true
            }),
            Self::RoundedQuotient { top, bottom, factors, rounding } => {
                rounded_quotient(out, (view(top)?, view(bottom)?), factors, rounding)
            }
            Self::Quotient { top, bottom, scale } => {
                quotient(out, view(top)?, view(bottom)?, scale)
            }
            Self::Widen { at, scale } => widen(out, view(at)?, scale),
            Self::Decimals(op, a, b) => decimals(out, op, view(a)?, view(b)?),
            Self::NegateDecimals(at) => decimal(out, view(at)?, |a| Ok(number::negate(a))),
            Self::RoundDecimals { at, digits, rounding } => {
                decimal(out, view(at)?, |a| number::round(a, digits, rounding))
            }
            Self::Compare(op, a, b) => compare(out, op, view(a)?, view(b)?),
            Self::Extreme(op, a, b) => ints(out, view(a)?, view(b)?, |out, a, b| {
                kernels::each(out, a, b, |a: i64, b: i64| if holds(op, a.cmp(&b)) { a } else { b });
                true
            }),
            Self::Not(at) => truths(out, view(at)?, view(at)?, |a, _| !a),
            Self::And(a, b) => truths(out, view(a)?, view(b)?, |a, b| a && b),
            Self::Or(a, b) => truths(out, view(a)?, view(b)?, |a, b| a || b),
            Self::IsNull(at) => asked(out, view(at)?, |_| true),
            Self::IsError(at) => asked(out, view(at)?, |reason| !reason.is_missing_data()),
            Self::Choose(condition, a, b) => {
                let condition = view(condition)?;
                let Slice::Truths(condition) = condition.data else { return None };
                choose(out, condition, view(a)?, view(b)?)
            }
            Self::Default(a, b) => fill(out, view(a)?, view(b)?, |_, code| code == PRESENT),
            Self::Given(a, b) => given(out, view(a)?, view(b)?),
        }
    }
}

/// The form of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Ints,
    Decimals,
    Truths,
}

impl Lane {
    pub(super) const fn form(&self) -> Form {
        match self.data {
            Data::Ints(_) => Form::Ints,
            Data::Decimals(_) => Form::Decimals,
            Data::Truths(_) => Form::Truths,
        }
    }
}

fn ints(
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

fn int(out: &mut Lane, a: View<'_>, kernel: impl Fn(&mut [i64], &[i64]) -> bool) -> Option<()> {
    out.copy_nulls(a.codes);
    let (Slice::Ints(a), Data::Ints(out)) = (a.data, &mut out.data) else { return None };
    kernel(out, a).then_some(())
}

fn rounded_quotient(
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

fn quotient(out: &mut Lane, top: View<'_>, bottom: View<'_>, scale: u32) -> Option<()> {
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
                *code = failed(reason);
            }
        }
        out.settle(count);
    }
    Some(())
}

fn widen(out: &mut Lane, a: View<'_>, scale: u32) -> Option<()> {
    out.copy_nulls(a.codes);
    let (Slice::Ints(a), Data::Decimals(values)) = (a.data, &mut out.data) else { return None };
    for (value, a) in values.iter_mut().zip(a) {
        *value = Decimal::new(*a, scale);
    }
    Some(())
}

fn decimals(out: &mut Lane, op: Arithmetic, a: View<'_>, b: View<'_>) -> Option<()> {
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

fn decimal(
    out: &mut Lane,
    a: View<'_>,
    of: impl Fn(Decimal) -> Result<Decimal, Reason>,
) -> Option<()> {
    out.copy_nulls(a.codes);
    let Slice::Decimals(a) = a.data else { return None };
    settle_rows(out, a.iter().map(|a| of(*a)), a.len())
}

/// Two-valued: with a null on a side only "different" holds.
fn compare(out: &mut Lane, op: Comparison, a: View<'_>, b: View<'_>) -> Option<()> {
    out.has_null = false;
    let Data::Truths(truths) = &mut out.data else { return None };
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
fn truths(out: &mut Lane, a: View<'_>, b: View<'_>, of: impl Fn(bool, bool) -> bool) -> Option<()> {
    out.has_null = false;
    let (Slice::Truths(a), Slice::Truths(b), Data::Truths(out)) = (a.data, b.data, &mut out.data)
    else {
        return None;
    };
    kernels::each(out, a, b, of);
    Some(())
}

/// Whether a row is null with such a reason.
fn asked(out: &mut Lane, a: View<'_>, holds: impl Fn(Reason) -> bool) -> Option<()> {
    out.has_null = false;
    let Data::Truths(out) = &mut out.data else { return None };
    out.fill(false);
    for (truth, code) in out.iter_mut().zip(a.codes.unwrap_or_default()) {
        *truth = reason_of(*code).is_some_and(&holds);
    }
    Some(())
}

fn choose(out: &mut Lane, condition: &[bool], a: View<'_>, b: View<'_>) -> Option<()> {
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

/// The first in the rows where its code says so, else the second.
fn fill(out: &mut Lane, a: View<'_>, b: View<'_>, keeps: impl Fn(usize, u8) -> bool) -> Option<()> {
    let count = match b.data {
        Slice::Ints(values) => values.len(),
        Slice::Decimals(values) => values.len(),
        Slice::Truths(values) => values.len(),
    };
    let kept: Vec<bool> = (0..count).map(|row| keeps(row, code_at(a.codes, row))).collect();
    choose(out, &kept, a, b)
}

/// The second, but null where the first is.
fn given(out: &mut Lane, a: View<'_>, b: View<'_>) -> Option<()> {
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
