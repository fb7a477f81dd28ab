//! A column of values, in the form that block kernels compute fastest.

use rust_decimal::Decimal;

use super::chunk::{ChunkView, Form, PRESENT, ViewData, code_of, reason_of};
use crate::types::{Reason, Value};

/// The values of one name or the answers of one formula, one for each row.
///
/// Scaled integers are the fast form: an amount in cents is its integer at scale 2, a count is its
/// integer at scale 0. One scale holds for the whole column, so 2.5 in a column of scale 2 reads
/// 2.50. A null carries its reason.
#[derive(Debug, Clone)]
pub struct Column {
    pub(super) values: Values,
    /// Null codes, one for each row; empty if no row is null.
    pub(super) codes: Vec<u8>,
}

/// The values; those at null rows are meaningless.
#[derive(Debug, Clone)]
pub(super) enum Values {
    Ints { values: Vec<i64>, scale: u32 },
    Decimals(Vec<Decimal>),
    Truths(Vec<bool>),
    Any(Vec<Value>),
}

impl Column {
    /// Integers in units of `10^-scale`: cents have scale 2.
    pub fn scaled(values: Vec<i64>, scale: u32) -> Self {
        Self { values: Values::Ints { values, scale }, codes: Vec::new() }
    }

    /// Whole numbers.
    pub fn counts(values: Vec<i64>) -> Self {
        Self::scaled(values, 0)
    }

    /// Decimals; `None` is null.
    pub fn decimals(values: impl IntoIterator<Item = Option<Decimal>>) -> Self {
        values.into_iter().map(given).collect()
    }

    /// Outcomes of conditions; `None` is null.
    pub fn bools(values: impl IntoIterator<Item = Option<bool>>) -> Self {
        values.into_iter().map(given).collect()
    }

    /// Adds nulls where `is_null` is true, in addition to those already present; rows past its end are
    /// unchanged.
    #[must_use]
    pub fn with_nulls(mut self, is_null: &[bool]) -> Self {
        if let Values::Any(values) = &mut self.values {
            for (value, _) in values.iter_mut().zip(is_null).filter(|(_, null)| **null) {
                *value = Value::missing(Reason::NullValue);
            }
            return self;
        }
        self.codes.resize(self.len(), PRESENT);
        for (code, _) in self.codes.iter_mut().zip(is_null).filter(|(_, null)| **null) {
            *code = code_of(Reason::NullValue);
        }
        if let Values::Truths(truths) = &mut self.values {
            // Kernels read a null condition as false.
            truths.iter_mut().zip(is_null).for_each(|(truth, null)| *truth &= !null);
        }
        self
    }

    /// The column's rows within a block; `None` if kernels cannot read the column's form.
    pub(super) fn block(&self, start: usize, rows: usize) -> Option<ChunkView<'_>> {
        let end = start.checked_add(rows)?;
        let data = match &self.values {
            Values::Ints { values, .. } => ViewData::Ints(values.get(start..end)?),
            Values::Decimals(values) => ViewData::Decimals(values.get(start..end)?),
            Values::Truths(values) => ViewData::Truths(values.get(start..end)?),
            Values::Any(_) => return None,
        };
        let codes = self.codes.get(start..end);
        let codes =
            codes.filter(|codes| codes.iter().fold(PRESENT, |any, code| any | code) != PRESENT);
        Some(ChunkView { data, codes })
    }

    /// The form in which kernels read the column; `None` for other types.
    pub(super) const fn form(&self) -> Option<Form> {
        match &self.values {
            Values::Ints { .. } => Some(Form::Ints),
            Values::Decimals(_) => Some(Form::Decimals),
            Values::Truths(_) => Some(Form::Truths),
            Values::Any(_) => None,
        }
    }

    /// Truncates the column, or pads it with nulls, to this many rows.
    pub(super) fn resized(mut self, rows: usize) -> Self {
        if self.len() == rows {
            return self;
        }
        let lacks = rows > self.len();
        if lacks || !self.codes.is_empty() {
            self.codes.resize(self.len(), PRESENT);
            self.codes.resize(rows, code_of(Reason::MissingInput));
        }
        match &mut self.values {
            Values::Ints { values, .. } => values.resize(rows, 0),
            Values::Decimals(values) => values.resize(rows, Decimal::ZERO),
            Values::Truths(values) => values.resize(rows, false),
            Values::Any(values) => {
                self.codes.clear();
                values.resize(rows, Value::missing(Reason::MissingInput));
            }
        }
        self
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Ints { values, .. } => values.len(),
            Values::Decimals(values) => values.len(),
            Values::Truths(values) => values.len(),
            Values::Any(values) => values.len(),
        }
    }

    /// Whether the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The integers and their scale, for a column of scaled integers; integers at nulls are meaningless.
    pub fn as_scaled(&self) -> Option<(&[i64], u32)> {
        match &self.values {
            Values::Ints { values, scale } => Some((values, *scale)),
            Values::Decimals(_) | Values::Truths(_) | Values::Any(_) => None,
        }
    }

    /// The decimals, for a column of decimals; those at nulls are meaningless.
    pub fn as_decimals(&self) -> Option<&[Decimal]> {
        match &self.values {
            Values::Decimals(values) => Some(values),
            Values::Ints { .. } | Values::Truths(_) | Values::Any(_) => None,
        }
    }

    /// The reason why a row is null; `None` if it has a value.
    pub fn null_reason(&self, row: usize) -> Option<Reason> {
        match &self.values {
            Values::Any(values) => values.get(row)?.as_missing().map(|missing| missing.reason),
            Values::Ints { .. } | Values::Decimals(_) | Values::Truths(_) => {
                self.codes.get(row).copied().and_then(reason_of)
            }
        }
    }

    /// The value of a row; null past the end.
    pub fn value(&self, row: usize) -> Value {
        if let Values::Any(values) = &self.values {
            return values.get(row).cloned().unwrap_or(Value::missing(Reason::MissingInput));
        }
        if let Some(reason) = self.null_reason(row) {
            return Value::missing(reason);
        }
        let found = match &self.values {
            Values::Ints { values, scale } => values
                .get(row)
                .map(|value| crate::number::from_scaled(i128::from(*value), *scale).into()),
            Values::Decimals(values) => values.get(row).copied().map(Value::Number),
            Values::Truths(values) => values.get(row).copied().map(Value::Bool),
            Values::Any(_) => None,
        };
        found.unwrap_or(Value::missing(Reason::MissingInput))
    }

    /// The values of all rows, in order.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        (0..self.len()).map(|row| self.value(row))
    }
}

fn given<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::missing(Reason::NullValue), Into::into)
}

/// Collects values of any type, including texts and dates; numbers of one scale become scaled integers.
impl FromIterator<Value> for Column {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let values: Vec<Value> = values.into_iter().collect();
        let Some(compact) = compact(&values) else {
            return Self { values: Values::Any(values), codes: Vec::new() };
        };
        let code = |value: &Value| value.as_missing().map_or(PRESENT, |null| code_of(null.reason));
        let has_null = values.iter().any(Value::is_missing);
        let codes = if has_null { values.iter().map(code).collect() } else { Vec::new() };
        Self { values: compact, codes }
    }
}

/// Numbers or booleans in their compact form, with nulls as zero or false.
fn compact(values: &[Value]) -> Option<Values> {
    let first = values.iter().find(|value| !value.is_missing())?;
    match first {
        Value::Number(first) => {
            let mut numbers = Vec::with_capacity(values.len());
            for value in values {
                match value {
                    Value::Number(number) => numbers.push(*number),
                    Value::Missing(_) => numbers.push(Decimal::ZERO),
                    _ => return None,
                }
            }
            let scale = first.scale();
            let int = |(number, value): (&Decimal, &Value)| {
                if value.is_missing() {
                    return Some(0);
                }
                i64::try_from(number.mantissa()).ok().filter(|_| number.scale() == scale)
            };
            let ints: Option<Vec<i64>> = numbers.iter().zip(values).map(int).collect();
            Some(match ints {
                Some(values) => Values::Ints { values, scale },
                None => Values::Decimals(numbers),
            })
        }
        Value::Bool(_) => values
            .iter()
            .map(|value| match value {
                Value::Bool(truth) => Some(*truth),
                Value::Missing(_) => Some(false),
                _ => None,
            })
            .collect::<Option<Vec<bool>>>()
            .map(Values::Truths),
        _ => None,
    }
}
