//! Instructions decoded in advance, so that a run decides nothing twice.

use crate::check::{Arithmetic, Comparison};
use crate::number::Rounding;
use crate::plan::integers::MAX_SCALE;
use crate::plan::program::{Instruction, Integers, Op, Operand, Program};

/// A decoded instruction with its operands; rare ones are looked up in the program.
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
    AddIntegers(Operand, Operand, Operand, IntegerForm),
    SubtractIntegers(Operand, Operand, Operand, IntegerForm),
    MultiplyIntegers(Operand, Operand, Operand, IntegerForm),
    DivideIntegers {
        to: Operand,
        top: Operand,
        bottom: Operand,
        form: IntegerForm,
        rounding: Rounding,
    },
    RoundInteger {
        to: Operand,
        value: Operand,
        digits: u32,
        form: IntegerForm,
        rounding: Rounding,
    },
    CompareIntegers(Comparison, Operand, Operand, Operand),
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
    /// The instruction with this index.
    Other(u32),
}

/// A compact form of [`Integers`], because long programs must stay in the processor's cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct IntegerForm {
    zeros: (u8, u8),
    scale: u8,
    is_counted_on: bool,
}

impl IntegerForm {
    fn of(integers: Integers, is_counted_on: bool) -> Option<Self> {
        let Integers { zeros: (first, second), scale } = integers;
        let small = |digits: u32| u8::try_from(digits).ok().filter(|_| digits <= MAX_SCALE);
        let zeros = (small(first)?, small(second)?);
        Some(Self { zeros, scale: small(scale)?, is_counted_on })
    }

    /// Whether other instructions rely on the result having this scale.
    #[inline]
    pub(super) fn is_counted_on(self) -> bool {
        self.is_counted_on
    }

    #[inline]
    pub(super) fn zeros(self) -> (u32, u32) {
        (self.zeros.0.into(), self.zeros.1.into())
    }

    #[inline]
    pub(super) fn scale(self) -> u32 {
        self.scale.into()
    }
}

/// Replaces steps by their integer variants where they exist; empty if there are none.
pub(super) fn on_integers(program: &Program, steps: &[Step]) -> Box<[Step]> {
    let mut has_any = false;
    let mut choose = |(step, instruction): (&Step, &Instruction)| {
        let Instruction::Compute { to, op, integers: Some(integers) } = instruction else {
            return *step;
        };
        let form = IntegerForm::of(*integers, program.scale(*to).is_some());
        let chosen = form.and_then(|form| Step::on_integers(*to, op, form));
        has_any |= chosen.is_some();
        chosen.unwrap_or(*step)
    };
    let chosen: Box<[Step]> = steps.iter().zip(&program.code).map(&mut choose).collect();
    if has_any { chosen } else { Box::default() }
}

impl Step {
    pub(super) fn of(index: usize, instruction: &Instruction) -> Self {
        let (to, op) = match instruction {
            Instruction::Compute { to, op, .. } => (*to, op),
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

    /// The variant on integers, if it is faster. A change of sign is not, and neither are operands that must
    /// first be brought to one scale.
    fn on_integers(to: Operand, op: &Op, form: IntegerForm) -> Option<Self> {
        let is_quotient = matches!(op, Op::RoundedQuotient { .. });
        if form.zeros != (0, 0) && !is_quotient {
            return None;
        }
        Some(match op {
            Op::Arithmetic(Arithmetic::Add, a, b) => Self::AddIntegers(to, *a, *b, form),
            Op::Arithmetic(Arithmetic::Subtract, a, b) => Self::SubtractIntegers(to, *a, *b, form),
            Op::Arithmetic(Arithmetic::Multiply, a, b) => Self::MultiplyIntegers(to, *a, *b, form),
            Op::RoundedQuotient { top, bottom, rounding, .. } => {
                Self::DivideIntegers { to, top: *top, bottom: *bottom, form, rounding: *rounding }
            }
            Op::Round { value, digits, rounding } => {
                Self::RoundInteger { to, value: *value, digits: *digits, form, rounding: *rounding }
            }
            Op::Compare(op, a, b) => Self::CompareIntegers(*op, to, *a, *b),
            _ => return None,
        })
    }
}
