//! Periods and how windows move them: §10 of the language, and what the manual says about days that do not
//! exist in a month.

use super::clock::{Clock, Day, HOUR, Instant, date, day_number};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// So many units; negative is back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) count: i64,
    pub(crate) unit: Unit,
}

/// From `start` to before `end`, known to before `as_of`, which is not later than `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    /// `None` for all that was before.
    pub(crate) start: Option<Instant>,
    pub(crate) end: Instant,
    pub(crate) as_of: Instant,
}

/// The days, weeks and years of a store.
#[derive(Debug, Clone)]
pub(crate) struct Calendar {
    pub(crate) clock: Clock,
    pub(crate) weeks_begin_on_sunday: bool,
    /// The first month of the year, from 1.
    pub(crate) first_month: i64,
}

/// The number of a day's month, from the year 0.
fn month_of(day: Day) -> i64 {
    let date = date(day);
    i64::from(date.year()) * 12 + i64::from(date.month()) - 1
}

/// The first day of a month.
fn first_of(month: i64) -> Day {
    let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
    let number = "they are dates of this century";
    day_number(jiff::civil::date(
        year.try_into().expect(number),
        month.try_into().expect(number),
        1,
    ))
}

fn is_first_of_month(day: Day) -> bool {
    first_of(month_of(day)) == day
}

/// The same day of another month, or its last one if that day does not exist, and which of the two
/// it is.
fn moved_by_months(day: Day, months: i64) -> (Day, bool) {
    let month = month_of(day);
    let moved = first_of(month + months) + (day - first_of(month));
    let last = first_of(month + months + 1) - 1;
    (moved.min(last), moved > last)
}

/// What the end of a period becomes if its day does not exist in another month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MissingDay {
    /// All of the month is meant.
    WholeMonth,
    /// The last day of the month.
    LastDay,
    /// The same, but a day stays a day: 28 February moves to 28 January, although March begins
    /// right after it.
    WithinDay,
}

/// Months in a unit, if it consists of months.
const fn months_in(unit: Unit) -> Option<i64> {
    match unit {
        Unit::Month => Some(1),
        Unit::Quarter => Some(3),
        Unit::Year => Some(12),
        Unit::Hour | Unit::Day | Unit::Week => None,
    }
}

impl Calendar {
    /// That of most stores, in UTC.
    pub(crate) fn plain() -> Self {
        Self { clock: Clock::of("UTC"), weeks_begin_on_sunday: false, first_month: 1 }
    }

    /// The weekday of a day, counted from the first of its week.
    fn day_of_week(&self, day: Day) -> i64 {
        // 1970-01-01 was a Thursday.
        (day + if self.weeks_begin_on_sunday { 4 } else { 3 }).rem_euclid(7)
    }

    /// The first day of the unit that contains a day.
    pub(crate) fn start_of(&self, day: Day, unit: Unit) -> Day {
        let Some(months) = months_in(unit) else {
            return if unit == Unit::Week { day - self.day_of_week(day) } else { day };
        };
        let month = month_of(day);
        first_of(month - (month - (self.first_month - 1)).rem_euclid(months))
    }

    /// The first day after the unit that contains a day.
    pub(crate) fn end_of(&self, day: Day, unit: Unit) -> Day {
        let start = self.start_of(day, unit);
        match months_in(unit) {
            Some(months) => first_of(month_of(start) + months),
            None => start + if unit == Unit::Week { 7 } else { 1 },
        }
    }

    /// The days from one to before another, cut at the starts of units.
    pub(crate) fn parts(&self, first: Day, after: Day, unit: Unit) -> Vec<(Day, Day)> {
        let mut parts = Vec::new();
        let mut start = first;
        while start < after {
            let end = self.end_of(start, unit).min(after);
            parts.push((start, end));
            start = end;
        }
        parts
    }

    /// The instant so much later by the calendar.
    pub(crate) fn add(&self, at: Instant, span: Span) -> Instant {
        let (day, second) = self.clock.shows(at);
        let day = match (span.unit, months_in(span.unit)) {
            (Unit::Hour, _) => return at + span.count * HOUR,
            (_, Some(months)) => moved_by_months(day, span.count * months).0,
            (Unit::Week, None) => day + span.count * 7,
            (_, None) => day + span.count,
        };
        // A day that begins at 01:00 moves to the beginning of the other day.
        if self.clock.is_midnight(at) {
            self.clock.midnight(day)
        } else {
            self.clock.at(day, second)
        }
    }

    /// The period with both ends moved, and how far it is known.
    pub(crate) fn moved(&self, period: Period, span: Span) -> Period {
        let start = period.start.map(|start| self.add(start, span));
        let edge = |edge: Instant| match months_in(span.unit) {
            Some(months) => {
                let months = span.count * months;
                self.moved_edge(edge, months, self.missing_day(period, months))
            }
            None => self.add(edge, span),
        };
        let end = start.map_or_else(|| edge(period.end), |start| edge(period.end).max(start));
        let as_of = if period.as_of < period.end { edge(period.as_of).min(end) } else { end };
        Period { start, end, as_of }
    }

    fn missing_day(&self, period: Period, months: i64) -> MissingDay {
        let Some(start) = period.start else { return MissingDay::WholeMonth };
        let first = self.clock.day(start);
        if start < period.end && self.clock.day(period.end - 1) == first {
            MissingDay::WithinDay
        } else if moved_by_months(first, months).1 {
            MissingDay::LastDay
        } else {
            MissingDay::WholeMonth
        }
    }

    /// An instant that ends something; at midnight, the day before is the last one.
    fn moved_edge(&self, at: Instant, months: i64, missing: MissingDay) -> Instant {
        let (day, second) = self.clock.shows(at);
        if !self.clock.is_midnight(at) {
            let (moved, is_missing) = moved_by_months(day, months);
            return if is_missing && missing == MissingDay::WholeMonth {
                self.clock.midnight(moved + 1)
            } else {
                self.clock.at(moved, second)
            };
        }
        if is_first_of_month(day) && missing != MissingDay::WithinDay {
            return self.clock.midnight(first_of(month_of(day) + months));
        }
        self.clock.midnight(moved_by_months(day - 1, months).0 + 1)
    }

    /// The period this many of its own lengths earlier: in whole months, else in days, else in
    /// seconds.
    pub(crate) fn previous(&self, period: Period, count: i64) -> Period {
        let Some(start) = period.start else { return period };
        let (first, from) = self.clock.shows(start);
        let (after, to) = self.clock.shows(period.end);
        let is_whole = self.clock.is_midnight(start) && self.clock.is_midnight(period.end);
        let months = month_of(after) - month_of(first);
        if is_whole && is_first_of_month(first) && is_first_of_month(after) && months > 0 {
            return self.moved(period, Span { count: -count * months, unit: Unit::Month });
        }
        if after > first && (is_whole || from == to) {
            return self.moved(period, Span { count: -count * (after - first), unit: Unit::Day });
        }
        let back = count * (period.end - start);
        Period { start: Some(start - back), end: period.end - back, as_of: period.as_of - back }
    }
}
