//! Kernels for function calls, and for quotients that are rounded.

use super::kernel_plan::{KernelValue, ValueForm};
use super::lower::Lowering;
use super::step::Step;
use crate::check::{Arithmetic, Comparison};
use crate::number::Rounding;
use crate::plan::integers::MAX_SCALE;
use crate::plan::program::Operand;
use crate::types::Value;

impl Lowering<'_> {
    /// The kernel of a call, if there is one.
    pub(super) fn call(&mut self, name: &str, arguments: &[Operand]) -> Option<KernelValue> {
        match (name, arguments) {
            ("round", [x, digits, mode]) => {
                let Value::Text(mode) = self.known(*mode)? else { return None };
                let rounding = Rounding::from_name(mode)?;
                self.round_to(*x, *digits, rounding)
            }
            ("floor", [x, digits]) => self.round_to(*x, *digits, Rounding::Floor),
            ("ceil", [x, digits]) => self.round_to(*x, *digits, Rounding::Ceiling),
            ("trunc", [x, digits]) => self.round_to(*x, *digits, Rounding::Truncate),
            ("abs", [x]) => {
                let x = self.form(*x)?;
                let ValueForm::Ints { .. } = x.kind else { return None };
                Some(self.step(Step::Absolute(x.at), x.kind))
            }
            ("min", [a, b]) => self.extreme(*a, *b, Comparison::LessOrEqual),
            ("max", [a, b]) => self.extreme(*a, *b, Comparison::GreaterOrEqual),
            _ => None,
        }
    }

    /// Rounds to a number of digits that is a constant of the program.
    fn round_to(&mut self, x: Operand, digits: Operand, rounding: Rounding) -> Option<KernelValue> {
        let digits = self.known(digits)?.as_number().filter(rust_decimal::Decimal::is_integer)?;
        let digits = i64::try_from(digits).ok()?;
        let x = self.form(x)?;
        self.round(x, digits, rounding)
    }

    /// The kernel that rounds to a number of digits after the point.
    pub(super) fn round(
        &mut self,
        x: KernelValue,
        digits: i64,
        rounding: Rounding,
    ) -> Option<KernelValue> {
        match x.kind {
            ValueForm::Ints { scale, .. } => {
                let wanted = u32::try_from(digits).ok()?;
                if wanted >= scale {
                    return Some(x);
                }
                let divisor = 10_i64.checked_pow(scale.checked_sub(wanted)?)?;
                let step = Step::RoundInts { at: x.at, divisor, rounding };
                Some(self.step(step, ValueForm::Ints { scale: wanted, own: false }))
            }
            ValueForm::Decimals => {
                let step = Step::RoundDecimals { at: x.at, digits, rounding };
                Some(self.step(step, ValueForm::Decimals))
            }
            ValueForm::Truths | ValueForm::Null(_) => None,
        }
    }

    /// The kernel of a division that is rounded to a number of digits.
    pub(super) fn rounded_quotient(
        &mut self,
        top: KernelValue,
        bottom: KernelValue,
        digits: u32,
        rounding: Rounding,
    ) -> Option<KernelValue> {
        let (ValueForm::Ints { scale: first, .. }, ValueForm::Ints { scale: second, .. }) =
            (top.kind, bottom.kind)
        else {
            let (top, bottom) = (self.decimals(top)?, self.decimals(bottom)?);
            let quotient =
                self.step(Step::Decimals(Arithmetic::Divide, top, bottom), ValueForm::Decimals);
            let step = Step::RoundDecimals { at: quotient.at, digits: digits.into(), rounding };
            return Some(self.step(step, ValueForm::Decimals));
        };
        let scale = Some(digits).filter(|scale| *scale <= MAX_SCALE)?;
        // The digits that the dividend lacks, or has in excess.
        let wanted = scale.saturating_add(second);
        let power = |digits: u32| 10_i64.checked_pow(digits);
        let factors = (power(wanted.saturating_sub(first))?, power(first.saturating_sub(wanted))?);
        let (top, bottom) = (self.scaled(top.at, factors.0), self.scaled(bottom.at, factors.1));
        let factors = (top.1, bottom.1);
        let step = Step::RoundedQuotient { top: top.0, bottom: bottom.0, factors, rounding };
        Some(self.step(step, ValueForm::Ints { scale, own: false }))
    }

    /// The minimum or maximum of two integers, chosen by the comparison.
    fn extreme(&mut self, a: Operand, b: Operand, op: Comparison) -> Option<KernelValue> {
        let (a, b) = (self.form(a)?, self.form(b)?);
        let (
            ValueForm::Ints { scale: first, own: one },
            ValueForm::Ints { scale: second, own: two },
        ) = (a.kind, b.kind)
        else {
            return None;
        };
        let (a, b, scale) = self.one_scale((a.at, first), (b.at, second))?;
        let own = one && two && first == second;
        Some(self.step(Step::Extreme(op, a, b), ValueForm::Ints { scale, own }))
    }
}
