//! Lowering: chooses the kernel for each operation of a program, given the forms of the columns.
//!
//! Operations without a kernel, and their dependents, are left to the scalar program.

use rust_decimal::Decimal;

use super::Column;
use super::chunk::{Chunk, code_of};
use super::column::Values;
use super::kernel_plan::{KernelPlan, KernelValue, ValueForm, needed};
use super::step::{OperandRef, Step};
use crate::check::{Arithmetic, Comparison};
use crate::plan::integers::MAX_SCALE;
use crate::plan::program::{Op, Operand, OperandSource, Program};
use crate::types::Value;

pub(super) struct Lowering<'p> {
    program: &'p Program,
    columns: &'p [Option<&'p Column>],
    registers: Vec<Option<KernelValue>>,
    out: KernelPlan,
}

/// Chooses kernels for a program whose slots are these columns.
pub(super) fn kernels(program: &Program, columns: &[Option<&Column>]) -> KernelPlan {
    let mut lowering =
        Lowering { program, columns, registers: Vec::new(), out: KernelPlan::default() };
    for (_, op) in program.operations() {
        let form = lowering.op(op);
        lowering.registers.push(form);
    }
    // A column of nulls alone does not have the form that its type implies.
    let has_form = |form: &KernelValue| !matches!(form.kind, ValueForm::Null(_));
    let results = program.results.iter().map(|result| lowering.form(*result).filter(has_form));
    lowering.out.results = results.collect();
    lowering.out.needed = needed(&lowering.out);
    lowering.out
}

impl Lowering<'_> {
    pub(super) fn form(&mut self, operand: Operand) -> Option<KernelValue> {
        match self.program.referred(operand)? {
            OperandSource::Constant(value) => self.constant(value),
            OperandSource::Slot(index, _) => {
                let kind = match &self.columns.get(index).copied().flatten()?.values {
                    Values::Ints { scale, .. } if *scale <= MAX_SCALE => {
                        ValueForm::Ints { scale: *scale, own: true }
                    }
                    Values::Decimals(_) => ValueForm::Decimals,
                    Values::Truths(_) => ValueForm::Truths,
                    Values::Ints { .. } | Values::Any(_) => return None,
                };
                Some(KernelValue { at: OperandRef::Slot(index), kind })
            }
            OperandSource::Register(index) => self.registers.get(index).copied().flatten(),
        }
    }

    /// The value of a constant operand.
    pub(super) fn known(&self, operand: Operand) -> Option<&Value> {
        match self.program.referred(operand)? {
            OperandSource::Constant(value) => Some(value),
            OperandSource::Slot(..) | OperandSource::Register(_) => None,
        }
    }

    fn constant(&mut self, value: &Value) -> Option<KernelValue> {
        match value {
            Value::Number(number) => {
                let scale = number.scale();
                match i64::try_from(number.mantissa()) {
                    Ok(int) if scale <= MAX_SCALE => {
                        Some(self.chunk(Chunk::ints(int), ValueForm::Ints { scale, own: true }))
                    }
                    Ok(_) | Err(_) => {
                        Some(self.chunk(Chunk::decimals(*number), ValueForm::Decimals))
                    }
                }
            }
            Value::Bool(truth) => Some(self.chunk(Chunk::truths(*truth), ValueForm::Truths)),
            Value::Missing(missing) => {
                let code = code_of(missing.reason);
                Some(self.chunk(Chunk::truths(false).all_null(code), ValueForm::Null(code)))
            }
            _ => None,
        }
    }

    fn chunk(&mut self, chunk: Chunk, kind: ValueForm) -> KernelValue {
        self.out.constants.push(chunk);
        KernelValue { at: OperandRef::Constant(self.out.constants.len().saturating_sub(1)), kind }
    }

    pub(super) fn step(&mut self, step: Step, kind: ValueForm) -> KernelValue {
        self.out.steps.push(step);
        KernelValue { at: OperandRef::Register(self.out.steps.len().saturating_sub(1)), kind }
    }

    fn op(&mut self, op: &Op) -> Option<KernelValue> {
        match op {
            Op::Negate(a) => {
                let a = self.form(*a)?;
                let step = match a.kind {
                    ValueForm::Ints { .. } => Step::Negate(a.at),
                    ValueForm::Decimals => Step::NegateDecimals(a.at),
                    ValueForm::Truths | ValueForm::Null(_) => return None,
                };
                Some(self.step(step, a.kind))
            }
            Op::Arithmetic(op, a, b) => {
                let (a, b) = (self.form(*a)?, self.form(*b)?);
                self.arithmetic(*op, a, b)
            }
            Op::Compare(op, a, b) => {
                let (a, b) = (self.form(*a)?, self.form(*b)?);
                self.compare(*op, a, b)
            }
            Op::InList(a, list) => self.in_list(*a, list),
            Op::Not(a) => {
                let a = self.truth(*a)?;
                Some(self.step(Step::Not(a), ValueForm::Truths))
            }
            Op::And(a, b) => {
                let (a, b) = (self.truth(*a)?, self.truth(*b)?);
                Some(self.step(Step::And(a, b), ValueForm::Truths))
            }
            Op::Or(a, b) => {
                let (a, b) = (self.truth(*a)?, self.truth(*b)?);
                Some(self.step(Step::Or(a, b), ValueForm::Truths))
            }
            Op::IsNull(a) => {
                let a = self.form(*a)?;
                Some(self.step(Step::IsNull(a.at), ValueForm::Truths))
            }
            Op::IsError(a) => {
                let a = self.form(*a)?;
                Some(self.step(Step::IsError(a.at), ValueForm::Truths))
            }
            Op::Call(function, arguments) => self.call(function.0.name, arguments),
            _ => self.choice_or_rounding(op),
        }
    }

    fn choice_or_rounding(&mut self, op: &Op) -> Option<KernelValue> {
        match op {
            Op::Choose(condition, a, b) => {
                let condition = self.truth(*condition)?;
                let (a, b) = (self.form(*a)?, self.form(*b)?);
                let (a, b, kind) = self.alike(a, b)?;
                let step = match self.compared(condition) {
                    Some((op, sides)) if matches!(kind, ValueForm::Ints { .. }) => {
                        Step::Select(op, sides, (a, b))
                    }
                    Some(_) | None => Step::Choose(condition, a, b),
                };
                Some(self.step(step, kind))
            }
            Op::Default(a, b) => {
                let (a, b) = (self.form(*a)?, self.form(*b)?);
                let (a, b, kind) = self.alike(a, b)?;
                Some(self.step(Step::Default(a, b), kind))
            }
            Op::Given(a, b) => {
                let (a, b) = (self.form(*a)?, self.form(*b)?);
                Some(self.step(Step::Given(a.at, b.at), b.kind))
            }
            Op::Round { value, digits, rounding } => {
                let value = self.form(*value)?;
                self.round(value, i64::from(*digits), *rounding)
            }
            Op::RoundedQuotient { top, bottom, digits, rounding } => {
                let (top, bottom) = (self.form(*top)?, self.form(*bottom)?);
                self.rounded_quotient(top, bottom, *digits, *rounding)
            }
            _ => None,
        }
    }

    /// A condition, with null as false.
    fn truth(&mut self, operand: Operand) -> Option<OperandRef> {
        let form = self.form(operand)?;
        matches!(form.kind, ValueForm::Truths | ValueForm::Null(_)).then_some(form.at)
    }

    /// The comparison that computes a condition.
    fn compared(&self, condition: OperandRef) -> Option<(Comparison, (OperandRef, OperandRef))> {
        let OperandRef::Register(index) = condition else { return None };
        match *self.out.steps.get(index)? {
            Step::Compare(op, a, b) => Some((op, (a, b))),
            _ => None,
        }
    }

    fn arithmetic(
        &mut self,
        op: Arithmetic,
        a: KernelValue,
        b: KernelValue,
    ) -> Option<KernelValue> {
        if let (
            ValueForm::Ints { scale: first, own: one },
            ValueForm::Ints { scale: second, own: two },
        ) = (a.kind, b.kind)
        {
            let own = one && two;
            match op {
                Arithmetic::Add | Arithmetic::Subtract => {
                    let (a, b, scale) = self.one_scale((a.at, first), (b.at, second))?;
                    let step =
                        if op == Arithmetic::Add { Step::Add(a, b) } else { Step::Subtract(a, b) };
                    return Some(self.step(step, ValueForm::Ints { scale, own }));
                }
                Arithmetic::Multiply if first.saturating_add(second) <= MAX_SCALE => {
                    let scale = first.saturating_add(second);
                    let step = match (self.known_int(a.at), self.known_int(b.at)) {
                        (_, Some(factor)) => Step::ScaleUp { at: a.at, factor },
                        (Some(factor), None) => Step::ScaleUp { at: b.at, factor },
                        (None, None) => Step::Multiply(a.at, b.at),
                    };
                    return Some(self.step(step, ValueForm::Ints { scale, own }));
                }
                Arithmetic::Divide if own && first >= second => {
                    let scale = first.saturating_sub(second);
                    let step = Step::Quotient { top: a.at, bottom: b.at, scale };
                    return Some(self.step(step, ValueForm::Decimals));
                }
                _ => {}
            }
        }
        if !matches!(
            op,
            Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply | Arithmetic::Divide
        ) {
            return None;
        }
        let (a, b) = (self.decimals(a)?, self.decimals(b)?);
        Some(self.step(Step::Decimals(op, a, b), ValueForm::Decimals))
    }

    /// A value times a positive factor, expressed as the value before scaling times a larger
    /// factor.
    pub(super) fn scaled(&self, at: OperandRef, factor: i64) -> (OperandRef, i64) {
        let OperandRef::Register(index) = at else { return (at, factor) };
        let Some(Step::ScaleUp { at: before, factor: own }) = self.out.steps.get(index) else {
            return (at, factor);
        };
        match factor.checked_mul(*own).filter(|product| *product > 0) {
            Some(product) => (*before, product),
            None => (at, factor),
        }
    }

    fn compare(&mut self, op: Comparison, a: KernelValue, b: KernelValue) -> Option<KernelValue> {
        let step = match (a.kind, b.kind) {
            (ValueForm::Ints { scale: first, .. }, ValueForm::Ints { scale: second, .. }) => {
                let (a, b, _) = self.one_scale((a.at, first), (b.at, second))?;
                Step::Compare(op, a, b)
            }
            (ValueForm::Truths, ValueForm::Truths) => Step::Compare(op, a.at, b.at),
            (ValueForm::Null(_), _) | (_, ValueForm::Null(_)) => return None,
            _ => {
                let a = self.widened(a)?;
                let b = self.widened(b)?;
                Step::Compare(op, a, b)
            }
        };
        Some(self.step(step, ValueForm::Truths))
    }

    fn in_list(&mut self, a: Operand, list: &[Operand]) -> Option<KernelValue> {
        let a = self.form(a)?;
        let mut found: Option<KernelValue> = None;
        for item in list {
            let item = self.form(*item)?;
            let equal = self.compare(Comparison::Equal, a, item)?;
            found = Some(match found {
                Some(before) => self.step(Step::Or(before.at, equal.at), ValueForm::Truths),
                None => equal,
            });
        }
        found
    }

    /// Brings two integers to the finer of their scales.
    pub(super) fn one_scale(
        &mut self,
        (a, first): (OperandRef, u32),
        (b, second): (OperandRef, u32),
    ) -> Option<(OperandRef, OperandRef, u32)> {
        let scale = first.max(second);
        Some((self.at_scale(a, first, scale)?, self.at_scale(b, second, scale)?, scale))
    }

    fn at_scale(&mut self, at: OperandRef, own: u32, wanted: u32) -> Option<OperandRef> {
        if own == wanted {
            return Some(at);
        }
        let factor = 10_i64.checked_pow(wanted.checked_sub(own)?)?;
        let kind = ValueForm::Ints { scale: wanted, own: false };
        if let Some(known) = self.known_int(at).and_then(|known| known.checked_mul(factor)) {
            return Some(self.chunk(Chunk::ints(known), kind).at);
        }
        Some(self.step(Step::ScaleUp { at, factor }, kind).at)
    }

    /// The value at a place, if it is a constant integer.
    fn known_int(&self, at: OperandRef) -> Option<i64> {
        let OperandRef::Constant(index) = at else { return None };
        self.out.constants.get(index)?.same_int()
    }

    /// Converts to decimals, if their scale is the one of scalar evaluation.
    pub(super) fn decimals(&mut self, form: KernelValue) -> Option<OperandRef> {
        match form.kind {
            ValueForm::Ints { own: false, .. } => None,
            _ => self.widened(form),
        }
    }

    /// Converts to decimals of any scale.
    fn widened(&mut self, form: KernelValue) -> Option<OperandRef> {
        match form.kind {
            ValueForm::Ints { scale, .. } => {
                Some(self.step(Step::Widen { at: form.at, scale }, ValueForm::Decimals).at)
            }
            ValueForm::Decimals => Some(form.at),
            ValueForm::Null(code) => Some(self.null_like(code, ValueForm::Decimals)),
            ValueForm::Truths => None,
        }
    }

    /// Brings two branches to one form.
    fn alike(
        &mut self,
        a: KernelValue,
        b: KernelValue,
    ) -> Option<(OperandRef, OperandRef, ValueForm)> {
        match (a.kind, b.kind) {
            (
                ValueForm::Ints { scale: first, own: one },
                ValueForm::Ints { scale: second, own: two },
            ) => {
                let own = one && two && first == second;
                let (a, b, scale) = self.one_scale((a.at, first), (b.at, second))?;
                Some((a, b, ValueForm::Ints { scale, own }))
            }
            (ValueForm::Truths, ValueForm::Truths) | (ValueForm::Null(_), ValueForm::Null(_)) => {
                Some((a.at, b.at, a.kind))
            }
            (ValueForm::Null(code), kind) => {
                let a = self.null_like(code, kind);
                Some((a, b.at, kind))
            }
            (kind, ValueForm::Null(code)) => {
                let b = self.null_like(code, kind);
                Some((a.at, b, kind))
            }
            _ => {
                let (a, b) = (self.decimals(a)?, self.decimals(b)?);
                Some((a, b, ValueForm::Decimals))
            }
        }
    }

    fn null_like(&mut self, code: u8, kind: ValueForm) -> OperandRef {
        let chunk = match kind {
            ValueForm::Ints { .. } => Chunk::ints(0),
            ValueForm::Decimals => Chunk::decimals(Decimal::ZERO),
            ValueForm::Truths | ValueForm::Null(_) => Chunk::truths(false),
        };
        self.chunk(chunk.all_null(code), kind).at
    }
}
