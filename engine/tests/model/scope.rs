//! The scope of a formula, and the scopes of its windows, totals and parts.

use quotient::types::Reason;

use super::calendar::{Calendar, Period, Span, Unit};
use super::clock::{Clock, Day, Instant};
use super::store::Store;
use super::tree::{Condition, Quantity, Source, TextField, Window};

/// A value, or none, for each dimension of a group.
pub(crate) type Group = Vec<(TextField, Option<&'static str>)>;

/// What is constant in one request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) store: &'a Store,
    /// In the zone of the request.
    pub(crate) calendar: &'a Calendar,
    /// Where the series begins.
    pub(crate) start: Instant,
    pub(crate) now: Instant,
    pub(crate) filter: Option<&'a Condition>,
    pub(crate) currency: Option<&'static str>,
    pub(crate) groups: &'a [Group],
}

/// Where a formula is computed.
#[derive(Debug, Clone)]
pub(crate) struct Scope<'a> {
    pub(crate) question: Question<'a>,
    pub(crate) period: Period,
    /// Until when everything in the formula is known: the present, or the end of a source's
    /// coverage.
    pub(crate) known: Instant,
    /// Conditions around the formula.
    pub(crate) narrowed: Vec<&'a Condition>,
    pub(crate) group: Group,
    /// Words of the part that is computed of a `per`.
    pub(crate) parts: Group,
    /// The currency of a `convert` around the formula.
    pub(crate) convert: Option<&'static str>,
}

impl<'a> Question<'a> {
    /// The scope of a formula over days, for a group.
    pub(crate) fn scope(
        self,
        formula: &Quantity,
        (first, after): (Day, Day),
        group: &Group,
    ) -> Scope<'a> {
        let ends = formula.sources().into_iter().filter_map(|source| Some(self.covers(source)?.1));
        let known = ends.min().map_or(self.now, |end| end.min(self.now));
        let clock = &self.calendar.clock;
        let (start, end) = (clock.midnight(first), clock.midnight(after));
        Scope {
            question: self,
            period: Period { start: Some(start), end, as_of: end.min(known) },
            known,
            narrowed: Vec::new(),
            group: group.clone(),
            parts: Vec::new(),
            convert: None,
        }
    }

    /// The first instant that a source covers, and the first that it does not.
    fn covers(self, source: Source) -> Option<(Instant, Instant)> {
        let settings = &self.store.settings;
        let (first, last) = match source {
            Source::Orders | Source::Kept => settings.orders_covered,
            Source::Refunds => settings.refunds_covered,
            Source::Stock => settings.stock_covered,
        }?;
        let clock = &self.calendar.clock;
        Some((clock.midnight(first), clock.midnight(last + 1)))
    }
}

impl<'a> Scope<'a> {
    pub(crate) const fn clock(&self) -> &'a Clock {
        &self.question.calendar.clock
    }

    /// The null reason if nothing of the period is known.
    pub(crate) fn begun(&self) -> Result<(), Reason> {
        match self.period.start {
            Some(start) if self.period.as_of <= start && start < self.period.end => {
                Err(if start < self.question.now { Reason::NoCoverage } else { Reason::NotYet })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The null reason if the period is outside of a source's coverage.
    pub(crate) fn covered(&self, source: Source) -> Result<(), Reason> {
        let Some((first, after)) = self.question.covers(source) else { return Ok(()) };
        let starts_after = self.period.start.is_some_and(|start| start >= after);
        if self.period.as_of <= first || starts_after { Err(Reason::NoCoverage) } else { Ok(()) }
    }

    /// The null reason if the stock at the start of the period is unknown.
    pub(crate) fn known_before(&self) -> Result<(), Reason> {
        let start = self.start();
        if self.period.as_of < start {
            self.begun()?;
        }
        let first = self.question.covers(Source::Stock).map(|(first, _)| first);
        if first.is_some_and(|first| start <= first) { Err(Reason::NoCoverage) } else { Ok(()) }
    }

    pub(crate) fn has(&self, at: Instant) -> bool {
        self.period.start.is_none_or(|start| start <= at) && at < self.period.as_of
    }

    /// The first instant, if there is one.
    pub(crate) fn start(&self) -> Instant {
        self.period.start.expect("only single aggregates stand in a lifetime")
    }

    /// The same over another period, of which no more is known.
    pub(crate) fn over(&self, period: Period) -> Self {
        let end = period.start.map_or(period.end, |start| period.end.max(start));
        let as_of = period.as_of.min(end).min(self.known);
        Self { period: Period { end, as_of, ..period }, ..self.clone() }
    }

    pub(crate) fn narrowed(&self, condition: &'a Condition) -> Self {
        let mut inner = self.clone();
        inner.narrowed.push(condition);
        inner
    }

    pub(crate) fn part(&self, word: TextField, text: Option<&'static str>) -> Self {
        let mut inner = self.clone();
        inner.parts.push((word, text));
        inner
    }

    /// The same for all groups, or for those with the same value of one dimension.
    pub(crate) fn total(&self, keep: Option<TextField>) -> Self {
        let mut inner = self.clone();
        inner.group.retain(|(word, _)| Some(*word) == keep);
        inner
    }

    /// The scope that this one is compared with. A single period is a series of one bucket, and the series of last
    /// year is entirely in last year; the buckets before those of a series are its own, except for the first.
    pub(crate) fn compared(&self, window: Window, is_only: bool) -> Self {
        let mut earlier = self.under(window);
        let start = self.question.start;
        earlier.question.start = match window {
            _ if is_only => earlier.start(),
            Window::LastYear => {
                self.question.calendar.add(start, Span { count: -1, unit: Unit::Year })
            }
            _ => start,
        };
        earlier
    }

    /// The same in the period of a window.
    pub(crate) fn under(&self, window: Window) -> Self {
        let calendar = self.question.calendar;
        let (start, as_of) = (self.start(), self.period.as_of);
        let until = |start: Instant, end: Instant| Period { start: Some(start), end, as_of: end };
        let by = |count, unit| calendar.moved(self.period, Span { count, unit });
        self.over(match window {
            Window::Previous { count, is_clipped } => {
                let before = calendar.previous(self.period, count);
                Period { as_of: if is_clipped { before.as_of } else { before.end }, ..before }
            }
            Window::LastWeek => by(-1, Unit::Week),
            Window::LastMonth => by(-1, Unit::Month),
            Window::LastYear => by(-1, Unit::Year),
            Window::Shift(span) => calendar.moved(self.period, span),
            Window::Trailing { span, without_current } => {
                let end = if without_current { start } else { as_of };
                until(calendar.add(end, Span { count: -span.count, ..span }), end)
            }
            Window::ToDate(unit) => {
                // The unit of the last known instant, or of the first one if none is known.
                let last = if as_of == start { start } else { as_of - 1 };
                let first = calendar.start_of(calendar.clock.day(last), unit);
                until(calendar.clock.midnight(first), as_of)
            }
            Window::During(day) => {
                let after = calendar.end_of(day, Unit::Month);
                until(calendar.clock.midnight(day), calendar.clock.midnight(after))
            }
            Window::Lifetime => Period { start: None, end: as_of, as_of },
            Window::Running => {
                // A period before the series begins at its own start.
                Period { start: Some(self.question.start.min(start)), ..self.period }
            }
        })
    }

    /// The period cut at the starts of units, as far as it is known.
    pub(crate) fn cut(&self, unit: Unit) -> Vec<Self> {
        let Period { end, as_of, .. } = self.period;
        let start = self.start();
        if as_of <= start {
            return Vec::new();
        }
        let calendar = self.question.calendar;
        let days = (calendar.clock.day(start), calendar.clock.day(as_of - 1) + 1);
        // The last unit continues past what is known.
        let last = calendar.end_of(days.1 - 1, unit);
        let parts = calendar.parts(days.0, last, unit);
        let part = |(first, after): (Day, Day)| {
            let start = calendar.clock.midnight(first).max(start);
            let end = calendar.clock.midnight(after).min(end);
            self.over(Period { start: Some(start), end, as_of: as_of.min(end) })
        };
        parts.into_iter().map(part).collect()
    }
}
