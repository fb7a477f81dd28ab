//! The currencies of amounts in a store that does not convert them: each amount keeps the currency
//! of its rows.

use std::rc::Rc;
use std::sync::Arc;

use crate::check::{Comparison, Kind};
use crate::data::RecordValue;
use crate::schema::MixedCurrency;
use crate::types::{Currency, Missing, Reason, Value};

/// The currency of an amount that is not converted. Amounts of two currencies are not added, compared or divided.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AmountCurrency {
    /// None: there is no amount, or one without rows, such as zero.
    #[default]
    Any,
    /// The code in capitals; empty where a row has none.
    One(Arc<str>),
    /// Several, of a list or of rows that mix them.
    Several,
}

/// The currencies of the cells of a frame, or of rows.
pub(crate) type Currencies = Rc<Vec<AmountCurrency>>;

impl AmountCurrency {
    /// The currency that a row states.
    pub(crate) fn of_code(code: &Value) -> Self {
        match code {
            Value::Text(code) if code.bytes().any(|byte| byte.is_ascii_lowercase()) => {
                Self::One(Arc::from(code.to_ascii_uppercase()))
            }
            Value::Text(code) => Self::One(Arc::clone(code)),
            _ => Self::One(Arc::from("")),
        }
    }

    /// The currency stated in a record; none for a plain number.
    pub(crate) fn of_given(given: &RecordValue) -> Self {
        if let RecordValue::Money(_, currency) = given {
            Self::One(Arc::from(currency.code()))
        } else {
            Self::Any
        }
    }

    /// The currency of a value computed from both amounts.
    pub(crate) fn with(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Any, one) | (one, Self::Any) => one.clone(),
            (one, other) if one == other => one.clone(),
            _ => Self::Several,
        }
    }
}

/// The currencies of a value computed from all of these, element by element; `None` if none has
/// one.
pub(crate) fn joined(
    operands: impl IntoIterator<Item = Option<Currencies>>,
) -> Option<Vec<AmountCurrency>> {
    let mut operands = operands.into_iter().flatten();
    let first = operands.next()?.to_vec();
    Some(operands.fold(first, |all, own| {
        all.iter().zip(own.iter()).map(|(one, other)| one.with(other)).collect()
    }))
}

/// The result of an operation on amounts in several currencies: the same as for a null.
pub(crate) fn of_several(kind: Option<&Kind>) -> Value {
    match kind {
        Some(Kind::Compare(op, ..)) => Value::Bool(*op == Comparison::NotEqual),
        _ => Value::missing(Reason::MixedCurrency),
    }
}

/// The answer of an aggregate from those in each currency: under `split` a list, otherwise the amount with its currency
/// ([`value_and_currency`]), or null. `whole` is the answer over all rows, as if they had one currency.
pub(crate) fn in_currencies(
    own: &[(AmountCurrency, Value)],
    whole: &Value,
    policy: MixedCurrency,
) -> Value {
    let has = |wanted: &AmountCurrency| own.iter().any(|(currency, _)| currency == wanted);
    if has(&AmountCurrency::One(Arc::from(""))) {
        return Value::missing(Reason::NoRate);
    }
    let is_mixed = matches!(whole, Value::Missing(Missing { reason: Reason::MixedCurrency, .. }));
    if is_mixed || has(&AmountCurrency::Several) {
        return Value::missing(Reason::MixedCurrency);
    }
    match (policy, own) {
        (MixedCurrency::Split, own) => Value::List(own.iter().map(amount).collect()),
        (_, [(AmountCurrency::One(code), _)]) if !whole.is_missing() => {
            Value::List(Arc::from([whole.clone(), Value::Text(Arc::clone(code))]))
        }
        (_, [] | [_]) => whole.clone(),
        (MixedCurrency::Convert | MixedCurrency::Refuse, _) => {
            Value::missing(Reason::MixedCurrency)
        }
    }
}

/// An answer of [`in_currencies`] as the value of a formula, and its currency.
pub(crate) fn value_and_currency(answer: &Value, policy: MixedCurrency) -> (Value, AmountCurrency) {
    match (answer, policy) {
        (Value::List(_), MixedCurrency::Split) => (answer.clone(), AmountCurrency::Several),
        (Value::List(items), MixedCurrency::Convert | MixedCurrency::Refuse) => match &**items {
            [value, Value::Text(code)] => (value.clone(), AmountCurrency::One(Arc::clone(code))),
            _ => (answer.clone(), AmountCurrency::Several),
        },
        _ => (answer.clone(), AmountCurrency::Any),
    }
}

/// `12.30 EUR`
fn amount((currency, value): &(AmountCurrency, Value)) -> Value {
    let AmountCurrency::One(code) = currency else { return value.clone() };
    let Some(mut number) = value.as_number().map(|number| number.normalize()) else {
        return value.clone();
    };
    let digits = Currency::from_code(code).map_or(0, Currency::digits);
    if number.scale() < digits {
        number.rescale(digits);
    }
    Value::text(format!("{number} {code}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_of_no_rows_goes_with_any_currency() {
        let code = |code: &str| AmountCurrency::of_code(&Value::text(code));
        let (none, several) = (AmountCurrency::Any, AmountCurrency::Several);
        for (left, right, both) in [
            (&none, &none, &none),
            (&none, &code("eur"), &code("EUR")),
            (&code("EUR"), &code("eur"), &code("EUR")),
            (&code("EUR"), &code("USD"), &several),
            (&several, &none, &several),
            (&several, &code("EUR"), &several),
        ] {
            assert_eq!(left.with(right), *both, "{left:?} {right:?}");
            assert_eq!(right.with(left), *both, "{right:?} {left:?}");
        }
    }
}
