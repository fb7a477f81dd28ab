//! What a computation gave, with everything needed to show and to trust it.

use std::sync::Arc;

use jiff::Timestamp;

use crate::calendar::Period;
use crate::source::Span;
use crate::types::{Currency, Reason, Type, Value};

/// The answers to one request.
#[derive(Debug, Clone)]
pub struct Answers {
    /// The periods, in order; one where the request was not cut.
    pub buckets: Vec<Period>,
    /// The names of the keys that groups differ in.
    pub group_by: Vec<String>,
    /// The groups, in order of their values; one empty tuple without grouping.
    pub groups: Vec<Vec<Value>>,
    /// Names that a record should have given, by all formulas together.
    pub missing_inputs: Vec<String>,
    /// Names that the record gave and that were used.
    pub inputs_used: Vec<String>,
    /// What the answers rest on.
    pub provenance: Provenance,
    /// By formula, then bucket by bucket, group by group.
    pub(super) by_formula: Vec<Vec<Answer>>,
}

/// What answers rest on, by which two of them can be compared later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// By formula: the SHA-256 of what it means, see [`Engine::definition_hash`](super::Engine::definition_hash).
    pub definitions: Vec<Arc<str>>,
    /// What the program calls the state of its rows.
    pub data_version: Option<String>,
    /// The zone whose days were counted.
    pub timezone: String,
    /// The currency that amounts were asked for in.
    pub currency: Currency,
    /// The present.
    pub now: Timestamp,
}

/// One value, with its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The exact value, or null with its reason.
    pub value: Value,
    /// The type with its unit.
    pub ty: Type,
    /// As people read it.
    pub formatted: String,
    /// Whether no root, logarithm or fractional power took part.
    pub exact: bool,
    /// Why there is no value.
    pub null_reason: Option<Reason>,
    /// Where the null began.
    pub null_at: Option<NullAt>,
    /// The period it speaks of; `None` for a record without one.
    pub period: Option<Period>,
    /// The value in the period it is compared with.
    pub previous: Option<Value>,
    /// That value as people read it.
    pub previous_formatted: Option<String>,
    /// The growth since then, as a fraction.
    pub change: Option<Value>,
}

/// Where a null began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NullAt {
    /// The metric in whose formula, if it is not the one asked for.
    pub metric: Option<String>,
    /// The place in that formula.
    pub span: Span,
}

impl Answers {
    /// The answer of a formula for a bucket and a group, each by index.
    pub fn get(&self, formula: usize, bucket: usize, group: usize) -> Option<&Answer> {
        let index = bucket.checked_mul(self.groups.len())?.checked_add(group)?;
        self.by_formula.get(formula)?.get(index)
    }

    /// The first answer of the first formula: all there is where one value was asked for.
    pub fn first(&self) -> Option<&Answer> {
        self.get(0, 0, 0)
    }

    /// The answers of one formula, bucket by bucket, group by group.
    pub fn of(&self, formula: usize) -> &[Answer] {
        self.by_formula.get(formula).map_or(&[], Vec::as_slice)
    }
}
