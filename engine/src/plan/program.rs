//! Programs: linear sequences of instructions over slots and constants.

use std::sync::Arc;

use super::slot::Slot;
use crate::check::{AggregateFunction, Arithmetic, Comparison};
use crate::functions::{ALL, FunctionSpec, GREATEST, LEAST};
use crate::number::Rounding;
use crate::types::{Currency, Type, Value};

/// A value that an instruction reads or writes: an index over constants, then slots, then
/// registers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct Operand(pub(crate) u32);

impl Operand {
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A program; each register is computed at most once.
///
/// Invariant: an instruction reads only constants, slots, and registers of earlier instructions. A
/// runner that ignores the skips and computes everything gets the same results: a choice takes one
/// of its operands and ignores the other.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Program {
    #[serde(with = "super::serialized::values")]
    pub(crate) constants: Vec<Value>,
    /// The currencies of the constants that are amounts of money.
    pub(crate) currencies: Vec<Option<Currency>>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) code: Vec<Instruction>,
    /// The types of the registers, in their order.
    pub(crate) types: Vec<Type>,
    /// The results of the program.
    pub(crate) results: Vec<Operand>,
    /// The digits after the point of constants, slots and registers, where the plan knows them.
    pub(crate) scales: Vec<Option<u32>>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Instruction {
    /// Stores the value of an operation in a register; computed on integers, if the operands have
    /// the digits that the plan expects.
    Compute { to: Operand, op: Op, integers: Option<Integers> },
    /// Skips this many instructions unless the condition is true; their values are used only if it
    /// is.
    SkipUnless { condition: Operand, count: u32 },
    /// Skips if the condition is true.
    SkipIf { condition: Operand, count: u32 },
    /// Skips if there is a value.
    SkipPresent { value: Operand, count: u32 },
    /// Skips if the value is missing.
    SkipMissing { value: Operand, count: u32 },
}

/// An operation on integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Integers {
    /// The number of zeros appended to the first and to the second operand before the operation.
    pub(crate) zeros: (u32, u32),
    /// The digits after the point of the result, or of both sides of a comparison.
    pub(crate) scale: u32,
}

/// One operation. It treats nulls as the operators of the language do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(crate) enum Op {
    Negate(Operand),
    Not(Operand),
    And(Operand, Operand),
    Or(Operand, Operand),
    Arithmetic(Arithmetic, Operand, Operand),
    /// `(now - before) / before`; missing where `before` is zero or negative.
    Growth(Operand, Operand),
    /// `round(value, digits, mode)` with known digits after the point.
    Round {
        value: Operand,
        digits: u32,
        rounding: Rounding,
    },
    /// `round(top / bottom, digits, mode)` as one division.
    RoundedQuotient {
        top: Operand,
        bottom: Operand,
        digits: u32,
        rounding: Rounding,
    },
    Compare(Comparison, Operand, Operand),
    Concat(Operand, Operand),
    /// The first unless it is missing, otherwise the second.
    Default(Operand, Operand),
    /// The second unless the first is missing, otherwise the first's null.
    Given(Operand, Operand),
    IsNull(Operand),
    IsError(Operand),
    InList(Operand, Vec<Operand>),
    InPeriod(Operand, Operand),
    Like(Operand, Arc<str>),
    /// The second if the first is true, otherwise the third.
    Choose(Operand, Operand, Operand),
    Call(Function, Vec<Operand>),
    /// An aggregate over a list.
    OfList(AggregateFunction, Operand),
}

/// A function over values; compared by its name.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub(crate) struct Function(pub(crate) &'static FunctionSpec);

impl From<Function> for &'static str {
    fn from(function: Function) -> Self {
        function.0.name
    }
}

impl TryFrom<String> for Function {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let all = ALL.iter().copied().chain([&GREATEST, &LEAST]);
        let found = all.into_iter().find(|spec| spec.name == name).map(Self);
        found.ok_or_else(|| format!("there is no function `{name}`"))
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Function {}

impl PartialOrd for Function {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Function {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.name.cmp(other.0.name)
    }
}

impl Op {
    /// Returns the operands in order.
    pub(crate) fn operands(&self) -> Vec<Operand> {
        match self {
            Self::Negate(a)
            | Self::Not(a)
            | Self::IsNull(a)
            | Self::IsError(a)
            | Self::Like(a, _)
            | Self::Round { value: a, .. }
            | Self::OfList(_, a) => vec![*a],
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Arithmetic(_, a, b)
            | Self::Growth(a, b)
            | Self::RoundedQuotient { top: a, bottom: b, .. }
            | Self::Compare(_, a, b)
            | Self::Concat(a, b)
            | Self::Default(a, b)
            | Self::Given(a, b)
            | Self::InPeriod(a, b) => vec![*a, *b],
            Self::Choose(a, b, c) => vec![*a, *b, *c],
            Self::InList(a, list) => std::iter::once(*a).chain(list.iter().copied()).collect(),
            Self::Call(_, arguments) => arguments.clone(),
        }
    }

    /// Returns the operation with its operands mapped.
    pub(crate) fn over(&self, map: impl Fn(Operand) -> Operand) -> Self {
        match self {
            Self::Negate(a) => Self::Negate(map(*a)),
            Self::Not(a) => Self::Not(map(*a)),
            Self::And(a, b) => Self::And(map(*a), map(*b)),
            Self::Or(a, b) => Self::Or(map(*a), map(*b)),
            Self::Arithmetic(op, a, b) => Self::Arithmetic(*op, map(*a), map(*b)),
            Self::Growth(a, b) => Self::Growth(map(*a), map(*b)),
            Self::Round { value, digits, rounding } => {
                Self::Round { value: map(*value), digits: *digits, rounding: *rounding }
            }
            Self::RoundedQuotient { top, bottom, digits, rounding } => Self::RoundedQuotient {
                top: map(*top),
                bottom: map(*bottom),
                digits: *digits,
                rounding: *rounding,
            },
            Self::Compare(op, a, b) => Self::Compare(*op, map(*a), map(*b)),
            Self::Concat(a, b) => Self::Concat(map(*a), map(*b)),
            Self::Default(a, b) => Self::Default(map(*a), map(*b)),
            Self::Given(a, b) => Self::Given(map(*a), map(*b)),
            Self::IsNull(a) => Self::IsNull(map(*a)),
            Self::IsError(a) => Self::IsError(map(*a)),
            Self::InList(a, list) => {
                Self::InList(map(*a), list.iter().map(|item| map(*item)).collect())
            }
            Self::InPeriod(a, b) => Self::InPeriod(map(*a), map(*b)),
            Self::Like(a, pattern) => Self::Like(map(*a), Arc::clone(pattern)),
            Self::Choose(a, b, c) => Self::Choose(map(*a), map(*b), map(*c)),
            Self::Call(function, arguments) => {
                Self::Call(*function, arguments.iter().map(|item| map(*item)).collect())
            }
            Self::OfList(function, a) => Self::OfList(*function, map(*a)),
        }
    }
}

/// The value that an operand refers to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum OperandSource<'p> {
    Constant(&'p Value),
    Slot(usize, &'p Slot),
    Register(usize),
}

impl Program {
    /// Returns what an operand refers to; `None` past the last register.
    pub(crate) fn referred(&self, operand: Operand) -> Option<OperandSource<'_>> {
        let index = operand.index();
        if let Some(value) = self.constants.get(index) {
            return Some(OperandSource::Constant(value));
        }
        let index = index.checked_sub(self.constants.len())?;
        if let Some(slot) = self.slots.get(index) {
            return Some(OperandSource::Slot(index, slot));
        }
        let index = index.checked_sub(self.slots.len())?;
        (index < self.types.len()).then_some(OperandSource::Register(index))
    }

    /// Returns the digits after the point of a value, if the plan knows them.
    pub(crate) fn scale(&self, operand: Operand) -> Option<u32> {
        self.scales.get(operand.index()).copied().flatten()
    }

    /// Returns the number of slots whose digits the plan knows.
    pub(crate) fn slots_with_digits(&self) -> usize {
        (0..self.slots.len()).filter(|slot| self.scale(self.slot(*slot)).is_some()).count()
    }

    /// Returns the operand of a slot.
    pub(crate) fn slot(&self, index: usize) -> Operand {
        Operand::new(self.constants.len().saturating_add(index))
    }

    /// Returns the operand of a register.
    pub(crate) fn register(&self, index: usize) -> Operand {
        let before = self.constants.len().saturating_add(self.slots.len());
        Operand::new(before.saturating_add(index))
    }

    /// Returns the number of operands: constants, slots and registers.
    pub(crate) fn width(&self) -> usize {
        self.constants.len().saturating_add(self.slots.len()).saturating_add(self.types.len())
    }

    /// Returns the operations with their registers, in order, without the skips.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (Operand, &Op)> {
        self.code.iter().filter_map(|instruction| match instruction {
            Instruction::Compute { to, op, .. } => Some((*to, op)),
            Instruction::SkipUnless { .. }
            | Instruction::SkipIf { .. }
            | Instruction::SkipPresent { .. }
            | Instruction::SkipMissing { .. } => None,
        })
    }
}
