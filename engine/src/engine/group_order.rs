//! The order of the groups of a breakdown.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use super::Answer;
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::AmountCurrency;
use crate::format::exact;
use crate::number;
use crate::source::Span;
use crate::types::{Type, Value};

/// The values of groups for one sort key.
#[derive(Debug)]
pub(super) struct KeyValues {
    values: Vec<KeyValue>,
    descending: bool,
    /// Whether amounts of several currencies are among them.
    is_mixed: bool,
}

/// A value with the currency of an amount that keeps its rows' currency.
#[derive(Debug, Clone)]
pub(super) struct KeyValue {
    value: Option<Value>,
    currency: AmountCurrency,
}

impl KeyValue {
    pub(super) const fn of_dimension(value: Option<Value>) -> Self {
        Self { value, currency: AmountCurrency::Any }
    }

    pub(super) fn of_answer(answer: Option<&Answer>) -> Self {
        let Some(answer) = answer else { return Self::of_dimension(None) };
        if let (Value::List(amounts), Type::Quantity(_)) = (&answer.value, &answer.ty) {
            let only = match &**amounts {
                [] => Some((Value::Number(Decimal::ZERO), AmountCurrency::Any)),
                [amount] => listed(amount),
                _ => None,
            };
            let several = || (answer.value.clone(), AmountCurrency::Several);
            let (value, currency) = only.unwrap_or_else(several);
            return Self { value: Some(value), currency };
        }
        let code = answer.currency.clone();
        let currency = code.map_or(AmountCurrency::Any, AmountCurrency::One);
        Self { value: Some(answer.value.clone()), currency }
    }

    fn is_missing(&self) -> bool {
        self.value.as_ref().is_none_or(Value::is_missing)
    }
}

/// An amount in a list of amounts: `12.30 EUR`.
fn listed(amount: &Value) -> Option<(Value, AmountCurrency)> {
    let Value::Text(text) = amount else { return None };
    let (digits, code) = text.rsplit_once(' ')?;
    Some((Value::Number(number::parse(digits)?), AmountCurrency::One(code.into())))
}

impl KeyValues {
    pub(super) fn new(values: Vec<KeyValue>, descending: bool) -> Self {
        let is_mixed = currencies(values.iter()).len() > 1;
        Self { values, descending, is_mixed }
    }

    /// Compares two groups. Nulls are last; amounts of one currency are together.
    pub(super) fn compare(&self, left: usize, right: usize) -> Ordering {
        let (Some(left), Some(right)) = (self.values.get(left), self.values.get(right)) else {
            return Ordering::Equal;
        };
        if left.is_missing() || right.is_missing() {
            return left.is_missing().cmp(&right.is_missing());
        }
        // Zero and other amounts without a currency come after those with one.
        let place = |own: &KeyValue| (own.currency == AmountCurrency::Any, own.currency.clone());
        let by_currency =
            if self.is_mixed { place(left).cmp(&place(right)) } else { Ordering::Equal };
        by_currency.then_with(|| {
            let order = match (&left.value, &right.value) {
                (Some(left), Some(right)) => compare(left, right),
                _ => Ordering::Equal,
            };
            if self.descending { order.reverse() } else { order }
        })
    }

    /// Rejects choosing the first of these groups by amounts that cannot be compared.
    pub(super) fn comparable(&self, groups: &[usize]) -> Result<(), Diagnostic> {
        let own = groups.iter().filter_map(|group| self.values.get(*group));
        let found = currencies(own);
        if found.len() < 2 && !found.contains(&&AmountCurrency::Several) {
            return Ok(());
        }
        let codes: Vec<&str> = found
            .iter()
            .map(|currency| match currency {
                AmountCurrency::One(code) => &**code,
                AmountCurrency::Any | AmountCurrency::Several => "several currencies",
            })
            .collect();
        let message = format!("the largest of amounts in {} cannot be told", codes.join(", "));
        Err(Diagnostic::new(Code::E310, Span::default(), message)
            .help("ask for the amounts in one currency, or filter to one, or show all groups"))
    }
}

/// Returns the currencies of the values, in order.
fn currencies<'v>(values: impl Iterator<Item = &'v KeyValue>) -> Vec<&'v AmountCurrency> {
    let in_one = values.filter(|own| !own.is_missing()).map(|own| &own.currency);
    let mut found = Vec::new();
    for currency in in_one.filter(|currency| **currency != AmountCurrency::Any) {
        if let Err(place) = found.binary_search(&currency) {
            found.insert(place, currency);
        }
    }
    found
}

fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.cmp(right),
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::DateTime(left), Value::DateTime(right)) => left.cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (left, right) => exact(left).cmp(&exact(right)),
    }
}
