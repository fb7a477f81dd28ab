//! Two-valued conditions of rows: a comparison with NULL is false, as in the evaluator.

use super::binding::InstantUnit;
use super::compile::{Compiler, FromClause, RowContext, unbound};
use super::dialect::BoundColumnKind;
use super::place::Clock;
use super::query::BoundValue;
use super::ranges::{self, BucketRows};
use super::term::{CompileFailure, Compiled, Number, Term, floor, integers, truths};
use crate::calendar::day_number;
use crate::check::{Atom, Comparison, Kind, NodeId};
use crate::evaluate::{FrameId, NodeRef, Owner};
use crate::types::Value;

impl Compiler<'_, '_> {
    /// Compiles a condition that is never NULL.
    pub(super) fn condition(
        &mut self,
        from: &mut FromClause,
        at: RowContext,
        id: NodeId,
    ) -> Compiled<String> {
        let Some(kind) = self.kind(at.owner, id) else { return Err(unbound("a node")) };
        match kind {
            Kind::Compare(op, left, right) => {
                let (left, right) = (self.term(from, at, *left)?, self.term(from, at, *right)?);
                self.compare(*op, left, right)
            }
            Kind::And(left, right) | Kind::Or(left, right) => {
                let word = if matches!(kind, Kind::And(..)) { "AND" } else { "OR" };
                let (left, right) = (self.truth(from, at, *left)?, self.truth(from, at, *right)?);
                Ok(format!("({left} {word} {right})"))
            }
            Kind::Not(operand) => Ok(not(&self.truth(from, at, *operand)?)),
            Kind::IsNull(operand) => {
                let operand = self.term(from, at, *operand)?;
                let text = operand.nullable().map(|text| format!("({text} IS NULL)"));
                Ok(text.unwrap_or_else(|| "FALSE".to_owned()))
            }
            Kind::InList(operand, values) => self.in_list(from, at, *operand, values),
            Kind::Like(operand, pattern) => match self.term(from, at, *operand)? {
                Term::Text(text) => {
                    let words = self.statement.dialect().words();
                    let pattern = self.statement.value(BoundValue::Text(words.pattern(pattern)));
                    Ok(two_valued(&words.like(&text, &pattern)))
                }
                _ => Err(CompileFailure::Stream("`like`")),
            },
            Kind::InPeriod(operand, period) => {
                let operand = self.term(from, at, *operand)?;
                match self.term(from, at, *period)? {
                    Term::Constant(periods) => self.in_period(&operand, &periods),
                    _ => Err(CompileFailure::Stream("a period of each row")),
                }
            }
            _ => Err(CompileFailure::Stream("an operation without a counterpart")),
        }
    }

    /// Compiles the conditions on the rows of an aggregate in a frame: that they lie in its `ranges`, and its filters.
    pub(super) fn row_conditions(
        &mut self,
        from: &mut FromClause,
        (owner, atom, frame): (Owner, &Atom, FrameId),
        ranges: &[BucketRows],
    ) -> Compiled<Vec<String>> {
        let mut conditions = ranges::condition(self, from, atom, ranges)?;
        let own = self.evaluation.conditions(owner, atom, frame);
        conditions.extend(self.conditions(from, own, frame)?);
        Ok(conditions)
    }

    /// Compiles conditions on the rows of an aggregate in a frame.
    pub(super) fn conditions(
        &mut self,
        from: &mut FromClause,
        conditions: Vec<NodeRef>,
        frame: FrameId,
    ) -> Compiled<Vec<String>> {
        let truth = |condition: NodeRef| {
            let frame = self.evaluation.frames_mut().around(condition, frame);
            self.truth(from, RowContext { owner: condition.owner, frame }, condition.id)
        };
        conditions.into_iter().map(truth).collect()
    }

    /// Converts a row's value to a condition.
    pub(super) fn truth(
        &mut self,
        from: &mut FromClause,
        at: RowContext,
        id: NodeId,
    ) -> Compiled<String> {
        Ok(match self.term(from, at, id)? {
            Term::Truth(text) => text,
            Term::Bool(text) => two_valued(&format!("{text} = TRUE")),
            Term::Constant(values) => {
                let values: Vec<bool> =
                    values.iter().map(|value| *value == Value::Bool(true)).collect();
                truths(&mut self.statement, &values)
            }
            Term::Number(_) | Term::Text(_) | Term::Instant(..) | Term::Day(_) => {
                "FALSE".to_owned()
            }
        })
    }

    fn compare(&mut self, op: Comparison, left: Term, right: Term) -> Compiled<String> {
        match (left, right) {
            (Term::Constant(values), other) => self.with_constants(op.turned(), other, &values),
            (other, Term::Constant(values)) => self.with_constants(op, other, &values),
            (Term::Number(left), Term::Number(right)) => {
                let scale = left.scale.max(right.scale);
                if !left.beside.is_zero() || !right.beside.is_zero() {
                    return Err(CompileFailure::Stream("instants finer than a microsecond"));
                }
                let left = left.at_scale(scale, &mut self.statement)?;
                let right = right.at_scale(scale, &mut self.statement)?;
                Ok(relation(op, &left.text, &right.text))
            }
            (Term::Text(left), Term::Text(right)) => Ok(self.texts(op, &left, &right)),
            (Term::Bool(left), Term::Bool(right)) if is_equality(op) => {
                Ok(relation(op, &left, &right))
            }
            (Term::Day(left), Term::Day(right)) => Ok(relation(op, &left, &right)),
            (Term::Instant(left, one), Term::Instant(right, two)) => {
                let (left, right) = (self.micros(&left, one), self.micros(&right, two));
                Ok(relation(op, &left, &right))
            }
            _ => Err(CompileFailure::Stream("a comparison of unlike columns")),
        }
    }

    pub(super) fn micros(&mut self, text: &str, unit: InstantUnit) -> String {
        match unit.microseconds() {
            1 => text.to_owned(),
            factor => format!("{text} * {}", self.statement.integer(factor)),
        }
    }

    fn texts(&self, op: Comparison, left: &str, right: &str) -> String {
        if is_equality(op) {
            return relation(op, left, right);
        }
        let words = self.statement.dialect().words();
        relation(op, &words.by_bytes(left), right)
    }

    fn with_constants(&mut self, op: Comparison, term: Term, values: &[Value]) -> Compiled<String> {
        match term {
            Term::Number(number) => self.number_with(op, &number, values),
            Term::Text(text) => {
                let values = values.iter().map(|value| match value {
                    Value::Text(text) => Some(BoundValue::Text(text.to_string())),
                    _ => None,
                });
                let value = self.statement.of_bucket(BoundColumnKind::Text, values.collect());
                Ok(self.texts(op, &text, &value))
            }
            Term::Bool(text) => bool_with(op, &text, values),
            Term::Truth(text) => {
                bool_with(op, &format!("(CASE WHEN {text} THEN 1 ELSE 0 END = 1)"), values)
            }
            Term::Instant(text, unit) => self.moment_with(op, &text, Clock::Instant(unit), values),
            Term::Day(text) => self.moment_with(op, &text, Clock::Day, values),
            Term::Constant(_) => Err(CompileFailure::Stream("constants of different buckets")),
        }
    }

    /// Compares an integer with numbers that may lie between integers.
    fn number_with(
        &mut self,
        op: Comparison,
        number: &Number,
        values: &[Value],
    ) -> Compiled<String> {
        let mut bounds = Vec::with_capacity(values.len());
        for value in values {
            let Some(value) = value.as_number() else {
                bounds.push(None);
                continue;
            };
            let value = value.checked_sub(number.beside).unwrap_or(value);
            let found = floor(value, number.scale)
                .ok_or(CompileFailure::Stream("numbers of many digits"))?;
            bounds.push(bound(op, found));
        }
        let value = integers(&mut self.statement, bounds);
        Ok(relation(op, &number.text, &value))
    }

    /// Compares an instant or a day with instants or days.
    fn moment_with(
        &mut self,
        op: Comparison,
        text: &str,
        clock: Clock,
        values: &[Value],
    ) -> Compiled<String> {
        let mut whole = Vec::with_capacity(values.len());
        let mut from = Vec::with_capacity(values.len());
        let mut to = Vec::with_capacity(values.len());
        for value in values {
            let range = self.range_of(clock, value)?;
            from.push(range.map(|(from, _)| from));
            to.push(range.map(|(_, to)| to));
            whole.push(range.is_none_or(|(from, to)| from.checked_add(1) == Some(to)));
        }
        let statement = &mut self.statement;
        Ok(match op {
            Comparison::Less | Comparison::GreaterOrEqual => {
                relation(op, text, &integers(statement, from))
            }
            Comparison::LessOrEqual => relation(Comparison::Less, text, &integers(statement, to)),
            Comparison::Greater => {
                relation(Comparison::GreaterOrEqual, text, &integers(statement, to))
            }
            Comparison::Equal | Comparison::NotEqual if whole.iter().all(|whole| *whole) => {
                relation(op, text, &integers(statement, from))
            }
            Comparison::Equal | Comparison::NotEqual => {
                let (from, to) = (integers(statement, from), integers(statement, to));
                let held = two_valued(&format!("{text} >= {from} AND {text} < {to}"));
                if op == Comparison::Equal { held } else { not(&held) }
            }
        })
    }

    /// Returns the half-open range of stored values equal to an instant or a day.
    fn range_of(&self, clock: Clock, value: &Value) -> Compiled<Option<(i64, i64)>> {
        let calendar = self.evaluation.context().calendar;
        let day = |date: jiff::civil::Date| -> Option<(i64, i64)> {
            let number = day_number(date);
            if clock == Clock::Day {
                return Some((number, number.checked_add(1)?));
            }
            let next = calendar.start_of_day(date.tomorrow().ok()?)?;
            Some((clock.edge(calendar.start_of_day(date)?, calendar), clock.edge(next, calendar)))
        };
        let lost = CompileFailure::Stream("a day at the end of time");
        match (value, clock) {
            (Value::Date(date), _) => day(*date).ok_or(lost).map(Some),
            (Value::DateTime(at), Clock::Day) => day(calendar.date_of(*at)).ok_or(lost).map(Some),
            (Value::DateTime(at), Clock::Instant(_)) => {
                let from = clock.edge(*at, calendar);
                let after = at.checked_add(jiff::SignedDuration::from_nanos(1));
                let to = after.map(|after| clock.edge(after, calendar));
                Ok(Some((from, to.map_err(|_out_of_range| lost)?)))
            }
            (Value::Missing(_), _) => Ok(None),
            _ => Err(CompileFailure::Stream("a comparison of unlike values")),
        }
    }

    fn in_list(
        &mut self,
        from: &mut FromClause,
        at: RowContext,
        operand: NodeId,
        values: &[NodeId],
    ) -> Compiled<String> {
        let operand = self.term(from, at, operand)?;
        let mut parts = Vec::with_capacity(values.len());
        let mut listed = Vec::new();
        for value in values {
            let value = self.term(from, at, *value)?;
            if let (Term::Text(_), Term::Constant(values)) = (&operand, &value)
                && let [Value::Text(first), rest @ ..] = values.as_slice()
                && rest.iter().all(|other| matches!(other, Value::Text(text) if text == first))
            {
                listed.push(self.statement.value(BoundValue::Text(first.to_string())));
                continue;
            }
            parts.push(self.compare(Comparison::Equal, operand.clone(), value)?);
        }
        if let (Some(text), false) = (operand.nullable(), listed.is_empty()) {
            parts.insert(0, two_valued(&format!("{text} IN ({})", listed.join(", "))));
        }
        Ok(any_of(&parts))
    }

    fn in_period(&mut self, operand: &Term, periods: &[Value]) -> Compiled<String> {
        let (text, clock) = match operand {
            Term::Instant(text, unit) => (text, Clock::Instant(*unit)),
            Term::Day(text) => (text, Clock::Day),
            _ => return Err(CompileFailure::Stream("a period with no date of each row")),
        };
        let calendar = self.evaluation.context().calendar;
        let edges: Vec<Option<(i64, i64)>> = periods
            .iter()
            .map(|period| match period {
                Value::Period(period) => {
                    Some((clock.edge(period.start, calendar), clock.edge(period.as_of, calendar)))
                }
                _ => None,
            })
            .collect();
        let from = edges.iter().map(|edges| edges.map(|(from, _)| from)).collect();
        let to = edges.iter().map(|edges| edges.map(|(_, to)| to)).collect();
        let from = integers(&mut self.statement, from);
        let to = integers(&mut self.statement, to);
        Ok(two_valued(&format!("{text} >= {from} AND {text} < {to}")))
    }
}

fn bool_with(op: Comparison, text: &str, values: &[Value]) -> Compiled<String> {
    let [Value::Bool(truth), rest @ ..] = values else {
        return Err(CompileFailure::Stream("a condition compared with no value"));
    };
    if !is_equality(op) || rest.iter().any(|other| *other != Value::Bool(*truth)) {
        return Err(CompileFailure::Stream("conditions in order"));
    }
    Ok(relation(op, text, if *truth { "TRUE" } else { "FALSE" }))
}

/// Returns the integer to compare with if a number may lie between two integers; NULL if nothing
/// can be equal.
fn bound(op: Comparison, (floor, is_whole): (i64, bool)) -> Option<i64> {
    match op {
        Comparison::Less | Comparison::GreaterOrEqual if !is_whole => floor.checked_add(1),
        Comparison::Less
        | Comparison::GreaterOrEqual
        | Comparison::LessOrEqual
        | Comparison::Greater => Some(floor),
        Comparison::Equal | Comparison::NotEqual => is_whole.then_some(floor),
    }
}

const fn is_equality(op: Comparison) -> bool {
    matches!(op, Comparison::Equal | Comparison::NotEqual)
}

/// Compares two sides, false if either is NULL; `different` is then true.
fn relation(op: Comparison, left: &str, right: &str) -> String {
    let sign = match op {
        Comparison::Equal => "=",
        Comparison::NotEqual => return not(&two_valued(&format!("{left} = {right}"))),
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    };
    two_valued(&format!("{left} {sign} {right}"))
}

/// Returns the condition that holds if one of these does.
pub(super) fn any_of(conditions: &[String]) -> String {
    match conditions {
        [] => "FALSE".to_owned(),
        [only] => only.clone(),
        _ => format!("({})", conditions.join(" OR ")),
    }
}

fn two_valued(condition: &str) -> String {
    format!("coalesce({condition}, FALSE)")
}

fn not(condition: &str) -> String {
    format!("NOT {condition}")
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;

    #[test]
    fn a_number_between_two_integers_is_equal_to_none() {
        let between = floor(Decimal::new(1_555, 3), 2).unwrap();
        assert_eq!(between, (155, false));
        assert_eq!(bound(Comparison::Less, between), Some(156));
        assert_eq!(bound(Comparison::LessOrEqual, between), Some(155));
        assert_eq!(bound(Comparison::Equal, between), None);
        assert_eq!(floor(Decimal::new(-1_555, 3), 2), Some((-156, false)));
        assert_eq!(floor(Decimal::new(-155, 2), 2), Some((-155, true)));
    }
}
