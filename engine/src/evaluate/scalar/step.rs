//! Instructions decoded once, so that a run decides nothing twice.

use crate::check::{Arithmetic, Comparison};
use crate::number::Rounding;
use crate::plan::program::{Instruction, Op, Operand};

/// An instruction with everything a run needs beside it; what is rare is looked up in the program.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Add(Operand, Operand, Operand),
    Subtract(Operand, Operand, Operand),
    Multiply(Operand, Operand, Operand),
    Divide(Operand, Operand, Operand),
    RoundedQuotient {
        to: Operand,
        top: Operand,
        bottom: Operand,
        digits: u32,
        rounding: Rounding,
    },
    Round {
        to: Operand,
        value: Operand,
        digits: u32,
        rounding: Rounding,
    },
    Compare(Comparison, Operand, Operand, Operand),
    Choose {
        to: Operand,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    },
    Default(Operand, Operand, Operand),
    SkipUnless(Operand, u32),
    SkipIf(Operand, u32),
    SkipPresent(Operand, u32),
    SkipMissing(Operand, u32),
    /// The instruction of that index.
    Other(u32),
}

impl Step {
    pub(super) fn of(index: usize, instruction: &Instruction) -> Self {
        let (to, op) = match instruction {
            Instruction::Compute { to, op } => (*to, op),
            Instruction::SkipUnless { condition, count } => {
                return Self::SkipUnless(*condition, *count);
            }
            Instruction::SkipIf { condition, count } => return Self::SkipIf(*condition, *count),
            Instruction::SkipPresent { value, count } => return Self::SkipPresent(*value, *count),
            Instruction::SkipMissing { value, count } => return Self::SkipMissing(*value, *count),
        };
        match op {
            Op::Arithmetic(Arithmetic::Add, a, b) => Self::Add(to, *a, *b),
            Op::Arithmetic(Arithmetic::Subtract, a, b) => Self::Subtract(to, *a, *b),
            Op::Arithmetic(Arithmetic::Multiply, a, b) => Self::Multiply(to, *a, *b),
            Op::Arithmetic(Arithmetic::Divide, a, b) => Self::Divide(to, *a, *b),
            Op::RoundedQuotient { top, bottom, digits, rounding } => Self::RoundedQuotient {
                to,
                top: *top,
                bottom: *bottom,
                digits: *digits,
                rounding: *rounding,
            },
            Op::Round { value, digits, rounding } => {
                Self::Round { to, value: *value, digits: *digits, rounding: *rounding }
            }
            Op::Compare(op, a, b) => Self::Compare(*op, to, *a, *b),
            Op::Choose(condition, then, otherwise) => {
                Self::Choose { to, condition: *condition, then: *then, otherwise: *otherwise }
            }
            Op::Default(value, otherwise) => Self::Default(to, *value, *otherwise),
            _ => Self::Other(Operand::new(index).0),
        }
    }
}
