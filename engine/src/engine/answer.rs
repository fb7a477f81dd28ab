//! Answers: values with their types, texts, periods and null reasons.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Engine, Formula, Request};
use crate::calendar::Period;
use crate::evaluate::{AmountCurrency, growth};
use crate::functions::Environment;
use crate::schema::MixedCurrency;
use crate::source::Span;
use crate::types::{Currency, CurrencyOf, DeclaredType, Reason, Type, Value};

/// The answers to one request.
#[derive(Debug, Clone)]
pub struct Answers {
    /// The periods, in order; a single one without buckets.
    pub buckets: Vec<Period>,
    /// The names of the grouping keys.
    pub group_by: Vec<String>,
    /// The groups, ordered by value, including those that only the compared period has; one empty tuple without
    /// grouping.
    pub groups: Vec<Vec<Value>>,
    /// The names that the record lacks, for all formulas together.
    pub missing_inputs: Vec<String>,
    /// The names that the record gave and the formulas used.
    pub inputs_used: Vec<String>,
    /// The definitions, rows, zone and currency behind the answers.
    pub provenance: Provenance,
    /// By formula, then by bucket, then by group.
    pub(super) by_formula: Vec<Vec<Answer>>,
}

/// The basis of an answer, for later comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The SHA-256 of each formula's meaning, see
    /// [`Engine::definition_hash`](super::Engine::definition_hash).
    pub definitions: Vec<Arc<str>>,
    /// The program's own name for the version of its rows.
    pub data_version: Option<String>,
    /// The time zone of the calendar.
    pub timezone: String,
    /// The requested currency.
    pub currency: Currency,
    /// The present, as of the request.
    pub now: Timestamp,
}

/// One value with its type, text and period.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The exact value, or null with its reason.
    pub value: Value,
    /// The type with its unit.
    pub ty: Type,
    /// The value as display text.
    pub formatted: String,
    /// True if no root, logarithm or fractional power was computed.
    pub exact: bool,
    /// The reason, if the value is null.
    pub null_reason: Option<Reason>,
    /// Where the null began.
    pub null_at: Option<NullAt>,
    /// The period of the value; `None` for a record without one.
    pub period: Option<Period>,
    /// The value in the comparison period.
    pub previous: Option<Value>,
    /// The previous value as display text.
    pub previous_formatted: Option<String>,
    /// The growth since the previous value, as a fraction.
    pub change: Option<Value>,
    /// The currency code of an amount that keeps the currency of its rows; `None` for any other value.
    pub currency: Option<Arc<str>>,
}

/// The origin of a null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NullAt {
    /// The metric whose formula holds the origin, if it is not the requested one.
    pub metric: Option<String>,
    /// The place in that formula.
    pub span: Span,
}

impl Answers {
    /// Returns the answer of a formula for a bucket and a group, each by index.
    pub fn get(&self, formula: usize, bucket: usize, group: usize) -> Option<&Answer> {
        let index = bucket.checked_mul(self.groups.len())?.checked_add(group)?;
        self.by_formula.get(formula)?.get(index)
    }

    /// Returns the first answer of the first formula: the only one if a single value was requested.
    pub fn first(&self) -> Option<&Answer> {
        self.get(0, 0, 0)
    }

    /// Returns the answers of one formula, by bucket, then by group.
    pub fn of(&self, formula: usize) -> &[Answer] {
        self.by_formula.get(formula).map_or(&[], Vec::as_slice)
    }
}

/// The display properties of a formula's answers.
pub(super) struct AnswerFormat<'a> {
    engine: &'a Engine,
    formula: &'a Formula,
    ty: Type,
}

impl<'a> AnswerFormat<'a> {
    pub(super) fn new(engine: &'a Engine, formula: &'a Formula, request: &Request) -> Self {
        let ty = engine.in_request(formula.checked.ty.clone(), formula.data_type, request);
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
            metric: origin.metric.and_then(|index| {
                Some(self.engine.metrics.get(usize::try_from(index).ok()?)?.key.clone())
            }),
            span: origin.span,
        });
        let change = previous.map(|previous| growth(value, previous));
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
    let comparable = |change: Value| {
        if is_mixed && !change.is_missing() {
            Value::missing(Reason::MixedCurrency)
        } else {
            change
        }
    };
    let currency = match currency {
        AmountCurrency::One(code) => Some(code),
        AmountCurrency::Any | AmountCurrency::Several => None,
    };
    Answer { change: answer.change.map(comparable), currency, ..answer }
}

impl Engine {
    /// Returns the type of an answer in the requested currency, as its metric declares it.
    pub(crate) fn in_request(
        &self,
        mut ty: Type,
        declared: Option<DeclaredType>,
        request: &Request,
    ) -> Type {
        let currency = request.currency.unwrap_or(self.schema.store.currency);
        // A store that does not convert keeps each amount in the currency of its rows.
        let is_converted = self.schema.store.mixed_currency == MixedCurrency::Convert;
        if let Type::Quantity(unit) = &mut ty
            && unit.money != 0
            && (request.currency.is_some() || is_converted && unit.currency == CurrencyOf::Mixed)
        {
            unit.currency = CurrencyOf::Fixed(currency);
        }
        match declared {
            Some(declared) => declared.shown(ty),
            None => ty,
        }
    }
}
