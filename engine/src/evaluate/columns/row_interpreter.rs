//! Row-by-row execution, for blocks that overflow and operations without a kernel.

use crate::evaluate::scan;
use crate::functions::Environment;
use crate::plan::operators::{apply, is_true};
use crate::plan::program::{Instruction, Op, Operand, Program};
use crate::types::{Reason, Value};

/// Runs a program row by row.
pub(super) struct RowInterpreter<'p> {
    program: &'p Program,
    env: Environment<'p>,
    /// Constants, slots, registers.
    values: Vec<Value>,
}

const NOTHING: &Value = &Value::missing(Reason::Domain);

impl<'p> RowInterpreter<'p> {
    pub(super) fn new(program: &'p Program, env: Environment<'p>) -> Self {
        let mut values = program.constants.clone();
        values.resize(program.width(), NOTHING.clone());
        Self { program, env, values }
    }

    /// Computes one row from its slot values, in slot order.
    pub(super) fn row(&mut self, slots: impl Iterator<Item = Value>) {
        let first = self.program.constants.len();
        for (place, slot) in self.values.iter_mut().skip(first).zip(slots) {
            *place = slot;
        }
        let mut at = 0_usize;
        while let Some(instruction) = self.program.code.get(at) {
            at = at.saturating_add(1);
            let skipped = match instruction {
                Instruction::Compute { to, op, .. } => {
                    let value = self.compute(op);
                    if let Some(place) = self.values.get_mut(to.index()) {
                        *place = value;
                    }
                    continue;
                }
                Instruction::SkipUnless { condition, count } => {
                    (!is_true(self.value(*condition))).then_some(*count)
                }
                Instruction::SkipIf { condition, count } => {
                    is_true(self.value(*condition)).then_some(*count)
                }
                Instruction::SkipPresent { value, count } => {
                    (!self.value(*value).is_missing()).then_some(*count)
                }
                Instruction::SkipMissing { value, count } => {
                    self.value(*value).is_missing().then_some(*count)
                }
            };
            let count = skipped.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
            at = at.saturating_add(count);
        }
    }

    fn compute(&self, op: &Op) -> Value {
        if let Op::OfList(function, list) = op {
            return scan::list(*function, self.value(*list));
        }
        let operands: Vec<&Value> =
            op.operands().into_iter().map(|operand| self.value(operand)).collect();
        apply(op, &operands, &self.env)
    }

    fn value(&self, operand: Operand) -> &Value {
        self.values.get(operand.index()).unwrap_or(NOTHING)
    }

    /// A result of the last computed row.
    pub(super) fn result(&self, index: usize) -> Value {
        self.program.results.get(index).map_or(NOTHING, |operand| self.value(*operand)).clone()
    }
}
