//! A second evaluator: slow, plain, and written from the description of the language, not from the engine.
//!
//! [`store`] has the rows, [`tree`] the formulas and [`text`] their texts, and [`generate`] creates them at random.
//! [`clock`] and [`calendar`] compute time, [`exact`] numbers, [`scope`] the scope of a formula, [`rows`] and
//! [`money`] what rows contribute, [`groups`] the groups, and this module the value of every formula. Of the engine,
//! it uses only the names of the reasons.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "numbers are small, and what is not there fails the test"
)]

pub(crate) mod agreement;
pub(crate) mod calendar;
pub(crate) mod clock;
pub(crate) mod exact;
pub(crate) mod generate;
mod groups;
mod money;
mod rows;
pub(crate) mod scope;
pub(crate) mod store;
mod text;
pub(crate) mod tree;

use std::collections::{BTreeMap, BTreeSet};

use quotient::types::Reason;

use calendar::Unit;
use clock::{Day, HOUR, Instant};
use exact::{Exact, Outcome};
use money::{fold, present};
use rows::{Row, compares};
use scope::Scope;
use tree::{Cell, CustomerFilter, Operation, Quantity, Rows, Source, Test};

impl<'a> Scope<'a> {
    /// The value of a formula.
    pub(crate) fn value(&self, quantity: &'a Quantity) -> Outcome {
        match quantity {
            Quantity::Money(cents, code) => self.written(*cents, code),
            Quantity::Number(number) => Ok(Exact::new(*number, 0)),
            Quantity::Days { full } => Ok(self.days(*full)),
            Quantity::Hours { full } => self.hours(*full),
            Quantity::Binary(operation, left, right) => {
                binary(*operation, &self.value(left)?, &self.value(right)?)
            }
            Quantity::Negated(inner) => Ok(self.value(inner)?.negated()),
            Quantity::Rounded(inner, places) => Ok(self.value(inner)?.rounded(*places)),
            Quantity::Default(value, other) => self.value(value).or_else(|_| self.value(other)),
            Quantity::If(test, then, other) => {
                self.value(if self.passes(test) { then } else { other })
            }
            Quantity::Window(window, inner) => self.under(*window).value(inner),
            Quantity::Change(inner, window) => {
                self.value(inner)?.minus(&self.under(*window).value(inner)?)
            }
            Quantity::Growth(inner, window) => {
                let now = self.value(inner)?;
                let before = self.under(*window).value(inner)?;
                if before.is_negative() {
                    return Err(Reason::NotComparable);
                }
                now.minus(&before)?.over(&before)
            }
            Quantity::Scoped(inner, condition) => self.narrowed(condition).value(inner),
            Quantity::Convert(inner, code) => {
                Self { convert: Some(*code), ..self.clone() }.value(inner)
            }
            Quantity::Total(inner, keep) => self.total(*keep).value(inner),
            Quantity::Share(inner) => self.value(inner)?.over(&self.total(None).value(inner)?),
            Quantity::Rank(inner) => self.rank(inner),
            Quantity::PerUnit(..) | Quantity::PerWord { .. } | Quantity::StatePerDay(..) => {
                self.over_parts(quantity)
            }
            Quantity::Named(_) => panic!("{quantity} stands for a part that is not here"),
            Quantity::Fold(..)
            | Quantity::Count(_)
            | Quantity::CountFilled(..)
            | Quantity::CountDistinct(..)
            | Quantity::ShareOf(_)
            | Quantity::Customers(_)
            | Quantity::Closing(_)
            | Quantity::Opening(_) => self.aggregate(quantity),
        }
    }

    fn passes(&self, test: &'a Test) -> bool {
        match test {
            Test::Compare(left, comparison, right) => {
                compares(self.value(left).ok(), *comparison, self.value(right).ok())
            }
            Test::IsNull(inner) => self.value(inner).is_err(),
        }
    }

    fn aggregate(&self, quantity: &Quantity) -> Outcome {
        match quantity {
            Quantity::Fold(function, cell, rows) => fold(*function, self.cells(*cell, rows)?),
            Quantity::Count(rows) => Ok(Exact::whole(self.rows(rows)?.len())),
            Quantity::CountFilled(cell, rows) => {
                let filled =
                    self.rows(rows)?.into_iter().filter(|row| money::is_filled(*row, *cell));
                Ok(Exact::whole(filled.count()))
            }
            Quantity::CountDistinct(word, rows) => {
                let texts: BTreeSet<_> =
                    self.rows(rows)?.into_iter().filter_map(|row| row.word(*word)).collect();
                Ok(Exact::whole(texts.len()))
            }
            Quantity::ShareOf(rows) => {
                let all = self.rows(&Rows { condition: None, ..rows.clone() })?.len();
                let some = self.rows(rows)?.len();
                if all == 0 {
                    Err(Reason::NoRows)
                } else {
                    Exact::whole(some).over(&Exact::whole(all))
                }
            }
            Quantity::Closing(rows) => {
                self.begun()?;
                self.covered(Source::Stock)?;
                self.on_hand(rows, self.closing_day())
            }
            Quantity::Opening(rows) => {
                self.known_before()?;
                self.on_hand(rows, self.opening_day())
            }
            Quantity::Customers(buyers) => self.customers(*buyers),
            _ => panic!("{quantity} is no aggregate"),
        }
    }

    /// The values of a cell in the rows of an aggregate, in the order of time.
    fn cells(&self, cell: Cell, rows: &Rows) -> Result<Vec<Exact>, Reason> {
        let mut dated: Vec<_> =
            self.rows(rows)?.into_iter().map(|row| (self.at(row, rows.by_order), row)).collect();
        dated.sort_by_key(|(at, row)| (*at, row.key()));
        let day = |(at, row): (Option<_>, Row<'a>)| (row, at.map_or(0, |at| self.clock().day(at)));
        let dated: Vec<(Row<'a>, Day)> = dated.into_iter().map(day).collect();
        self.values(cell, &dated)
    }

    fn customers(&self, buyers: CustomerFilter) -> Outcome {
        self.begun()?;
        let mut orders: BTreeMap<&str, i64> = BTreeMap::new();
        for order in &self.question.store.orders {
            if let Some(customer) = order.customer {
                let counts = order.placed_at.is_some_and(|at| self.has(at));
                *orders.entry(customer).or_insert(0) += i64::from(counts);
            }
        }
        // Outside of the coverage a count of orders is null, and no number compares with that.
        let is_covered = self.covered(Source::Orders).is_ok();
        let counts = |(customer, orders): &(&str, i64)| match buyers {
            CustomerFilter::WithOrders(least) => is_covered && *orders >= least,
            CustomerFilter::New => self.first_order(customer).is_some_and(|first| self.has(first)),
        };
        Ok(Exact::whole(orders.into_iter().filter(counts).count()))
    }

    /// The last day with a snapshot before the period.
    fn opening_day(&self) -> Option<Day> {
        self.state_days(|at| at < self.start()).last().copied()
    }

    /// The last day with a snapshot before the known end of the period.
    fn closing_day(&self) -> Option<Day> {
        self.state_days(|at| at < self.period.as_of).last().copied()
    }

    /// The days of all states that are dated so.
    fn state_days(&self, is_meant: impl Fn(Instant) -> bool) -> BTreeSet<Day> {
        let days = self.question.store.stock.iter().map(|state| state.day);
        days.filter(|day| is_meant(self.clock().midnight(*day))).collect()
    }

    /// The states of a day.
    fn states(&self, day: Option<Day>) -> Vec<Row<'a>> {
        let mut states = self.standing(Source::Stock);
        states.retain(|row| matches!(row, Row::State(state) if Some(state.day) == day));
        states
    }

    /// The sum over the snapshots of a day.
    fn on_hand(&self, rows: &Rows, day: Option<Day>) -> Outcome {
        if day.is_none() {
            return Err(Reason::NoRows);
        }
        let mut states = self.states(day);
        states.retain(|row| {
            rows.condition.as_ref().is_none_or(|condition| self.holds(condition, *row))
        });
        let on_hand = states.iter().filter_map(|row| match row {
            Row::State(state) => state.on_hand,
            Row::Order(_) | Row::Refund(..) => None,
        });
        Exact::sum(&on_hand.map(|number| Exact::new(number, 0)).collect::<Vec<_>>())
    }

    /// The result of a function over one value for each part of the period or of the rows.
    fn over_parts(&self, quantity: &'a Quantity) -> Outcome {
        self.begun()?;
        match quantity {
            Quantity::PerUnit(function, unit, inner) => {
                let parts = self.cut(*unit);
                if parts.is_empty() {
                    inner.sources().into_iter().try_for_each(|source| self.covered(source))?;
                }
                fold(*function, present(parts.into_iter().map(|part| part.value(inner)))?)
            }
            Quantity::PerWord { function, word, of, known_only, unit } => {
                let scopes = unit.map_or_else(|| vec![self.clone()], |unit| self.cut(unit));
                let rows = of.rows().expect("a plain sum or count");
                self.covered(rows.source)?;
                let mut values = Vec::new();
                for scope in scopes.into_iter().filter(|scope| scope.covered(rows.source).is_ok()) {
                    // A condition narrows the values, not the parts.
                    let all = scope.meant(rows.source, rows.by_order);
                    let words: BTreeSet<_> = all.into_iter().map(|row| row.word(*word)).collect();
                    let words = words.into_iter().filter(|text| !known_only || text.is_some());
                    values.extend(words.map(|text| scope.part(*word, text).value(of)));
                }
                fold(*function, present(values)?)
            }
            Quantity::StatePerDay(function, rows) => {
                let days = self.cut(Unit::Day);
                if days.is_empty() {
                    self.covered(Source::Stock)?;
                }
                let values = days.into_iter().map(|part| {
                    part.covered(Source::Stock)?;
                    part.on_hand(rows, part.state_days(|at| part.has(at)).last().copied())
                });
                fold(*function, present(values)?)
            }
            _ => panic!("{quantity} has no parts"),
        }
    }

    /// How many groups have more, and one.
    fn rank(&self, inner: &'a Quantity) -> Outcome {
        let own = self.value(inner)?;
        let groups = self.question.groups.iter();
        let values = groups.map(|group| Self { group: group.clone(), ..self.clone() }.value(inner));
        Ok(Exact::whole(
            1 + values.filter(|value| value.as_ref().is_ok_and(|value| *value > own)).count(),
        ))
    }

    /// The days that have begun, or all of them.
    fn days(&self, full: bool) -> Exact {
        let until = if full { self.period.end } else { self.period.as_of };
        let (first, last) = (self.clock().day(self.start()), self.clock().day(until - 1));
        Exact::new((last + 1 - first).max(0), 0)
    }

    fn hours(&self, full: bool) -> Outcome {
        let until = if full { self.period.end } else { self.period.as_of };
        Exact::new((until - self.start()).max(0), 0).over(&Exact::new(HOUR, 0))
    }
}

fn binary(operation: Operation, left: &Exact, right: &Exact) -> Outcome {
    match operation {
        Operation::Add => left.plus(right),
        Operation::Subtract => left.minus(right),
        Operation::Multiply => left.times(right),
        Operation::Divide => left.over(right),
        Operation::Greatest => Ok(left.max(right).clone()),
        Operation::Least => Ok(left.min(right).clone()),
    }
}
