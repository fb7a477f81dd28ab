//! Requests at random.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use quotient::calendar::TimeUnit;
use quotient::types::Currency;
use quotient::{Comparison, Filter, Request};

use super::conditions::on_country;
use super::instant;
use crate::model::calendar::{Calendar, Unit};
use crate::model::clock::{Day, Instant, ZONES, date};
use crate::model::scope::{Group, Question};
use crate::model::store::{Settings, Store};
use crate::model::tree::{Condition, Quantity, Source, TextField, Window};

/// A random request, apart from its formulas.
#[derive(Debug, Clone)]
pub(crate) struct RandomRequest {
    /// The first day, and one past the last.
    pub(crate) days: (Day, Day),
    pub(crate) by: Option<Unit>,
    pub(crate) group_by: Vec<TextField>,
    pub(crate) filter: Option<Condition>,
    pub(crate) compare: Option<Window>,
    pub(crate) zone: Option<&'static str>,
    pub(crate) currency: Option<&'static str>,
    /// The end of time by default.
    pub(crate) now: Option<Instant>,
}

/// An instant after all others.
const END_OF_TIME: Instant = 1 << 40;

/// The most buckets of a request.
const BUCKETS: usize = 14;

fn period(base: Day) -> impl Strategy<Value = (Day, Day)> {
    let months = (-4..3_i64, 0..3_i64).prop_map(move |(months, more)| {
        let plain = Calendar::plain();
        let first = plain.start_of(base + months * 30, Unit::Month);
        (first, plain.end_of(first + more * 30, Unit::Month))
    });
    let days =
        (-50..30_i64, 1..40_i64).prop_map(move |(first, days)| (base + first, base + first + days));
    let day = (-9..9_i64).prop_map(move |day| (base + day, base + day + 1));
    prop_oneof![3 => months, 3 => days, 1 => day]
}

/// A request around a day.
pub(crate) fn random_request(base: Day) -> impl Strategy<Value = RandomRequest> {
    let units = [Unit::Day, Unit::Week, Unit::Week, Unit::Month, Unit::Quarter, Unit::Year];
    let groups = prop_oneof![
        3 => Just(Vec::new()),
        3 => Just(vec![TextField::Country]),
        1 => Just(vec![TextField::Country, TextField::Status]),
        1 => Just(vec![TextField::Code]),
    ];
    let compare = select(&[Window::Previous { count: 1, is_clipped: true }, Window::LastYear][..]);
    let rows = (groups, option::weighted(0.2, on_country()));
    let when = (
        period(base),
        option::weighted(0.5, select(units.to_vec())),
        option::weighted(0.3, compare),
    );
    let now = option::weighted(0.6, instant(base));
    let zone = option::weighted(0.4, select(&ZONES[..]));
    let currency = option::weighted(0.3, select(&["USD", "EUR", "GBP", "JPY"][..]));
    (rows, when, now, zone, currency).prop_map(
        |((group_by, filter), (days, by, compare), now, zone, currency)| {
            let by =
                by.filter(|unit| Calendar::plain().parts(days.0, days.1, *unit).len() <= BUCKETS);
            RandomRequest { days, by, group_by, filter, compare, zone, currency, now }
        },
    )
}

/// Whether the request fits a formula: its sources have the dimensions.
pub(crate) fn fits(formula: &Quantity, query: &RandomRequest) -> bool {
    let parts = formula.parts();
    if parts.iter().all(|part| part.rows().is_none() && !matches!(part, Quantity::Customers(_))) {
        return false;
    }
    let has_customers = parts.iter().any(|part| matches!(part, Quantity::Customers(_)));
    if has_customers && (!query.group_by.is_empty() || query.filter.is_some()) {
        return false;
    }
    let keeps = |word: &TextField| query.group_by.contains(word);
    if parts.iter().any(|part| matches!(part, Quantity::Total(_, Some(word)) if !keeps(word))) {
        return false;
    }
    let of_orders = |source: Source| matches!(source, Source::Orders | Source::Kept);
    query.group_by.iter().all(|word| *word == TextField::Country)
        || formula.sources().into_iter().all(of_orders)
}

impl RandomRequest {
    pub(crate) fn calendar(&self, settings: &Settings) -> Calendar {
        settings.calendar(self.zone.unwrap_or(settings.zone))
    }

    pub(crate) fn now(&self) -> Instant {
        self.now.unwrap_or(END_OF_TIME)
    }

    /// The days of each bucket.
    pub(crate) fn buckets(&self, calendar: &Calendar) -> Vec<(Day, Day)> {
        let (first, after) = self.days;
        self.by.map_or_else(|| vec![self.days], |unit| calendar.parts(first, after, unit))
    }

    /// The same as the model takes it.
    pub(crate) fn question<'q>(
        &'q self,
        store: &'q Store,
        calendar: &'q Calendar,
        groups: &'q [Group],
    ) -> Question<'q> {
        Question {
            store,
            calendar,
            start: calendar.clock.midnight(self.days.0),
            now: self.now(),
            filter: self.filter.as_ref(),
            currency: self.currency,
            groups,
        }
    }

    /// The same as the engine takes it.
    pub(crate) fn request(&self) -> Request {
        let by = self.by.map(|unit| match unit {
            Unit::Hour => TimeUnit::Hour,
            Unit::Day => TimeUnit::Day,
            Unit::Week => TimeUnit::Week,
            Unit::Month => TimeUnit::Month,
            Unit::Quarter => TimeUnit::Quarter,
            Unit::Year => TimeUnit::Year,
        });
        let compare = self.compare.map(|window| match window {
            Window::LastYear => Comparison::LastYear,
            _ => Comparison::Previous,
        });
        let now = self.now.map(|now| jiff::Timestamp::from_second(now).expect("of this century"));
        Request {
            period: Some((date(self.days.0), date(self.days.1 - 1))),
            by,
            group_by: self.group_by.iter().map(ToString::to_string).collect(),
            filter: self.filter.as_ref().map(|condition| Filter::new(condition.to_string())),
            compare,
            timezone: self.zone.map(str::to_owned),
            currency: self.currency.map(|code| Currency::from_code(code).expect("a currency")),
            now: now.unwrap_or(jiff::Timestamp::MAX),
        }
    }
}
