//! What rows contribute to aggregates, in which currency, and the result of aggregates.

use std::collections::BTreeSet;

use quotient::types::Reason;

use super::clock::Day;
use super::exact::{Exact, Outcome};
use super::rows::Row;
use super::scope::{Question, Scope};
use super::store::Policy;
use super::tree::{Amount, Cell, Function};

/// The currency of the store.
const USD: &str = "USD";

/// The currencies with rates, and one without.
const CODES: [&str; 4] = [USD, "EUR", "GBP", "JPY"];

/// The content of a cell of a row, if it is not empty.
fn plain(row: Row<'_>, cell: Cell) -> Option<Outcome> {
    let order = row.order();
    let money = |cents: i64| Exact::new(cents, 2);
    let units = || Some(Exact::new(order?.units?, 0));
    Some(match cell {
        Cell::Amount(amount) => Ok(money(row.amount(amount)?)),
        Cell::Margin => money(row.amount(Amount::Total)?).minus(&money(row.amount(Amount::Cost)?)),
        Cell::Line => money(row.amount(Amount::Total)?).times(&units()?),
        Cell::Each => money(row.amount(Amount::Total)?).over(&units()?),
        Cell::Units => Ok(units()?),
        Cell::Tip => Ok(money(order?.tip?)),
        Cell::Paid | Cell::PaidEuros => Ok(money(order?.paid?)),
    })
}

/// Whether a row has a value in a cell.
pub(crate) fn is_filled(row: Row<'_>, cell: Cell) -> bool {
    plain(row, cell).is_some_and(|value| value.is_ok())
}

/// Whether a part without a value is skipped, because nothing is known about it. If a value is
/// undetermined, such as an amount without a rate, the whole has no value either.
pub(crate) const fn is_absent(reason: Reason) -> bool {
    !matches!(reason, Reason::Overflow | Reason::NoRate | Reason::MixedCurrency)
}

/// The values that are present, or why one of them is undetermined, or that none of them is covered.
pub(crate) fn present(values: impl IntoIterator<Item = Outcome>) -> Result<Vec<Exact>, Reason> {
    let mut values: Vec<Outcome> = values.into_iter().collect();
    if !values.is_empty() && values.iter().all(|value| *value == Err(Reason::NoCoverage)) {
        return Err(Reason::NoCoverage);
    }
    values.retain(|value| !value.as_ref().is_err_and(|reason| is_absent(*reason)));
    values.into_iter().collect()
}

impl Question<'_> {
    /// The value of one unit of a currency on a day, in the store's currency.
    fn rate(&self, code: &str, day: Day) -> Outcome {
        if code == USD {
            return Ok(Exact::new(1, 0));
        }
        let rates = self.store.rates.iter().filter(|rate| rate.code == code && rate.day <= day);
        let last = rates.max_by_key(|rate| rate.day).ok_or(Reason::NoRate)?;
        Ok(Exact::new(last.worth, 4))
    }

    /// An amount in another currency; `stamped` is the rate that a row has for its own currency.
    fn converted(
        &self,
        amount: &Exact,
        (from, to): (&str, &str),
        stamped: Option<i64>,
        day: Day,
    ) -> Outcome {
        if from == to {
            return Ok(amount.clone());
        }
        let rate = stamped.map_or_else(|| self.rate(from, day), |rate| Ok(Exact::new(rate, 4)))?;
        let in_store = amount.times(&rate)?;
        if to == USD { Ok(in_store) } else { in_store.over(&self.rate(to, day)?) }
    }
}

impl Scope<'_> {
    /// The requested currency of amounts, if any.
    fn wanted(&self) -> Option<&'static str> {
        self.question.currency.or(self.convert)
    }

    /// A literal amount, at the rate of the last known day of the period.
    pub(crate) fn written(&self, cents: i64, code: &'static str) -> Outcome {
        let amount = Exact::new(cents, 2);
        let Some(wanted) = self.wanted() else { return Ok(amount) };
        let last = self.clock().day(self.period.as_of.min(self.question.now) - 1);
        self.question.converted(&amount, (code, wanted), None, last)
    }

    /// The values of a cell in rows, for aggregation.
    pub(crate) fn values(&self, cell: Cell, rows: &[(Row<'_>, Day)]) -> Result<Vec<Exact>, Reason> {
        if cell == Cell::Units {
            return present(rows.iter().filter_map(|(row, _)| plain(*row, cell)));
        }
        let converts = self.question.store.settings.policy == Policy::Convert;
        let store = || (cell == Cell::Paid && converts).then_some(USD);
        let Some(wanted) = self.wanted().or_else(store) else {
            if cell == Cell::Paid {
                one_currency(rows)?;
            }
            return present(rows.iter().filter_map(|(row, _)| plain(*row, cell)));
        };
        present(rows.iter().filter_map(|(row, day)| {
            let amount = plain(*row, cell)?;
            Some(amount.and_then(|amount| {
                let (own, stamped) = match cell {
                    Cell::Paid | Cell::PaidEuros => {
                        (currency(*row)?, row.order().and_then(|own| own.rate))
                    }
                    Cell::Tip => ("EUR", None),
                    _ => (USD, None),
                };
                self.question.converted(&amount, (own, wanted), stamped, *day)
            }))
        }))
    }
}

/// The currency of the payment, however it is written.
fn currency(row: Row<'_>) -> Result<&'static str, Reason> {
    let code = row.order().and_then(|order| order.code).ok_or(Reason::NoRate)?;
    CODES.into_iter().find(|known| known.eq_ignore_ascii_case(code)).ok_or(Reason::NoRate)
}

/// Refuses amounts of several currencies.
fn one_currency(rows: &[(Row<'_>, Day)]) -> Result<(), Reason> {
    let paid = rows.iter().filter(|(row, _)| plain(*row, Cell::Paid).is_some());
    let codes: BTreeSet<&str> = paid.map(|(row, _)| currency(*row)).collect::<Result<_, _>>()?;
    if codes.len() > 1 { Err(Reason::MixedCurrency) } else { Ok(()) }
}

/// The aggregate of values, which are in order of time.
pub(crate) fn fold(function: Function, mut values: Vec<Exact>) -> Outcome {
    if values.is_empty() {
        return if function == Function::Sum { Ok(Exact::zero()) } else { Err(Reason::NoRows) };
    }
    let last = values.len() - 1;
    match function {
        Function::Sum => return Exact::sum(&values),
        Function::Average => return Exact::mean(&values),
        Function::First => return Ok(values.swap_remove(0)),
        Function::Last => return Ok(values.swap_remove(last)),
        Function::Minimum | Function::Maximum | Function::Median | Function::Percentile90 => {}
    }
    values.sort_unstable();
    match function {
        Function::Minimum => Ok(values.swap_remove(0)),
        Function::Median => between(&values, 5),
        Function::Percentile90 => between(&values, 9),
        _ => Ok(values.swap_remove(last)),
    }
}

/// The value this many tenths of the way through the sorted ones, with linear interpolation.
fn between(values: &[Exact], tenths: usize) -> Outcome {
    let way = (values.len() - 1) * tenths;
    let low = &values[way / 10];
    low.between(values.get(way / 10 + 1).unwrap_or(low), way % 10)
}
