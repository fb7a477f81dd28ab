//! Literals of time spans and periods, and spans as durations.

use super::checker::{Checker, Outcome};
use super::typed::{Arithmetic, Kind, Level, NodeId};
use crate::calendar::{PeriodLiteral, TimeSpan, TimeUnit};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::source::Span;
use crate::types::{Type, Value};
use rust_decimal::Decimal;

impl Checker<'_> {
    /// Checks `30 days`: a calendar step if the number is whole, otherwise a duration.
    pub(super) fn time_span(&mut self, span: Span, count: Decimal, unit: TimeUnit) -> Outcome {
        if count.is_integer()
            && let Ok(whole) = i64::try_from(count)
        {
            let value = Value::Span(TimeSpan::new(whole, unit));
            return Some(self.constant(span, Type::Span, value));
        }
        let seconds = unit
            .seconds()
            .and_then(|seconds| crate::number::multiply(count, Decimal::from(seconds)).ok());
        match seconds {
            Some(seconds) => Some(self.constant(span, Type::DURATION, Value::Number(seconds))),
            None => self.refuse_length(span, count, unit),
        }
    }

    fn refuse_length(&mut self, span: Span, count: Decimal, unit: TimeUnit) -> Outcome {
        let message = format!("a {} has no fixed length", unit.name());
        let finding = Diagnostic::new(Code::E330, span, message);
        let Some(length) = usual_length(count, unit) else {
            return self.refuse(finding.help("write a shorter length, in days"));
        };
        self.refuse(
            finding
                .help(format!("as a length take {length}"))
                .suggest(Suggestion::replace(span, length).among_others()),
        )
    }

    /// Converts a span to its length in seconds; other nodes are unchanged.
    pub(super) fn as_duration(&mut self, id: NodeId) -> Outcome {
        let span = self.span(id);
        let Some(step) = self.span_constant(id) else { return Some(id) };
        match step.seconds() {
            Some(seconds) => Some(self.duration(span, seconds)),
            None => self.refuse_length(span, Decimal::from(step.count), step.unit),
        }
    }

    fn duration(&mut self, span: Span, seconds: i64) -> NodeId {
        self.constant(span, Type::DURATION, Value::Number(Decimal::from(seconds)))
    }

    /// Returns the span written here, or in the `let` named here.
    pub(super) fn span_constant(&self, mut id: NodeId) -> Option<TimeSpan> {
        while let Kind::Shared(inner) = self.node(id).kind {
            id = inner;
        }
        match self.node(id).kind {
            Kind::Constant(Value::Span(step)) => Some(step),
            _ => None,
        }
    }

    /// Moves a date. If moved by less than days, it becomes the instant that far after its start.
    pub(super) fn moved(
        &mut self,
        shift: Arithmetic,
        (date, step): (NodeId, NodeId),
        span: Span,
    ) -> NodeId {
        let is_short = |step: &TimeSpan| *self.ty(date) == Type::Date && step.unit < TimeUnit::Day;
        let seconds = self.span_constant(step).filter(is_short);
        let step = match seconds.and_then(TimeSpan::seconds) {
            Some(seconds) => self.duration(self.span(step), seconds),
            None => step,
        };
        let ty = match (self.ty(date), self.ty(step)) {
            (Type::Null, _) => Type::Null,
            (Type::Date, Type::Span | Type::Null) => Type::Date,
            _ => Type::DateTime,
        };
        self.operation(span, ty, Kind::Arithmetic(shift, date, step))
    }

    /// A day is a date; longer periods remain periods until the calendar is known.
    pub(super) fn period_literal(&mut self, span: Span, literal: PeriodLiteral) -> NodeId {
        match literal {
            PeriodLiteral::Day(date) => self.constant(span, Type::Date, Value::Date(date)),
            PeriodLiteral::Year(_)
            | PeriodLiteral::Quarter(..)
            | PeriodLiteral::Week(..)
            | PeriodLiteral::Month(..) => {
                self.add(span, Type::Period, Level::Constant, Kind::Literal(literal))
            }
        }
    }
}

/// Returns the usual length of a span without a fixed length, as text.
fn usual_length(count: Decimal, unit: TimeUnit) -> Option<String> {
    let days: i64 = match unit {
        TimeUnit::Month => 30,
        TimeUnit::Quarter => 91,
        TimeUnit::Year => 365,
        TimeUnit::Period if count == Decimal::ONE => return Some("length(period)".to_owned()),
        TimeUnit::Period => return Some(format!("({count} * length(period))")),
        TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Day | TimeUnit::Week => {
            return None;
        }
    };
    let days = crate::number::multiply(count, Decimal::from(days)).ok()?;
    Some(format!("{} days", days.normalize()))
}
