//! One kernel, run over one block.

use rust_decimal::Decimal;

use super::chunk::{Chunk, ChunkView, Form, ViewData};
use super::chunk_operations::{
    choose, compare, decimal, decimals, fill, given, int, ints, is_null_because, quotient,
    rounded_quotient, select, truths, widen,
};
use super::kernels;
use crate::check::{Arithmetic, Comparison};
use crate::number::{self, Rounding};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperandRef {
    Constant(usize),
    Slot(usize),
    Register(usize),
}

/// A kernel with its input chunks. Integers that are added or compared have one scale.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Add(OperandRef, OperandRef),
    Subtract(OperandRef, OperandRef),
    Multiply(OperandRef, OperandRef),
    ScaleUp {
        at: OperandRef,
        factor: i64,
    },
    Negate(OperandRef),
    Absolute(OperandRef),
    RoundInts {
        at: OperandRef,
        divisor: i64,
        rounding: Rounding,
    },
    /// `round(top * factors.0 / (bottom * factors.1))`
    RoundedQuotient {
        top: OperandRef,
        bottom: OperandRef,
        factors: (i64, i64),
        rounding: Rounding,
    },
    /// `top / bottom / 10^scale` to 28 digits.
    Quotient {
        top: OperandRef,
        bottom: OperandRef,
        scale: u32,
    },
    Widen {
        at: OperandRef,
        scale: u32,
    },
    Decimals(Arithmetic, OperandRef, OperandRef),
    NegateDecimals(OperandRef),
    RoundDecimals {
        at: OperandRef,
        digits: i64,
        rounding: Rounding,
    },
    Compare(Comparison, OperandRef, OperandRef),
    /// The minimum or maximum, chosen by the comparison.
    Extreme(Comparison, OperandRef, OperandRef),
    Not(OperandRef),
    And(OperandRef, OperandRef),
    Or(OperandRef, OperandRef),
    IsNull(OperandRef),
    IsError(OperandRef),
    Choose(OperandRef, OperandRef, OperandRef),
    /// The first branch if the comparison holds, else the second; both are integers.
    Select(Comparison, (OperandRef, OperandRef), (OperandRef, OperandRef)),
    Default(OperandRef, OperandRef),
    Given(OperandRef, OperandRef),
}

impl Step {
    /// The input chunks; a place is repeated if there are fewer than four.
    pub(super) const fn reads(&self) -> [OperandRef; 4] {
        match *self {
            Self::ScaleUp { at, .. }
            | Self::Negate(at)
            | Self::Absolute(at)
            | Self::RoundInts { at, .. }
            | Self::Widen { at, .. }
            | Self::NegateDecimals(at)
            | Self::RoundDecimals { at, .. }
            | Self::Not(at)
            | Self::IsNull(at)
            | Self::IsError(at) => [at, at, at, at],
            Self::Add(a, b)
            | Self::Subtract(a, b)
            | Self::Multiply(a, b)
            | Self::RoundedQuotient { top: a, bottom: b, .. }
            | Self::Quotient { top: a, bottom: b, .. }
            | Self::Decimals(_, a, b)
            | Self::Compare(_, a, b)
            | Self::Extreme(_, a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Default(a, b)
            | Self::Given(a, b) => [a, b, a, b],
            Self::Choose(a, b, c) => [a, b, c, c],
            Self::Select(_, (a, b), (c, d)) => [a, b, c, d],
        }
    }

    /// An empty chunk of the output's form.
    pub(super) fn chunk(&self, view: impl Fn(OperandRef) -> Option<Form>) -> Chunk {
        match self.form(view) {
            Form::Ints => Chunk::ints(0),
            Form::Decimals => Chunk::decimals(Decimal::ZERO),
            Form::Truths => Chunk::truths(false),
        }
    }

    fn form(&self, of: impl Fn(OperandRef) -> Option<Form>) -> Form {
        match self {
            Self::Add(..)
            | Self::Subtract(..)
            | Self::Multiply(..)
            | Self::ScaleUp { .. }
            | Self::Negate(_)
            | Self::Absolute(_)
            | Self::RoundInts { .. }
            | Self::RoundedQuotient { .. }
            | Self::Select(..)
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

    /// Computes one block; `None` if a result did not fit and the block has to be computed in
    /// another way.
    pub(super) fn run<'v>(
        &self,
        out: &mut Chunk,
        view: impl Fn(OperandRef) -> Option<ChunkView<'v>>,
    ) -> Option<()> {
        match out.form() {
            Form::Ints => self.run_ints(out, &view),
            Form::Decimals => self.run_decimals(out, &view),
            Form::Truths => self.run_truths(out, &view),
        }
    }

    fn run_ints<'v>(
        &self,
        out: &mut Chunk,
        view: &dyn Fn(OperandRef) -> Option<ChunkView<'v>>,
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
            Self::RoundInts { at, divisor, rounding } => {
                int(out, view(at)?, |out, a| kernels::round(out, a, divisor, rounding))
            }
            Self::RoundedQuotient { top, bottom, factors, rounding } => {
                rounded_quotient(out, (view(top)?, view(bottom)?), factors, rounding)
            }
            Self::Extreme(op, a, b) => {
                ints(out, view(a)?, view(b)?, |out, a, b| kernels::extreme(out, op, a, b))
            }
            Self::Select(op, (a, b), (then, otherwise)) => {
                select(out, op, (view(a)?, view(b)?), (view(then)?, view(otherwise)?))
            }
            _ => self.run_choice(out, view),
        }
    }

    fn run_decimals<'v>(
        &self,
        out: &mut Chunk,
        view: &dyn Fn(OperandRef) -> Option<ChunkView<'v>>,
    ) -> Option<()> {
        match *self {
            Self::Quotient { top, bottom, scale } => {
                quotient(out, view(top)?, view(bottom)?, scale)
            }
            Self::Widen { at, scale } => widen(out, view(at)?, scale),
            Self::Decimals(op, a, b) => decimals(out, op, view(a)?, view(b)?),
            Self::NegateDecimals(at) => decimal(out, view(at)?, |a| Ok(number::negate(a))),
            Self::RoundDecimals { at, digits, rounding } => {
                decimal(out, view(at)?, |a| number::round(a, digits, rounding))
            }
            _ => self.run_choice(out, view),
        }
    }

    fn run_truths<'v>(
        &self,
        out: &mut Chunk,
        view: &dyn Fn(OperandRef) -> Option<ChunkView<'v>>,
    ) -> Option<()> {
        match *self {
            Self::Compare(op, a, b) => compare(out, op, view(a)?, view(b)?),
            Self::Not(at) => truths(out, view(at)?, view(at)?, |a, _| !a),
            Self::And(a, b) => truths(out, view(a)?, view(b)?, |a, b| a && b),
            Self::Or(a, b) => truths(out, view(a)?, view(b)?, |a, b| a || b),
            Self::IsNull(at) => is_null_because(out, view(at)?, |_| true),
            Self::IsError(at) => {
                is_null_because(out, view(at)?, |reason| !reason.is_missing_data())
            }
            _ => self.run_choice(out, view),
        }
    }

    fn run_choice<'v>(
        &self,
        out: &mut Chunk,
        view: &dyn Fn(OperandRef) -> Option<ChunkView<'v>>,
    ) -> Option<()> {
        match *self {
            Self::Choose(condition, a, b) => {
                let condition = view(condition)?;
                let ViewData::Truths(condition) = condition.data else { return None };
                choose(out, condition, view(a)?, view(b)?)
            }
            Self::Default(a, b) => fill(out, view(a)?, view(b)?),
            Self::Given(a, b) => given(out, view(a)?, view(b)?),
            _ => None,
        }
    }
}
