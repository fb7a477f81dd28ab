//! Conversion of values to answers: display type, text, comparison.

use super::answer::{Answer, NullAt};
use super::formula::Formula;
use super::request::Request;
use super::{Engine, Metric};
use crate::calendar::Period;
use crate::check::Arithmetic;
use crate::evaluate::AmountCurrency;
use crate::functions::Environment;
use crate::schema::MixedCurrency;
use crate::types::{CurrencyOf, Reason, Type, Value};

/// The display properties of a formula's answers.
pub(crate) struct AnswerFormat<'a> {
    engine: &'a Engine,
    formula: &'a Formula,
    ty: Type,
}

impl<'a> AnswerFormat<'a> {
    pub(super) fn new(engine: &'a Engine, formula: &'a Formula, request: &Request) -> Self {
        let ty = engine.in_request(formula.checked.ty.clone(), request);
        let ty = match formula.data_type {
            Some(declared) => declared.shown(ty),
            None => ty,
        };
        Self { engine, formula, ty }
    }

    fn format(&self, value: &Value, env: &Environment<'_>) -> String {
        crate::format::value(value, &self.ty, &self.formula.format, env.calendar.zone())
    }

    pub(super) fn answer(
        &self,
        value: &Value,
        previous: Option<&Value>,
        period: Option<Period>,
        env: &Environment<'_>,
    ) -> Answer {
        let missing = value.as_missing();
        let null_at = missing.and_then(|missing| missing.origin).map(|origin| NullAt {
            metric: origin
                .metric
                .and_then(|index| usize::try_from(index).ok())
                .and_then(|index| self.engine.metrics.get(index))
                .map(|metric: &Metric| metric.key.clone()),
            span: origin.span,
        });
        let change = previous.map(|previous| growth(value, previous, env));
        Answer {
            value: value.clone(),
            ty: self.ty.clone(),
            formatted: self.format(value, env),
            exact: self.formula.is_exact(),
            null_reason: missing.map(|missing| missing.reason),
            null_at,
            period,
            previous: previous.cloned(),
            previous_formatted: previous.map(|previous| self.format(previous, env)),
            change,
            currency: None,
        }
    }
}

/// Returns the answer with its currency; amounts of two currencies have no growth from one to the other.
pub(super) fn in_currency(
    answer: Answer,
    currency: AmountCurrency,
    previous: &AmountCurrency,
) -> Answer {
    let is_mixed = currency.with(previous) == AmountCurrency::Several;
    let refused = |change: Value| match change {
        change if is_mixed && !change.is_missing() => Value::missing(Reason::MixedCurrency),
        change => change,
    };
    let currency = match currency {
        AmountCurrency::One(code) => Some(code),
        AmountCurrency::Any | AmountCurrency::Several => None,
    };
    Answer { change: answer.change.map(refused), currency, ..answer }
}

fn growth(current: &Value, earlier: &Value, env: &Environment<'_>) -> Value {
    let change = crate::evaluate::arithmetic(Arithmetic::Subtract, current, earlier, env);
    match earlier.as_number() {
        Some(base) if base.is_sign_negative() && !base.is_zero() => {
            Value::missing(Reason::NotComparable)
        }
        Some(_) | None => crate::evaluate::arithmetic(Arithmetic::Divide, &change, earlier, env),
    }
}

impl Engine {
    /// Returns the type of an answer in the requested currency.
    pub(crate) fn in_request(&self, mut ty: Type, request: &Request) -> Type {
        let currency = request.currency.unwrap_or(self.schema.store.currency);
        // A store that does not convert keeps each amount in the currency of its rows.
        let is_converted = self.schema.store.mixed_currency == MixedCurrency::Convert;
        if let Type::Quantity(unit) = &mut ty
            && unit.money != 0
            && (request.currency.is_some() || is_converted && unit.currency == CurrencyOf::Mixed)
        {
            unit.currency = CurrencyOf::Fixed(currency);
        }
        ty
    }
}
