//! Rows as conditions and aggregates see them.

use quotient::types::Reason;

use super::clock::{Day, Instant};
use super::scope::Scope;
use super::store::{Order, Refund, State, key};
use super::tree::{Amount, Comparison, Condition, Date, Rows, Source, TextField};

/// A row of a source, with the row that it links to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row<'a> {
    Order(&'a Order),
    Refund(&'a Refund, Option<&'a Order>),
    State(&'a State),
}

impl<'a> Row<'a> {
    /// The order that the row is or links to.
    pub(crate) const fn order(self) -> Option<&'a Order> {
        match self {
            Self::Order(order) => Some(order),
            Self::Refund(_, order) => order,
            Self::State(_) => None,
        }
    }

    pub(crate) fn amount(self, amount: Amount) -> Option<i64> {
        match (amount, self) {
            (Amount::Refunded, Self::Refund(refund, _)) => refund.amount,
            (Amount::Cost, _) => self.order()?.cost,
            (Amount::Total | Amount::OrderTotal, _) => self.order()?.total,
            (Amount::Refunded, _) => None,
        }
    }

    pub(crate) fn word(self, word: TextField) -> Option<&'static str> {
        match (word, self) {
            (TextField::Country, Self::State(state)) => state.country,
            (TextField::Country, _) => self.order()?.country,
            (TextField::Status | TextField::OrderStatus, _) => self.order()?.status,
            (TextField::Customer, _) => self.order()?.customer,
            (TextField::Code, _) => self.order()?.code,
        }
    }

    /// The tie-breaker of the first and the last row with the same date.
    pub(crate) fn key(self) -> String {
        self.order().map(|order| key(order.id)).unwrap_or_default()
    }
}

impl<'a> Scope<'a> {
    /// The rows of an aggregate, unless nothing is known about them.
    pub(crate) fn rows(&self, rows: &Rows) -> Result<Vec<Row<'a>>, Reason> {
        self.begun()?;
        self.covered(rows.source)?;
        let mut found = self.meant(rows.source, rows.by_order);
        found.retain(|row| {
            rows.condition.as_ref().is_none_or(|condition| self.holds(condition, *row))
        });
        Ok(found)
    }

    /// The rows of a source in the period, after the filters, the group and the part.
    pub(crate) fn meant(&self, source: Source, by_order: bool) -> Vec<Row<'a>> {
        let mut found = self.standing(source);
        found.retain(|row| self.at(*row, by_order).is_some_and(|at| self.has(at)));
        found
    }

    /// The same of all of time.
    pub(crate) fn standing(&self, source: Source) -> Vec<Row<'a>> {
        let store = self.question.store;
        let mut found: Vec<Row<'a>> = match source {
            Source::Orders => store.orders.iter().map(Row::Order).collect(),
            Source::Kept => {
                let kept = store.orders.iter().filter(|order| order.status != Some("c"));
                kept.map(Row::Order).collect()
            }
            Source::Refunds => {
                let order = |refund: &Refund| refund.order.and_then(|id| store.order(id));
                store.refunds.iter().map(|refund| Row::Refund(refund, order(refund))).collect()
            }
            Source::Stock => store.stock.iter().map(Row::State).collect(),
        };
        found.retain(|row| {
            let mut keys = self.group.iter().chain(&self.parts);
            let mut conditions =
                self.question.filter.into_iter().chain(self.narrowed.iter().copied());
            keys.all(|(word, text)| row.word(*word) == *text)
                && conditions.all(|condition| self.holds(condition, *row))
        });
        found
    }

    /// The date of a row.
    pub(crate) fn at(&self, row: Row<'_>, by_order: bool) -> Option<Instant> {
        match row {
            Row::Order(order) => order.placed_at,
            Row::Refund(_, order) if by_order => order?.placed_at,
            Row::Refund(refund, _) => refund.made_at,
            Row::State(state) => Some(self.clock().midnight(state.day)),
        }
    }

    /// When a customer first ordered, in all of time.
    pub(crate) fn first_order(&self, customer: &str) -> Option<Instant> {
        let own = self.question.store.orders.iter();
        own.filter(|order| order.customer == Some(customer))
            .filter_map(|order| order.placed_at)
            .min()
    }

    fn date(&self, row: Row<'_>, date: Date) -> Option<Instant> {
        match (date, row) {
            (Date::Refunded, Row::Refund(refund, _)) => refund.made_at,
            (Date::Placed | Date::OrderPlaced, _) => row.order()?.placed_at,
            (Date::First, _) => self.first_order(row.order()?.customer?),
            (Date::Refunded, _) => None,
        }
    }

    fn day(&self, row: Row<'_>, date: Date) -> Option<Day> {
        self.date(row, date).map(|at| self.clock().day(at))
    }

    pub(crate) fn holds(&self, condition: &Condition, row: Row<'_>) -> bool {
        match condition {
            Condition::Compare(amount, comparison, value) => {
                compares(row.amount(*amount), *comparison, Some(*value))
            }
            Condition::TotalWithCost(comparison) => {
                compares(row.amount(Amount::Total), *comparison, row.amount(Amount::Cost))
            }
            Condition::Is(word, comparison, text) => {
                compares(row.word(*word), *comparison, Some(*text))
            }
            Condition::In { word, texts, negated } => {
                row.word(*word).is_some_and(|text| texts.contains(&text)) != *negated
            }
            Condition::Between { amount, low, high, negated } => {
                row.amount(*amount).is_some_and(|cents| *low <= cents && cents <= *high) != *negated
            }
            Condition::NullAmount { amount, negated } => row.amount(*amount).is_none() != *negated,
            Condition::NullWord { word, negated } => row.word(*word).is_none() != *negated,
            Condition::Day(date, comparison, day) => {
                compares(self.day(row, *date), *comparison, Some(*day))
            }
            Condition::BeforePeriod(date) => {
                compares(self.date(row, *date), Comparison::Less, self.period.start)
            }
            Condition::InPeriod(date) => self.date(row, *date).is_some_and(|at| self.has(at)),
            Condition::FirstOrder(comparison) => {
                compares(self.date(row, Date::Placed), *comparison, self.date(row, Date::First))
            }
            Condition::Hour(date, comparison, hour) => {
                let shown = self.date(row, *date).map(|at| self.clock().shows(at).1 / 3_600);
                compares(shown, *comparison, Some(*hour))
            }
            Condition::Weekday(date, weekday) => {
                // 1970-01-01 was a Thursday.
                let shown = self.day(row, *date).map(|day| (day + 3).rem_euclid(7) + 1);
                compares(shown, Comparison::Equal, Some(*weekday))
            }
            Condition::And(left, right) => self.holds(left, row) && self.holds(right, row),
            Condition::Or(left, right) => self.holds(left, row) || self.holds(right, row),
            Condition::Not(inner) => !self.holds(inner, row),
        }
    }
}

/// If a side is missing, only `!=` holds.
pub(crate) fn compares<T: PartialOrd>(
    left: Option<T>,
    comparison: Comparison,
    right: Option<T>,
) -> bool {
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
