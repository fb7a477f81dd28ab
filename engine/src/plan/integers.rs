//! Scales: the digits after the point of numbers, where types and literals determine them.
//!
//! Money of one currency has the currency's minor digits, a count has none, a literal has those it is
//! written with. The digits of sums, products and roundings follow from their operands. Where the
//! digits of all operands are known, the operation runs on integers.
//!
//! A type does not fix the digits of a value: 1.005 USD and 3 USD are both money. The digits found here
//! are therefore an expectation, and a runner that meets other digits computes in decimals.

use super::program::{Instruction, Integers, Op, Operand, Program};
use super::slot::{Content, Slot};
use crate::check::{AggregateFunction, Arithmetic, BucketWindow};
use crate::functions::{GREATEST, LEAST};
use crate::number::{MOST_ROUNDED_DIGITS, Small};
use crate::types::{CurrencyOf, Flavour, Type, Value};

/// Limit: digits after the point of integers; more of them leave no room in 64 bits.
pub(crate) const MAX_SCALE: u32 = 18;

/// Sets the scales of a program, and which of its operations run on integers.
pub(super) fn choose(program: &mut Program) {
    let constants = program.constants.iter().map(of_constant);
    let mut scales: Vec<Option<u32>> =
        constants.chain(program.slots.iter().map(of_slot)).map(within_limit).collect();
    scales.resize(program.width(), None);
    let nulls: Vec<bool> = program.constants.iter().map(Value::is_missing).collect();
    let is_null = |operand: Operand| nulls.get(operand.index()).copied().unwrap_or(false);
    for instruction in &mut program.code {
        let Instruction::Compute { to, op, integers } = instruction else { continue };
        let known = |operand: Operand| scales.get(operand.index()).copied().flatten();
        *integers = on_integers(op, &known);
        let scale = match (&*op, &*integers) {
            (Op::Compare(..), _) => None,
            // A quotient without a remainder has none of the zeros appended to its dividend, so its digits are not known in
            // advance.
            (Op::RoundedQuotient { .. }, Some(integers)) if integers.zeros.0 > 0 => None,
            (_, Some(integers)) => Some(integers.scale),
            (op, None) => of_taken(op, &known, &is_null),
        };
        if let Some(slot) = scales.get_mut(to.index()) {
            *slot = scale;
        }
    }
    program.scales = scales;
}

fn within_limit(scale: Option<u32>) -> Option<u32> {
    scale.filter(|scale| *scale <= MAX_SCALE)
}

fn of_constant(value: &Value) -> Option<u32> {
    Small::of(value.as_number()?).map(Small::scale)
}

fn of_slot(slot: &Slot) -> Option<u32> {
    let is_money = slot.ty.unit().is_some_and(|unit| unit.money != 0);
    if is_money && slot.place.currency().is_some() {
        // An exchange rate has digits of its own.
        return None;
    }
    match &slot.content {
        Content::Input(_) | Content::Column(..) => of_type(&slot.ty),
        Content::Atom(atom) => {
            let value = atom.value.and_then(|index| of_result(&atom.rows.program, index));
            of_aggregate(atom.function, value)
        }
        Content::Per(per) => of_aggregate(per.function, of_result(&per.value, 0)),
        Content::PerRow(program) | Content::Outer(program) => of_result(program, 0),
        Content::Rank { .. } | Content::OverBuckets { window: BucketWindow::Rank, .. } => Some(0),
        Content::OverBuckets { window: BucketWindow::Previous(_), value } => of_result(value, 0),
        Content::OverBuckets { window: BucketWindow::Average(_), .. }
        | Content::InCurrencies(_)
        | Content::Amount(..)
        | Content::Literal(_)
        | Content::Reach
        | Content::Period(_)
        | Content::Now
        | Content::Today => None,
    }
}

fn of_type(ty: &Type) -> Option<u32> {
    let unit = ty.unit()?;
    if unit.is_money() {
        return match unit.currency {
            CurrencyOf::Fixed(currency) => Some(currency.digits()),
            CurrencyOf::Mixed => None,
        };
    }
    (unit.is_dimensionless() && matches!(unit.flavour, Flavour::Count(_))).then_some(0)
}

fn of_result(program: &Program, index: usize) -> Option<u32> {
    program.scale(*program.results.get(index)?)
}

/// Returns the digits of an aggregate of values with these digits.
fn of_aggregate(function: AggregateFunction, value: Option<u32>) -> Option<u32> {
    match function {
        AggregateFunction::Count | AggregateFunction::CountDistinct => Some(0),
        AggregateFunction::Sum
        | AggregateFunction::Minimum
        | AggregateFunction::Maximum
        | AggregateFunction::First
        | AggregateFunction::Last
        | AggregateFunction::Mode => value,
        AggregateFunction::Average
        | AggregateFunction::Percentile
        | AggregateFunction::StandardDeviation
        | AggregateFunction::ShareOf
        | AggregateFunction::Variance
        | AggregateFunction::PopulationVariance
        | AggregateFunction::PopulationDeviation => None,
    }
}

/// Returns the digits of an operation that takes one of its operands, if all that it may take have
/// the same digits.
fn of_taken(
    op: &Op,
    known: &impl Fn(Operand) -> Option<u32>,
    is_null: &impl Fn(Operand) -> bool,
) -> Option<u32> {
    let either = |a: Operand, b: Operand| match (known(a), known(b)) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(scale), None) if is_null(b) => Some(scale),
        (None, Some(scale)) if is_null(a) => Some(scale),
        _ => None,
    };
    match op {
        Op::Choose(_, a, b) | Op::Default(a, b) => either(*a, *b),
        Op::Given(_, value) => known(*value),
        Op::Call(function, arguments)
            if ["abs", GREATEST.name, LEAST.name].contains(&function.0.name) =>
        {
            let (first, rest) = arguments.split_first()?;
            known(*first).filter(|first| rest.iter().all(|other| known(*other) == Some(*first)))
        }
        _ => None,
    }
}

/// Returns the operation on integers, if the digits of all operands are known.
fn on_integers(op: &Op, known: &impl Fn(Operand) -> Option<u32>) -> Option<Integers> {
    let integers = match op {
        Op::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, a, b) | Op::Compare(_, a, b) => {
            let (a, b) = (known(*a)?, known(*b)?);
            let scale = a.max(b);
            Integers { zeros: (scale.saturating_sub(a), scale.saturating_sub(b)), scale }
        }
        Op::Arithmetic(Arithmetic::Multiply, a, b) => {
            Integers { zeros: (0, 0), scale: known(*a)?.saturating_add(known(*b)?) }
        }
        Op::Negate(a) => Integers { zeros: (0, 0), scale: known(*a)? },
        Op::Round { value, digits, .. } => {
            Integers { zeros: (0, 0), scale: known(*value)?.min(*digits) }
        }
        Op::RoundedQuotient { top, bottom, digits, .. } if *digits <= MOST_ROUNDED_DIGITS => {
            let zeros = Small::zeros_of_quotient(known(*top)?, known(*bottom)?, *digits);
            Integers { zeros, scale: *digits }
        }
        _ => return None,
    };
    let Integers { zeros: (first, second), scale } = integers;
    (scale.max(first).max(second) <= MAX_SCALE).then_some(integers)
}
