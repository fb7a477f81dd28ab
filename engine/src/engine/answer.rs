//! Answers: values with their types, texts, periods and null reasons.

use std::sync::Arc;

use jiff::Timestamp;

use crate::calendar::Period;
use crate::source::Span;
use crate::types::{Currency, Reason, Type, Value};

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
