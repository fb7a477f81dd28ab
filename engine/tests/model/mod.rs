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
    /// The countries that an order must be of, each of them.
    countries: Vec<Option<&'static str>>,
}

impl<'a> Model<'a> {
    /// The days from `start` to before `end`.
    pub(crate) fn new(orders: &'a [Order], start: i32, end: i32) -> Self {
        Self { orders, start: Some(start), end, countries: Vec::new() }
    }

    /// The same for orders of one country, or of those that have none.
    pub(crate) fn of_country(&self, country: Option<&'static str>) -> Self {
        let mut inner = self.clone();
        inner.countries.push(country);
        inner
    }

    fn over(&self, start: Option<i32>, end: i32) -> Self {
        Self { start, end, ..self.clone() }
    }

    /// The value of a formula.
    pub(crate) fn value(&self, quantity: &Quantity) -> Outcome {
        match quantity {
            Quantity::Fold(function, source, amount, condition) => {
                let rows = self.rows(*source, condition.as_ref());
                let cents = rows.iter().filter_map(|order| cents(order, *amount));
                fold(*function, cents.map(|cents| Decimal::new(cents, 2)).collect())
            }
            Quantity::Count(source, condition) => {
                Ok(self.rows(*source, condition.as_ref()).len().into())
            }
            Quantity::CountFilled(source, amount, condition) => {
                let rows = self.rows(*source, condition.as_ref());
                let filled = rows.iter().filter(|order| cents(order, *amount).is_some());
                Ok(filled.count().into())
            }
            Quantity::CountDistinct(source, field, condition) => {
                let rows = self.rows(*source, condition.as_ref());
                let texts: BTreeSet<_> =
                    rows.iter().filter_map(|order| word(order, *field)).collect();
                Ok(texts.len().into())
            }
            Quantity::Customers(buyers) => Ok(self.customers(*buyers).into()),
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
                let days = self.start.expect("days are counted in bounded periods only")..self.end;
                let value = |day| self.over(Some(day), day + 1).value(inner).ok();
                fold(*function, days.filter_map(value).collect())
            }
        }
    }

    fn rows(&self, source: Source, condition: Option<&Condition>) -> Vec<&'a Order> {
        let mut rows = Vec::new();
        for order in self.orders {
            let in_source = source == Source::Orders || order.status != Some("c");
            let in_country = self.countries.iter().all(|country| order.country == *country);
            let is_wanted = condition.is_none_or(|condition| self.holds(condition, order));
            if self.has(order.day) && in_source && in_country && is_wanted {
                rows.push(order);
            }
        }
        rows
    }

    fn has(&self, day: i32) -> bool {
        self.start.is_none_or(|start| start <= day) && day < self.end
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

    fn customers(&self, buyers: Buyers) -> usize {
        let mut orders = BTreeMap::new();
        for order in self.orders {
            if let Some(customer) = order.customer {
                *orders.entry(customer).or_insert(0) += i32::from(self.has(order.day));
            }
        }
        let counts = |(customer, orders): &(&str, i32)| match buyers {
            Buyers::WithOrders(least) => *orders >= least,
            Buyers::New => self.has(self.first_order(customer).0),
        };
        orders.into_iter().filter(counts).count()
    }

    /// The days as many whole months before, or else as many days before.
    fn previous(&self, start: i32, count: i32) -> (i32, i32) {
        if let Some((first, months)) = whole_months(start, self.end) {
            let earlier = first - count * months;
            return (month_start(earlier), month_start(earlier + months));
        }
        let back = count * (self.end - start);
        (start - back, self.end - back)
    }

    /// The same in the period of a window.
    fn under(&self, window: Window) -> Self {
        let start = self.start.expect("no window stands in lifetime");
        let (start, end) = match window {
            Window::Previous(count) => self.previous(start, count),
            Window::TrailingDays(days) => (self.end - days, self.end),
            Window::ShiftDays(days) => (start + days, self.end + days),
            Window::LastWeek => (start - 7, self.end - 7),
            Window::MonthToDate => (month_start(month_of(self.end - 1)), self.end),
            Window::January => (0, 31),
            Window::Lifetime => return self.over(None, self.end),
        };
        self.over(Some(start), end)
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
