//! Literals of time spans and periods, and spans as durations.

use super::checker::{Checker, Outcome};
use super::typed::{Kind, Level, NodeId};
use crate::calendar::{PeriodLiteral, TimeSpan, TimeUnit};
use crate::diagnostics::{Code, Diagnostic};
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
            None => self.refuse_length(span, unit),
        }
    }

    fn refuse_length(&mut self, span: Span, unit: TimeUnit) -> Outcome {
        let name = unit.name();
        let days = match unit {
            TimeUnit::Month => "30 days",
            TimeUnit::Quarter => "91 days",
            TimeUnit::Year => "365 days",
            TimeUnit::Period => "length(period)",
            TimeUnit::Second
            | TimeUnit::Minute
            | TimeUnit::Hour
            | TimeUnit::Day
            | TimeUnit::Week => "1 day",
        };
        self.refuse(
            Diagnostic::new(Code::E330, span, format!("a {name} has no fixed length"))
                .help(format!("as a length take {days}"))
                .suggest(crate::diagnostics::Suggestion::replace(span, days).among_others()),
        )
    }

    /// Converts a span to its length in seconds; other nodes are unchanged.
    pub(super) fn as_duration(&mut self, id: NodeId) -> Outcome {
        let span = self.span(id);
        let Kind::Constant(Value::Span(step)) = self.node(id).kind else { return Some(id) };
        match step.seconds() {
            Some(seconds) => {
                let value = Value::Number(Decimal::from(seconds));
                Some(self.constant(span, Type::DURATION, value))
            }
            None => self.refuse_length(span, step.unit),
        }
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
