//! Shifting of periods through the calendar.

use jiff::Timestamp;

use super::days::day_number;
use super::steps::months;
use super::zone::later;
use super::{Calendar, Period, TimeSpan, TimeUnit};

/// The distance of a shift.
#[derive(Debug, Clone, Copy)]
pub(super) enum ShiftStep {
    /// By the calendar.
    Calendar(TimeSpan),
    /// By the calendar, and by lengths of the period itself, so that whole units stay whole.
    Lengths(TimeSpan),
    /// By exact time.
    Nanoseconds(i128),
}

impl ShiftStep {
    const fn span(self) -> Option<TimeSpan> {
        match self {
            Self::Calendar(span) | Self::Lengths(span) => Some(span),
            Self::Nanoseconds(_) => None,
        }
    }
}

/// The treatment of the ends of a period that moves by months.
#[derive(Debug, Clone, Copy)]
struct EndRule {
    /// Whether an end on a day missing in the target month moves to the end of that month, and not
    /// to its last day at the same time.
    fills_month: bool,
    /// Whether an end where a month ends moves to the end of a month.
    follows_months: bool,
}

impl Calendar {
    /// Shifts a period by a span; `None` if the result is outside the range of instants.
    ///
    /// A period that ends with a month still does. A period that ends on a day missing in the target
    /// month ends with the last day of that month: March moved back a month is all of February, and so
    /// is March 1 to 30. A period within one day stays within one: February 28 moved back a month is
    /// January 28. In a retail calendar, only whole months follow the ends of months, and only by steps
    /// of months: the last week of a year moved back a year is one week, and a year of 52 weeks moved
    /// to one of 53 becomes its first 52 weeks. `as_of` moves in the same way, and an unbounded side
    /// stays unbounded. [`TimeUnit::Period`] shifts by the period's own length: whole units stay whole.
    pub fn shift(&self, period: Period, span: TimeSpan) -> Option<Period> {
        let step = if span.unit == TimeUnit::Period {
            self.period_step(period, span.count)?
        } else {
            ShiftStep::Calendar(span)
        };
        self.moved(period, step)
    }

    /// Returns the largest calendar unit that the period consists of, with the count; `None` if it
    /// does not begin and end with days.
    pub fn is_whole(&self, period: Period) -> Option<(TimeUnit, i64)> {
        let (start, end) = (self.date_of(period.start), self.date_of(period.end));
        let begins = self.start_of_day(start) == Some(period.start);
        if !begins || self.start_of_day(end) != Some(period.end) {
            return None;
        }
        let (start, end) = (day_number(start), day_number(end));
        [TimeUnit::Year, TimeUnit::Quarter, TimeUnit::Month, TimeUnit::Week, TimeUnit::Day]
            .into_iter()
            .find_map(|unit| {
                let from = self.boundary_number(start, unit)?;
                let to = self.boundary_number(end, unit)?;
                Some((unit, to.checked_sub(from)?)).filter(|(_, count)| *count > 0)
            })
    }

    /// Returns the number of the unit that begins with this day, if one does.
    fn boundary_number(&self, day: i64, unit: TimeUnit) -> Option<i64> {
        let number = self.unit_number(day, unit)?;
        (self.first_day(unit, number)? == day).then_some(number)
    }

    /// Returns the step of `count` lengths of this period; `None` if it has no length.
    pub(super) fn period_step(&self, period: Period, count: i64) -> Option<ShiftStep> {
        let length = period.full_nanoseconds()?;
        if let Some((unit, units)) = self.is_whole(period) {
            return Some(ShiftStep::Lengths(TimeSpan::new(units.checked_mul(count)?, unit)));
        }
        let (start, end) = (self.wall_clock(period.start), self.wall_clock(period.end));
        let days = Self::days_between(start.date(), end.date());
        if days > 0 && start.time() == end.time() {
            let days = days.checked_mul(count)?;
            return Some(ShiftStep::Lengths(TimeSpan::new(days, TimeUnit::Day)));
        }
        Some(ShiftStep::Nanoseconds(length.checked_mul(i128::from(count))?))
    }

    /// Returns the instant a step away.
    pub(super) fn stepped(&self, at: Timestamp, step: ShiftStep) -> Option<Timestamp> {
        match step {
            ShiftStep::Calendar(span) | ShiftStep::Lengths(span) => self.add(at, span),
            ShiftStep::Nanoseconds(nanoseconds) => later(at, nanoseconds),
        }
    }

    pub(super) fn moved(&self, period: Period, step: ShiftStep) -> Option<Period> {
        let start = if period.start == Timestamp::MIN {
            Timestamp::MIN
        } else {
            self.stepped(period.start, step)?
        };
        let rule = self.end_rule(period, step);
        let end = self.moved_edge(period.end, step, rule)?.max(start);
        let as_of = if period.is_partial() {
            self.moved_edge(period.as_of, step, rule)?.min(end)
        } else {
            end
        };
        Some(Period { start, end, as_of })
    }

    fn end_rule(&self, period: Period, step: ShiftStep) -> EndRule {
        if self.is_within_day(period) {
            return EndRule { fills_month: false, follows_months: false };
        }
        let is_of_months = || {
            let whole = self.is_whole(period).map(|(unit, _)| unit);
            matches!(whole, Some(TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year))
        };
        EndRule {
            fills_month: self.fills_month(period.start, step),
            follows_months: self.retail().is_none()
                || period.start == Timestamp::MIN
                || !goes_to_same_weeks(step) && is_of_months(),
        }
    }

    fn is_within_day(&self, period: Period) -> bool {
        let last = later(period.end, -1).unwrap_or(period.end);
        period.start < period.end && self.date_of(period.start) == self.date_of(last)
    }

    /// Returns whether an end on a missing day moves to the end of its month. A period that begins on a missing day moves to
    /// the last day as a part of it; any other ends with that day.
    fn fills_month(&self, start: Timestamp, step: ShiftStep) -> bool {
        let moved = step.span().and_then(|span| self.moved_day(self.date_of(start), span));
        start == Timestamp::MIN || !moved.is_some_and(|moved| moved.is_replaced)
    }

    /// Shifts an instant that ends a period: at the start of a day, it belongs to the day before.
    fn moved_edge(&self, at: Timestamp, step: ShiftStep, rule: EndRule) -> Option<Timestamp> {
        if at == Timestamp::MAX || at == Timestamp::MIN {
            return Some(at);
        }
        let Some(span) = step.span() else {
            return self.stepped(at, step);
        };
        let Some(months) = months(span) else {
            return self.add(at, span);
        };
        if self.is_start_of_day(at) {
            return self.moved_day_end(at, span, months, rule);
        }
        let moved = self.moved_day(self.wall_clock(at).date(), span)?;
        if rule.fills_month && moved.is_replaced {
            return self.end_of_month(moved.day);
        }
        self.add(at, span)
    }

    /// Like [`moved_edge`](Self::moved_edge), for an instant at the start of a day.
    fn moved_day_end(
        &self,
        at: Timestamp,
        span: TimeSpan,
        months: i64,
        rule: EndRule,
    ) -> Option<Timestamp> {
        let date = self.date_of(at);
        let month = self.boundary_number(day_number(date), TimeUnit::Month);
        if let Some(month) = month.filter(|_| rule.follows_months) {
            let month = month.checked_add(months)?;
            return self.start_of_numbered_day(self.first_day(TimeUnit::Month, month)?);
        }
        let last = self.moved_day(date.yesterday().ok()?, span)?;
        if rule.fills_month && last.is_replaced {
            return self.end_of_month(last.day);
        }
        self.start_of_numbered_day(last.day.checked_add(1)?)
    }

    /// Returns the end, exclusive, of the month that contains a day.
    fn end_of_month(&self, day: i64) -> Option<Timestamp> {
        let next = self.unit_number(day, TimeUnit::Month)?.checked_add(1)?;
        self.start_of_numbered_day(self.first_day(TimeUnit::Month, next)?)
    }
}

/// Returns whether a step leads to the same weeks of another retail year, which may have one week more.
fn goes_to_same_weeks(step: ShiftStep) -> bool {
    match step {
        ShiftStep::Calendar(span) => months(span).is_some_and(|months| months.rem_euclid(12) == 0),
        ShiftStep::Lengths(_) | ShiftStep::Nanoseconds(_) => false,
    }
}
