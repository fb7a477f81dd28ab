//! The instructions carried out.

use std::cmp::Ordering;

use super::Runner;
use super::cell::{self, Cell};
use crate::check::{AggregateFunction, Arithmetic, Comparison};
use crate::functions::Environment;
use crate::number::{self, Rounding, Small};
use crate::plan::operators;
use crate::plan::program::{Function, Instruction, Op, Operand};
use crate::types::{Reason, Value};

impl Runner<'_> {
    /// Computes every formula from what the slots hold.
    pub fn run(&mut self) {
        let code = self.plan.program.code.as_slice();
        let mut next = 0_usize;
        while let Some(instruction) = code.get(next) {
            next = next.wrapping_add(1);
            let (skips, count) = match instruction {
                Instruction::Compute { to, op } => {
                    self.compute(*to, op);
                    continue;
                }
                Instruction::SkipUnless { condition, count } => {
                    (!self.cell(*condition).is_true(), *count)
                }
                Instruction::SkipIf { condition, count } => {
                    (self.cell(*condition).is_true(), *count)
                }
                Instruction::SkipPresent { value, count } => {
                    (!self.cell(*value).is_missing(), *count)
                }
                Instruction::SkipMissing { value, count } => {
                    (self.cell(*value).is_missing(), *count)
                }
            };
            if skips {
                next = next.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
            }
        }
    }

    #[inline]
    pub(super) fn cell(&self, operand: Operand) -> Cell {
        self.cells.get(operand.index()).copied().unwrap_or(Cell::Missing(Reason::Domain))
    }

    /// The value of an operand, without its origin if it is null.
    pub(super) fn at(&self, operand: Operand) -> Value {
        match self.cell(operand) {
            Cell::Small(small) => Value::Number(small.decimal()),
            Cell::Number(number) => Value::Number(number),
            Cell::Truth(truth) => Value::Bool(truth),
            Cell::Missing(reason) => Value::missing(reason),
            Cell::Kept => self.kept.get(operand.index()).cloned().unwrap_or(NOTHING),
        }
    }

    #[inline]
    fn compute(&mut self, to: Operand, op: &Op) {
        let result = match op {
            Op::Arithmetic(op, a, b) => arithmetic(*op, self.cell(*a), self.cell(*b)),
            Op::RoundedQuotient { top, bottom, digits, rounding } => {
                rounded_quotient(self.cell(*top), self.cell(*bottom), *digits, *rounding)
            }
            Op::Round { value, digits, rounding } => round(self.cell(*value), *digits, *rounding),
            Op::Compare(op, a, b) => compare(*op, self.cell(*a), self.cell(*b)),
            Op::Choose(condition, then, otherwise) => {
                let taken = if self.cell(*condition).is_true() { then } else { otherwise };
                return self.copy(to, *taken);
            }
            Op::Default(value, otherwise) => {
                let taken = if self.cell(*value).is_missing() { otherwise } else { value };
                return self.copy(to, *taken);
            }
            Op::Given(given, value) => {
                let taken = if self.cell(*given).is_missing() { given } else { value };
                return self.copy(to, *taken);
            }
            Op::And(a, b) => Some(Cell::Truth(self.cell(*a).is_true() && self.cell(*b).is_true())),
            Op::Or(a, b) => Some(Cell::Truth(self.cell(*a).is_true() || self.cell(*b).is_true())),
            Op::Not(a) => Some(Cell::Truth(!self.cell(*a).is_true())),
            Op::IsNull(a) => Some(Cell::Truth(self.cell(*a).is_missing())),
            Op::IsError(a) => {
                let reason = self.cell(*a).reason();
                Some(Cell::Truth(reason.is_some_and(|reason| !reason.is_missing_data())))
            }
            Op::Negate(a) => negate(self.cell(*a)),
            Op::Growth(a, b) => cell::growth(self.cell(*a), self.cell(*b)),
            Op::Call(function, arguments) => return self.call(to, *function, arguments),
            Op::OfList(function, list) => return self.of_list(to, *function, *list),
            Op::Concat(..) | Op::InList(..) | Op::InPeriod(..) | Op::Like(..) => None,
        };
        match result {
            Some(cell) => self.write(to, cell),
            None => self.general(to, op),
        }
    }

    #[inline]
    fn write(&mut self, to: Operand, cell: Cell) {
        if let Some(slot) = self.cells.get_mut(to.index()) {
            *slot = cell;
        }
    }

    fn copy(&mut self, to: Operand, from: Operand) {
        let cell = self.cell(from);
        self.write(to, cell);
        if matches!(cell, Cell::Kept)
            && let Some(value) = self.kept.get(from.index()).cloned()
            && let Some(kept) = self.kept.get_mut(to.index())
        {
            *kept = value;
        }
    }

    /// Anything on values of any kind, by the language's own operators.
    #[inline(never)]
    fn general(&mut self, to: Operand, op: &Op) {
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
        let value = crate::evaluate::sample::list(function, &self.at(list));
        self.put(to.index(), value);
    }
}

const NOTHING: Value = Value::missing(Reason::Domain);

#[inline]
fn arithmetic(op: Arithmetic, left: Cell, right: Cell) -> Option<Cell> {
    match op {
        Arithmetic::Add => cell::on_numbers(left, right, Small::add, number::add),
        Arithmetic::Subtract => cell::on_numbers(left, right, Small::subtract, number::subtract),
        Arithmetic::Multiply => cell::on_numbers(left, right, Small::multiply, number::multiply),
        Arithmetic::Divide => cell::divide(left, right),
        Arithmetic::Power | Arithmetic::Shift | Arithmetic::ShiftBack | Arithmetic::Between => None,
    }
}

#[inline]
fn negate(value: Cell) -> Option<Cell> {
    if let Cell::Small(small) = value
        && let Some(negated) = small.negate()
    {
        return Some(Cell::Small(negated));
    }
    match value {
        Cell::Missing(_) => Some(value),
        value => value.number().map(|number| Cell::of_number(number::negate(number))),
    }
}

#[inline]
fn round(value: Cell, digits: u32, rounding: Rounding) -> Option<Cell> {
    if let Cell::Small(small) = value
        && let Some(rounded) = small.round(digits, rounding)
    {
        return Some(Cell::Small(rounded));
    }
    if value.is_missing() {
        return Some(value);
    }
    Some(match number::round(value.number()?, i64::from(digits), rounding) {
        Ok(number) => Cell::of_number(number),
        Err(reason) => Cell::Missing(reason),
    })
}

#[inline]
fn rounded_quotient(top: Cell, bottom: Cell, digits: u32, rounding: Rounding) -> Option<Cell> {
    if let (Cell::Small(a), Cell::Small(b)) = (top, bottom)
        && let Some(quotient) = a.divide_rounded(b, digits, rounding)
    {
        return Some(Cell::Small(quotient));
    }
    round(cell::divide(top, bottom)?, digits, rounding)
}

/// Two-valued: with a null on a side only "different" holds. `None` for other values than numbers.
#[inline]
fn compare(op: Comparison, left: Cell, right: Cell) -> Option<Cell> {
    if left.is_missing() || right.is_missing() {
        return Some(Cell::Truth(op == Comparison::NotEqual));
    }
    if let (Cell::Small(a), Cell::Small(b)) = (left, right)
        && let Some(order) = a.order(b)
    {
        return Some(Cell::Truth(operators::holds(op, order)));
    }
    let order: Ordering = left.number()?.cmp(&right.number()?);
    Some(Cell::Truth(operators::holds(op, order)))
}
