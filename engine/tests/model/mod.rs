//! A second evaluator: slow, plain, and apart from the engine's own but for its decimal arithmetic.
//!
//! [`tree`] has the formulas it knows, [`generate`] makes them at random, [`rows`] is the store.
//! Days are numbers from 2026-01-01, a period is a pair of them, a null is an `Err` with its reason.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    reason = "days and cents of a few months do not overflow, and the store is a fixed text"
)]

pub(crate) mod generate;
pub(crate) mod rows;
pub(crate) mod tree;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use quotient::number;
use quotient::types::Reason;
use rust_decimal::Decimal;

use rows::{Order, date};
use tree::{
    Amount, Arithmetic, Buyers, Comparison, Condition, Function, Quantity, Source, Window, Word,
};

/// A quantity, or why there is none.
pub(crate) type Outcome = Result<Decimal, Reason>;

/// Where a formula is computed.
#[derive(Debug, Clone)]
pub(crate) struct Model<'a> {
    orders: &'a [Order],
    /// The first day; none for all that was before.
    start: Option<i32>,
    /// One past the last day.
    end: i32,
    /// One past the last day that is known of the period; before `start` if it has not begun.
    as_of: i32,
    /// What is known at all.
    known: Known,
    /// What an order must have in its fields, each of them.
    only: Vec<(Word, Option<&'static str>)>,
}

/// The present, and the days that the orders cover.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    /// The first day that has not begun.
    pub(crate) now: i32,
    /// The first day, and one past the last.
    pub(crate) covered: (i32, i32),
}

impl Known {
    /// Everything that ever was and will be.
    const ALL: Self = Self { now: i32::MAX, covered: (i32::MIN, i32::MAX) };

    fn until(self) -> i32 {
        self.now.min(self.covered.1)
    }
}

impl<'a> Model<'a> {
    /// The days from `start` to before `end`.
    pub(crate) fn new(orders: &'a [Order], start: i32, end: i32) -> Self {
        Self::knowing(orders, (start, end), Known::ALL)
    }

    /// The same where not everything is known.
    pub(crate) fn knowing(orders: &'a [Order], (start, end): (i32, i32), known: Known) -> Self {
        let as_of = end.min(known.until());
        Self { orders, start: Some(start), end, as_of, known, only: Vec::new() }
    }

    /// The same for orders of one country, or of those that have none.
    pub(crate) fn of_country(&self, country: Option<&'static str>) -> Self {
        self.only(Word::Country, country)
    }

    fn only(&self, field: Word, text: Option<&'static str>) -> Self {
        let mut inner = self.clone();
        inner.only.push((field, text));
        inner
    }

    /// Other days, known up to one of them.
    fn over(&self, start: Option<i32>, end: i32, as_of: i32) -> Self {
        let as_of = as_of.min(end).min(self.known.until());
        Self { start, end, as_of, ..self.clone() }
    }

    /// Why there is no value, if nothing of the period has elapsed.
    fn begun(&self) -> Result<(), Reason> {
        match self.start {
            Some(start) if self.as_of <= start && start < self.end => {
                Err(if start < self.known.now { Reason::NoCoverage } else { Reason::NotYet })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The value of a formula.
    pub(crate) fn value(&self, quantity: &Quantity) -> Outcome {
        match quantity {
            Quantity::Fold(function, source, amount, condition) => {
                let rows = self.rows(*source, condition.as_ref())?;
                let cents = rows.iter().filter_map(|order| cents(order, *amount));
                fold(*function, cents.map(|cents| Decimal::new(cents, 2)).collect())
            }
            Quantity::Count(source, condition) => {
                Ok(self.rows(*source, condition.as_ref())?.len().into())
            }
            Quantity::CountFilled(source, amount, condition) => {
                let rows = self.rows(*source, condition.as_ref())?;
                let filled = rows.iter().filter(|order| cents(order, *amount).is_some());
                Ok(filled.count().into())
            }
            Quantity::CountDistinct(source, field, condition) => {
                let rows = self.rows(*source, condition.as_ref())?;
                let texts: BTreeSet<_> =
                    rows.iter().filter_map(|order| word(order, *field)).collect();
                Ok(texts.len().into())
            }
            Quantity::Customers(buyers) => self.customers(*buyers).map(Decimal::from),
            Quantity::Money(cents) => Ok(Decimal::new(*cents, 2)),
            Quantity::Number(number) => Ok((*number).into()),
            Quantity::Arithmetic(operation, left, right) => {
                arithmetic(*operation, self.value(left)?, self.value(right)?)
            }
            Quantity::Default(value, other) => self.value(value).or_else(|_| self.value(other)),
            Quantity::If { comparison, left, right, then, other } => {
                let (left, right) = (self.value(left).ok(), self.value(right).ok());
                let chosen = if compares(left, *comparison, right) { then } else { other };
                self.value(chosen)
            }
            Quantity::Window(window, inner) => self.under(*window).value(inner),
            Quantity::Growth(inner) => {
                let now = self.value(inner)?;
                let before = self.under(Window::Previous(1)).value(inner)?;
                if before < Decimal::ZERO {
                    return Err(Reason::NotComparable);
                }
                number::divide(number::subtract(now, before)?, before)
            }
            Quantity::Change(inner) => {
                let now = self.value(inner)?;
                number::subtract(now, self.under(Window::Previous(1)).value(inner)?)
            }
            Quantity::Scoped(inner, country) => self.of_country(Some(country)).value(inner),
            Quantity::PerDay(function, inner) => {
                self.begun()?;
                let days =
                    self.start.expect("days are counted in bounded periods only")..self.as_of;
                let value = |day| self.over(Some(day), day + 1, day + 1).value(inner).ok();
                fold(*function, days.filter_map(value).collect())
            }
            Quantity::PerWord(function, field, inner) => {
                self.begun()?;
                let (Quantity::Fold(_, source, ..) | Quantity::Count(source, _)) = **inner else {
                    panic!("{inner} is no plain sum or count");
                };
                // A condition narrows the values of the parts, not which parts there are.
                let rows = self.rows(source, None).unwrap_or_default();
                let parts: BTreeSet<_> = rows.iter().map(|order| word(order, *field)).collect();
                let value = |part| self.only(*field, part).value(inner).ok();
                fold(*function, parts.into_iter().filter_map(value).collect())
            }
        }
    }

    fn rows(
        &self,
        source: Source,
        condition: Option<&Condition>,
    ) -> Result<Vec<&'a Order>, Reason> {
        self.begun()?;
        let (first, after) = self.known.covered;
        if self.as_of <= first || self.start.is_some_and(|start| start >= after) {
            return Err(Reason::NoCoverage);
        }
        let mut rows = Vec::new();
        for order in self.orders {
            let in_source = source == Source::Orders || order.status != Some("c");
            let in_country = self.only.iter().all(|(field, text)| word(order, *field) == *text);
            let is_wanted = condition.is_none_or(|condition| self.holds(condition, order));
            if self.has(order.day) && in_source && in_country && is_wanted {
                rows.push(order);
            }
        }
        Ok(rows)
    }

    fn has(&self, day: i32) -> bool {
        self.start.is_none_or(|start| start <= day) && day < self.as_of
    }

    fn holds(&self, condition: &Condition, order: &Order) -> bool {
        match condition {
            Condition::Compare(amount, comparison, value) => {
                compares(cents(order, *amount), *comparison, Some(*value))
            }
            Condition::TotalWithCost(comparison) => compares(order.total, *comparison, order.cost),
            Condition::Is(field, comparison, text) => {
                compares(word(order, *field), *comparison, Some(*text))
            }
            Condition::In { word: field, texts, negated } => {
                word(order, *field).is_some_and(|text| texts.contains(&text)) != *negated
            }
            Condition::Between { amount, low, high, negated } => {
                cents(order, *amount).is_some_and(|cents| *low <= cents && cents <= *high)
                    != *negated
            }
            Condition::NullAmount { amount, negated } => {
                cents(order, *amount).is_none() != *negated
            }
            Condition::NullWord { word: field, negated } => {
                word(order, *field).is_none() != *negated
            }
            Condition::FirstOrder(comparison) => {
                let first = order.customer.map(|customer| self.first_order(customer));
                compares(Some((order.day, order.minute)), *comparison, first)
            }
            Condition::And(left, right) => self.holds(left, order) && self.holds(right, order),
            Condition::Or(left, right) => self.holds(left, order) || self.holds(right, order),
            Condition::Not(inner) => !self.holds(inner, order),
        }
    }

    /// When a customer first ordered, in all of time.
    fn first_order(&self, customer: &str) -> (i32, i32) {
        let own = self.orders.iter().filter(|order| order.customer == Some(customer));
        own.map(|order| (order.day, order.minute)).min().expect("a customer comes from an order")
    }

    fn customers(&self, buyers: Buyers) -> Result<usize, Reason> {
        self.begun()?;
        let mut orders = BTreeMap::new();
        for order in self.orders {
            if let Some(customer) = order.customer {
                *orders.entry(customer).or_insert(0) += i32::from(self.has(order.day));
            }
        }
        // Outside of what is covered a count of orders is null, and no number is compared with that.
        let is_covered = self.rows(Source::Orders, None).is_ok();
        let counts = |(customer, orders): &(&str, i32)| match buyers {
            Buyers::WithOrders(least) => is_covered && *orders >= least,
            Buyers::New => self.has(self.first_order(customer).0),
        };
        Ok(orders.into_iter().filter(counts).count())
    }

    /// The days as many whole months before, or else as many days before, known as far.
    fn previous(&self, start: i32, count: i32) -> (i32, i32, i32) {
        if let Some((first, months)) = whole_months(start, self.end) {
            let back = count * months;
            let earlier = first - back;
            let end = month_start(earlier + months);
            let as_of = if self.as_of < self.end { months_back(self.as_of, back) } else { end };
            return (month_start(earlier), end, as_of);
        }
        let back = count * (self.end - start);
        (start - back, self.end - back, self.as_of - back)
    }

    /// The same in the period of a window.
    fn under(&self, window: Window) -> Self {
        let start = self.start.expect("no window stands in lifetime");
        let (end, as_of) = (self.end, self.as_of);
        let (start, end, as_of) = match window {
            Window::Previous(count) => self.previous(start, count),
            Window::TrailingDays(days) => (as_of - days, as_of, as_of),
            Window::ShiftDays(days) => (start + days, end + days, as_of + days),
            Window::LastWeek => (start - 7, end - 7, as_of - 7),
            // The month of the last day that is known; of the first day while none is.
            Window::MonthToDate if as_of == start => (month_start(month_of(start)), as_of, as_of),
            Window::MonthToDate => (month_start(month_of(as_of - 1)), as_of, as_of),
            Window::January => (0, 31, 31),
            Window::Lifetime => return self.over(None, as_of, as_of),
        };
        self.over(Some(start), end, as_of)
    }
}

const fn cents(order: &Order, amount: Amount) -> Option<i64> {
    match amount {
        Amount::Total => order.total,
        Amount::Cost => order.cost,
    }
}

const fn word(order: &Order, field: Word) -> Option<&'static str> {
    match field {
        Word::Status => order.status,
        Word::Country => order.country,
        Word::Customer => order.customer,
    }
}

/// With nothing on a side, only `!=` holds.
fn compares<T: PartialOrd>(left: Option<T>, comparison: Comparison, right: Option<T>) -> bool {
    let (Some(left), Some(right)) = (left, right) else {
        return comparison == Comparison::NotEqual;
    };
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
        Comparison::Greater => left > right,
        Comparison::GreaterOrEqual => left >= right,
    }
}

fn arithmetic(operation: Arithmetic, left: Decimal, right: Decimal) -> Outcome {
    match operation {
        Arithmetic::Add => number::add(left, right),
        Arithmetic::Subtract => number::subtract(left, right),
        Arithmetic::Multiply => number::multiply(left, right),
        Arithmetic::Divide => number::divide(left, right),
    }
}

fn fold(function: Function, mut values: Vec<Decimal>) -> Outcome {
    values.sort_unstable();
    let sum = || values.iter().try_fold(Decimal::ZERO, |sum, value| number::add(sum, *value));
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return if function == Function::Sum { Ok(Decimal::ZERO) } else { Err(Reason::NoRows) };
    };
    match function {
        Function::Sum => sum(),
        Function::Average => number::divide(sum()?, values.len().into()),
        Function::Minimum => Ok(*first),
        Function::Maximum => Ok(*last),
        Function::Median => between(&values, 5),
        Function::Percentile90 => between(&values, 9),
    }
}

/// The value so many tenths of the way through the sorted ones, in a straight line between two.
fn between(values: &[Decimal], tenths: usize) -> Outcome {
    let way = (values.len() - 1) * tenths;
    let low = values.get(way / 10).copied().unwrap_or_default();
    let high = values.get(way / 10 + 1).copied().unwrap_or(low);
    let part = number::divide((way % 10).into(), 10.into())?;
    number::add(low, number::multiply(number::subtract(high, low)?, part)?)
}

/// The month of a day, counted from January 2026.
fn month_of(day: i32) -> i32 {
    let day = date(day);
    (i32::from(day.year()) - 2026) * 12 + i32::from(day.month()) - 1
}

/// The first day of a month.
fn month_start(month: i32) -> i32 {
    let first = date(0) + jiff::Span::new().months(month);
    day_number(first)
}

/// The end of a day so many months before; a day that does not exist is the last of its month.
fn months_back(end: i32, months: i32) -> i32 {
    let month = month_of(end);
    if month_start(month) == end {
        return month_start(month - months);
    }
    let (start, after) = (month_start(month - months), month_start(month - months + 1));
    (start + end - month_start(month)).min(after)
}

/// How many days after 2026-01-01 a day is.
pub(crate) fn day_number(day: Date) -> i32 {
    (day - date(0)).get_days()
}

/// The first month and how many, if these days are whole months.
fn whole_months(start: i32, end: i32) -> Option<(i32, i32)> {
    let (first, after) = (month_of(start), month_of(end));
    let is_whole = month_start(first) == start && month_start(after) == end;
    is_whole.then_some((first, after - first)).filter(|(_, months)| *months > 0)
}
