//! Readable forms of programs: a table of slots and instructions, or one expression.

use std::fmt::{Display, Formatter, Write};

use super::program::{Instruction, Op, Operand, OperandSource, Program};
use crate::check::Arithmetic;
use crate::types::{Currency, Value};

pub(super) const fn arithmetic(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Power => "^",
        Arithmetic::Shift => "moved by",
        Arithmetic::ShiftBack => "moved back by",
        Arithmetic::Between => "since",
    }
}

/// Formats a constant as formulas write it; a number keeps all its digits.
pub(super) fn constant(value: &Value, currency: Option<Currency>) -> String {
    match value {
        Value::Missing(missing) => format!("null({})", missing.reason.name()),
        Value::Number(number) => match currency {
            Some(currency) => format!("{number} {}", currency.code()),
            None => number.to_string(),
        },
        Value::Text(text) => format!("{text:?}"),
        Value::Bool(truth) => truth.to_string(),
        Value::Date(date) => format!("@{date}"),
        Value::DateTime(at) => at.to_string(),
        Value::Period(period) => format!("{} to {}", period.start, period.end),
        Value::Span(span) => span.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| constant(item, None)).collect();
            format!("list({})", items.join(", "))
        }
    }
}

/// Formats the name of a slot as formulas write it: in brackets unless it is a plain word.
pub(super) fn name(name: &str) -> String {
    let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if is_word { name.to_owned() } else { format!("[{}]", name.replace(']', "]]")) }
}

/// Formats an operation over operands that are already formatted.
fn operation(op: &Op, texts: &[String]) -> String {
    let list = |from: usize| texts.get(from..).unwrap_or_default().join(", ");
    let at = |index: usize| texts.get(index).map_or("", String::as_str);
    let infix = |word: &str| format!("{} {word} {}", at(0), at(1));
    match op {
        Op::Negate(_) => format!("-{}", at(0)),
        Op::Not(_) => format!("not {}", at(0)),
        Op::And(..) => infix("and"),
        Op::Or(..) => infix("or"),
        Op::Arithmetic(op, ..) => infix(arithmetic(*op)),
        Op::Growth(..) => format!("growth from {} to {}", at(1), at(0)),
        Op::Round { digits, rounding, .. } => {
            format!("{} rounded {} to {digits}", at(0), rounding.name())
        }
        Op::RoundedQuotient { digits, rounding, .. } => {
            format!("{} / {} rounded {} to {digits}", at(0), at(1), rounding.name())
        }
        Op::Compare(op, ..) => infix(op.sign()),
        Op::Concat(..) => infix("&"),
        Op::Default(..) => infix("default"),
        Op::Given(..) => format!("given {} {}", at(0), at(1)),
        Op::IsNull(_) => format!("{} is null", at(0)),
        Op::IsError(_) => format!("is_error({})", at(0)),
        Op::InList(..) => format!("{} in ({})", at(0), list(1)),
        Op::InPeriod(..) => infix("in"),
        Op::Like(_, pattern) => format!("{} like {pattern:?}", at(0)),
        Op::Choose(..) => format!("if {} then {} else {}", at(0), at(1), at(2)),
        Op::Call(function, _) => format!("{}({})", function.0.name, list(0)),
        Op::OfList(function, _) => {
            format!("{} of list {}", super::rows::aggregate_name(*function), at(0))
        }
    }
}

impl Program {
    /// Formats a result as one expression; values used several times are named first.
    pub(crate) fn expression(&self, result: usize) -> String {
        let Some(root) = self.results.get(result).copied() else { return String::new() };
        let mut uses = vec![0_usize; self.width()];
        let mut needed = vec![false; self.width()];
        let mark = |operand: Operand, needed: &mut Vec<bool>, uses: &mut Vec<usize>| {
            if let Some(slot) = needed.get_mut(operand.index()) {
                *slot = true;
            }
            if let Some(count) = uses.get_mut(operand.index()) {
                *count = count.saturating_add(1);
            }
        };
        mark(root, &mut needed, &mut uses);
        let operations: Vec<(Operand, &Op)> = self.operations().collect();
        for (to, op) in operations.iter().rev() {
            if needed.get(to.index()).copied().unwrap_or(false) {
                for operand in op.operands() {
                    mark(operand, &mut needed, &mut uses);
                }
            }
        }
        let mut texts: Vec<String> = vec![String::new(); self.width()];
        let mut named = String::new();
        let mut count = 0_usize;
        for (to, op) in operations {
            if !needed.get(to.index()).copied().unwrap_or(false) {
                continue;
            }
            let operands: Vec<String> = op
                .operands()
                .iter()
                .map(|operand| self.leaf(*operand).unwrap_or_else(|| taken(&mut texts, *operand)))
                .collect();
            let mut text = operation(op, &operands);
            if to != root {
                text = format!("({text})");
                if uses.get(to.index()).is_some_and(|uses| *uses > 1) {
                    count = count.saturating_add(1);
                    write!(named, "let t{count} = {text}; ").ok();
                    text = format!("t{count}");
                }
            }
            if let Some(slot) = texts.get_mut(to.index()) {
                *slot = text;
            }
        }
        let whole = self.leaf(root).unwrap_or_else(|| taken(&mut texts, root));
        if named.is_empty() { whole } else { format!("({named}{whole})") }
    }

    fn currency(&self, operand: Operand) -> Option<Currency> {
        self.currencies.get(operand.index()).copied().flatten()
    }

    /// Returns the text of a constant or slot.
    fn leaf(&self, operand: Operand) -> Option<String> {
        match self.referred(operand)? {
            OperandSource::Constant(value) => Some(constant(value, self.currency(operand))),
            OperandSource::Slot(_, slot) => Some(slot.to_string()),
            OperandSource::Register(_) => None,
        }
    }

    /// Returns the short name of an operand: a constant itself, `s0` or `r0`.
    pub(super) fn short(&self, operand: Operand) -> String {
        match self.referred(operand) {
            Some(OperandSource::Constant(value)) => constant(value, self.currency(operand)),
            Some(OperandSource::Slot(index, _)) => format!("s{index}"),
            Some(OperandSource::Register(index)) => format!("r{index}"),
            None => "?".to_owned(),
        }
    }
}

/// Formats the integer type of a number with this many digits after the point.
fn form(scale: Option<u32>) -> String {
    match scale {
        None => String::new(),
        Some(0) => " in i64".to_owned(),
        Some(scale) => format!(" in i64·10^-{scale}"),
    }
}

fn taken(texts: &mut [String], operand: Operand) -> String {
    texts.get(operand.index()).cloned().unwrap_or_default()
}

impl Display for Program {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        for (index, slot) in self.slots.iter().enumerate() {
            let form = form(self.scale(self.slot(index)));
            writeln!(formatter, "s{index}: {}{form} = {slot}", slot.ty)?;
        }
        for instruction in &self.code {
            let skip = |word: &str, operand: &Operand, count: &u32| {
                format!("  skip {count} {word} {}", self.short(*operand))
            };
            let line = match instruction {
                Instruction::Compute { to, op, integers } => {
                    let operands: Vec<String> =
                        op.operands().iter().map(|operand| self.short(*operand)).collect();
                    let ty = match self.referred(*to) {
                        Some(OperandSource::Register(index)) => self.types.get(index),
                        Some(OperandSource::Constant(_) | OperandSource::Slot(..)) | None => None,
                    };
                    let ty = ty.map(ToString::to_string).unwrap_or_default();
                    let form = form(integers.map(|on| on.scale).or_else(|| self.scale(*to)));
                    format!("{}: {ty}{form} = {}", self.short(*to), operation(op, &operands))
                }
                Instruction::SkipUnless { condition, count } => skip("unless", condition, count),
                Instruction::SkipIf { condition, count } => skip("if", condition, count),
                Instruction::SkipPresent { value, count } => skip("if present", value, count),
                Instruction::SkipMissing { value, count } => skip("if missing", value, count),
            };
            writeln!(formatter, "{line}")?;
        }
        Ok(())
    }
}
