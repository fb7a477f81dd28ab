//! Runs the instructions of a program.

use super::Runner;
use super::cell::{self, Cell};
use super::step::Step;
use crate::check::{AggregateFunction, Comparison};
use crate::functions::Environment;
use crate::number::{self, Quotient, Small};
use crate::plan::operators;
use crate::plan::program::{Function, Instruction, Op, Operand};
use crate::types::{Reason, Value};

impl Runner<'_> {
    /// Computes every formula from the current slots.
    pub fn run(&mut self) {
        // The steps are moved out for the run, because the run mutates everything else.
        if self.unexpected == 0 && !self.integers.is_empty() {
            let integers = std::mem::take(&mut self.integers);
            let is_done = self.run_steps(&integers);
            self.integers = integers;
            if is_done {
                return;
            }
        }
        let steps = std::mem::take(&mut self.steps);
        self.run_steps(&steps);
        self.steps = steps;
    }

    /// Runs all steps; returns `false` if one failed, which happens only on integers.
    #[inline(never)]
    fn run_steps(&mut self, steps: &[Step]) -> bool {
        let mut next = 0_usize;
        while let Some(step) = steps.get(next).copied() {
            next = next.wrapping_add(1);
            let (skips, count) = match step {
                Step::SkipUnless(condition, count) => (!self.cell(condition).is_true(), count),
                Step::SkipIf(condition, count) => (self.cell(condition).is_true(), count),
                Step::SkipPresent(value, count) => (!self.cell(value).is_missing(), count),
                Step::SkipMissing(value, count) => (self.cell(value).is_missing(), count),
                step => {
                    if !self.carry_out(step) {
                        return false;
                    }
                    continue;
                }
            };
            if skips {
                next = next.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
            }
        }
        true
    }

    #[inline]
    fn carry_out(&mut self, step: Step) -> bool {
        match step {
            Step::AddIntegers(to, a, b, form) => {
                return self.exact(to, (a, b), form, i64::checked_add);
            }
            Step::SubtractIntegers(to, a, b, form) => {
                return self.exact(to, (a, b), form, i64::checked_sub);
            }
            Step::MultiplyIntegers(to, a, b, form) => {
                return self.exact(to, (a, b), form, i64::checked_mul);
            }
            Step::DivideIntegers { to, top, bottom, form, rounding } => {
                let divide =
                    |x: Small, y| x.divide_integers(y, form.zeros(), form.scale(), rounding);
                return self.rounded(to, (top, bottom), form, divide);
            }
            Step::RoundInteger { to, value, digits, form, rounding } => {
                let round = |x: Small, _| x.round(digits, rounding);
                return self.rounded(to, (value, value), form, round);
            }
            Step::CompareIntegers(op, to, a, b) => {
                return self.compare_integers(op, to, a, b);
            }
            Step::Add(to, a, b) => self.on_small(step, to, (a, b), Small::add),
            Step::Subtract(to, a, b) => self.on_small(step, to, (a, b), Small::subtract),
            Step::Multiply(to, a, b) => self.on_small(step, to, (a, b), Small::multiply),
            Step::RoundedQuotient { to, top, bottom, digits, rounding } => {
                let divide = |a: Small, b| a.divide_rounded(b, digits, rounding);
                self.on_small(step, to, (top, bottom), divide);
            }
            Step::Round { to, value, digits, rounding } => {
                let round = |a: Small, _| a.round(digits, rounding);
                self.on_small(step, to, (value, value), round);
            }
            Step::Divide(to, a, b) => self.divide(step, to, (a, b)),
            Step::Compare(op, to, a, b) => self.compare(op, to, (a, b)),
            Step::Choose { to, condition, then, otherwise } => {
                let taken = if self.cell(condition).is_true() { then } else { otherwise };
                self.copy(to, taken);
            }
            Step::Default(to, value, otherwise) => {
                let taken = if self.cell(value).is_missing() { otherwise } else { value };
                self.copy(to, taken);
            }
            Step::SkipUnless(..)
            | Step::SkipIf(..)
            | Step::SkipPresent(..)
            | Step::SkipMissing(..) => {}
            Step::Other(index) => self.other(index),
        }
        true
    }

    /// Runs a step on two 64-bit numbers, falling back to the general path.
    ///
    /// Cells are read by reference and field by field: copying a whole cell soon after its fields
    /// were written makes the processor stall.
    #[inline]
    fn on_small(
        &mut self,
        step: Step,
        to: Operand,
        (a, b): (Operand, Operand),
        small: impl FnOnce(Small, Small) -> Option<Small>,
    ) {
        if let (Cell::Small(x), Cell::Small(y)) = (self.cell(a), self.cell(b))
            && let Some(result) = small(*x, *y)
            && let Some(slot) = self.cells.get_mut(to.index())
        {
            *slot = Cell::Small(result);
            return;
        }
        self.slowly(step, to, a, b);
    }

    #[inline]
    fn divide(&mut self, step: Step, to: Operand, (a, b): (Operand, Operand)) {
        if let (Cell::Small(x), Cell::Small(y)) = (self.cell(a), self.cell(b))
            && let Some(Ok(quotient)) = x.divide(*y)
            && let Some(slot) = self.cells.get_mut(to.index())
        {
            *slot = match quotient {
                Quotient::Small(small) => Cell::Small(small),
                Quotient::Large(number) => Cell::Number(number),
            };
            return;
        }
        self.slowly(step, to, a, b);
    }

    #[inline]
    fn compare(&mut self, op: Comparison, to: Operand, (a, b): (Operand, Operand)) {
        if let (Cell::Small(x), Cell::Small(y)) = (self.cell(a), self.cell(b))
            && let Some(order) = x.order(*y)
        {
            self.write(to, Cell::Truth(operators::holds(op, order)));
            return;
        }
        self.compare_values(op, to, a, b);
    }

    /// Runs a step on numbers of any size, on nulls, or on other values.
    #[inline(never)]
    fn slowly(&mut self, step: Step, to: Operand, a: Operand, b: Operand) {
        let (left, right) = (*self.cell(a), *self.cell(b));
        let result = match step {
            Step::Add(..) => cell::on_numbers(left, right, number::add),
            Step::Subtract(..) => cell::on_numbers(left, right, number::subtract),
            Step::Multiply(..) => cell::on_numbers(left, right, number::multiply),
            Step::Divide(..) => cell::on_numbers(left, right, number::divide),
            Step::RoundedQuotient { digits, rounding, .. } => {
                cell::on_numbers(left, right, |left, right| {
                    number::round(number::divide(left, right)?, digits.into(), rounding)
                })
            }
            Step::Round { digits, rounding, .. } => cell::on_numbers(left, right, |value, _| {
                number::round(value, digits.into(), rounding)
            }),
            _ => None,
        };
        match result {
            Some(cell) => self.write(to, cell),
            None => self.general(to),
        }
    }

    #[inline]
    pub(super) fn cell(&self, operand: Operand) -> &Cell {
        self.cells.get(operand.index()).unwrap_or(&Cell::Missing(Reason::Domain))
    }

    /// The value of an operand; a null has no origin.
    pub(super) fn at(&self, operand: Operand) -> Value {
        match *self.cell(operand) {
            Cell::Small(small) => Value::Number(small.decimal()),
            Cell::Number(number) => Value::Number(number),
            Cell::Truth(truth) => Value::Bool(truth),
            Cell::Missing(reason) => Value::missing(reason),
            Cell::Kept => self.kept.get(operand.index()).cloned().unwrap_or(NOTHING),
        }
    }

    /// Runs an instruction without its own step.
    #[inline(never)]
    fn other(&mut self, index: u32) {
        let program = &self.plan.program;
        let instruction = usize::try_from(index).ok().and_then(|index| program.code.get(index));
        let Some(Instruction::Compute { to, op, .. }) = instruction else { return };
        let result = match op {
            Op::Given(given, value) => {
                let taken = if self.cell(*given).is_missing() { given } else { value };
                return self.copy(*to, *taken);
            }
            Op::And(a, b) => Some(Cell::Truth(self.cell(*a).is_true() && self.cell(*b).is_true())),
            Op::Or(a, b) => Some(Cell::Truth(self.cell(*a).is_true() || self.cell(*b).is_true())),
            Op::Not(a) => Some(Cell::Truth(!self.cell(*a).is_true())),
            Op::IsNull(a) => Some(Cell::Truth(self.cell(*a).is_missing())),
            Op::IsError(a) => {
                let reason = self.cell(*a).reason();
                Some(Cell::Truth(reason.is_some_and(|reason| !reason.is_missing_data())))
            }
            Op::Negate(a) => cell::negate(*self.cell(*a)),
            Op::Growth(a, b) => cell::on_numbers(*self.cell(*a), *self.cell(*b), number::growth),
            Op::Call(function, arguments) => return self.call(*to, *function, arguments),
            Op::OfList(function, list) => return self.of_list(*to, *function, *list),
            _ => None,
        };
        match result {
            Some(cell) => self.write(*to, cell),
            None => self.by_operators(*to, op),
        }
    }

    #[inline]
    pub(super) fn write(&mut self, to: Operand, cell: Cell) {
        if let Some(slot) = self.cells.get_mut(to.index()) {
            *slot = cell;
        }
    }

    #[inline]
    fn copy(&mut self, to: Operand, from: Operand) {
        if let Cell::Small(small) = *self.cell(from) {
            self.write(to, Cell::Small(small));
        } else {
            self.copy_any(to, from);
        }
    }

    #[inline(never)]
    fn copy_any(&mut self, to: Operand, from: Operand) {
        let cell = *self.cell(from);
        self.write(to, cell);
        if matches!(cell, Cell::Kept)
            && let Some(value) = self.kept.get(from.index()).cloned()
            && let Some(kept) = self.kept.get_mut(to.index())
        {
            *kept = value;
        }
    }

    /// Compares values of any type. Two-valued: with a null on either side only "different" is true.
    #[inline(never)]
    fn compare_values(&mut self, op: Comparison, to: Operand, left: Operand, right: Operand) {
        let env = Environment { calendar: &self.calendar, now: self.now };
        let held = |operand: Operand| match self.cell(operand) {
            Cell::Kept => self.kept.get(operand.index()),
            Cell::Small(_) | Cell::Number(_) | Cell::Truth(_) | Cell::Missing(_) => None,
        };
        let truth = match (held(left), held(right)) {
            (Some(left), Some(right)) => operators::compare(op, left, right, &env),
            _ => operators::compare(op, &self.at(left), &self.at(right), &env),
        };
        self.write(to, Cell::Truth(truth));
    }

    /// The operation of a register, on values of any type.
    #[cold]
    fn general(&mut self, to: Operand) {
        let mut operations = self.plan.program.operations();
        if let Some((_, op)) = operations.find(|(register, _)| *register == to) {
            self.by_operators(to, op);
        }
    }

    /// Applies the language's own operators.
    #[inline(never)]
    fn by_operators(&mut self, to: Operand, op: &Op) {
        let operands: Vec<Value> =
            op.operands().into_iter().map(|operand| self.at(operand)).collect();
        let operands: Vec<&Value> = operands.iter().collect();
        let env = Environment { calendar: &self.calendar, now: self.now };
        let value = operators::apply(op, &operands, &env);
        self.put(to.index(), value);
    }

    #[inline(never)]
    fn call(&mut self, to: Operand, function: Function, operands: &[Operand]) {
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.clear();
        arguments.extend(operands.iter().map(|operand| self.at(*operand)));
        let env = Environment { calendar: &self.calendar, now: self.now };
        let value = operators::call(function.0, &arguments, &env);
        self.arguments = arguments;
        self.put(to.index(), value);
    }

    #[inline(never)]
    fn of_list(&mut self, to: Operand, function: AggregateFunction, list: Operand) {
        let value = crate::evaluate::scan::list(function, &self.at(list));
        self.put(to.index(), value);
    }
}

const NOTHING: Value = Value::missing(Reason::Domain);
