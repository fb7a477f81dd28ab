//! What is kept of a metric.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::diagnostics::Diagnostic;
use crate::format::FormatRules;
use crate::plan::Hash;
use crate::source::Span;
use crate::types::DeclaredType;

/// A metric, whatever its key: never given twice within a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MetricId(pub u64);

/// What people say a metric is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The name formulas use.
    pub key: String,
    /// The name people read; formulas may use it in brackets.
    pub title: Option<String>,
    /// What it means.
    pub description: Option<String>,
    /// Where lists put it.
    pub category: Option<String>,
    /// Left out where nobody asks for it by name.
    pub unlisted: bool,
    /// Its formula as written.
    pub formula: String,
    /// The type it says it has.
    pub data_type: Option<DeclaredType>,
    /// How its values are shown.
    pub format: FormatRules,
}

impl Definition {
    /// A key with its formula.
    pub fn new(key: &str, formula: &str) -> Self {
        Self {
            key: key.to_owned(),
            title: None,
            description: None,
            category: None,
            unlisted: false,
            formula: formula.to_owned(),
            data_type: None,
            format: FormatRules::default(),
        }
    }
}

/// A context record as JSON text, with the constant or `null (reason)` that it must give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The record.
    pub context: String,
    /// What the formula must give for it.
    pub expected: String,
}

/// How far a metric is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Being worked on.
    Draft,
    /// In use.
    Active,
    /// In use, and to be replaced.
    Deprecated,
    /// Out of use.
    Archived,
}

impl State {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Archived => "archived",
        }
    }

    /// Whether people rely on its values.
    pub const fn is_in_use(self) -> bool {
        matches!(self, Self::Active | Self::Deprecated)
    }

    /// Whether a metric may go from this state to the other.
    pub const fn leads_to(self, next: Self) -> bool {
        match self {
            Self::Draft => matches!(next, Self::Active | Self::Archived),
            Self::Active => matches!(next, Self::Deprecated | Self::Archived),
            Self::Deprecated => matches!(next, Self::Active | Self::Archived),
            Self::Archived => matches!(next, Self::Draft),
        }
    }
}

/// Who does something, when and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// Who.
    pub author: String,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub note: Option<String>,
}

impl Signed {
    /// A signature without a note.
    pub fn new(author: &str, at: Timestamp) -> Self {
        Self { author: author.to_owned(), at, note: None }
    }

    /// The same with a note.
    #[must_use]
    pub fn note(&self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self.clone() }
    }
}

/// Where a formula names a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The metric.
    pub metric: MetricId,
    /// The first byte of its name in the text.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Reference {
    pub(super) const fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

/// A state of a metric's definition that is never changed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// 1, 2, 3 …
    pub number: u32,
    /// The whole definition.
    pub definition: Definition,
    /// The formula in its canonical spelling.
    pub canonical: String,
    /// The hash of the formula's tree.
    pub hash: Hash,
    /// The inferred type.
    pub ty: String,
    /// Inputs and placeholders it takes, those of its metrics too.
    pub inputs: Vec<String>,
    /// Where it names other metrics.
    pub references: Vec<Reference>,
    /// Who made it, when and why.
    pub signed: Signed,
    /// The version whose definition it brought back.
    pub restored_from: Option<u32>,
}

/// A metric with its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredMetric {
    /// What it is, whatever its key.
    pub id: MetricId,
    /// Its definition. The formula is the text as it was written last, which may differ from that
    /// of the last version in blanks, comments and case.
    pub definition: Definition,
    /// How far it is released.
    pub state: State,
    /// Whether it was taken out: its key stays taken, its versions stay.
    pub removed: bool,
    /// Contexts with the results they must give before it is active.
    pub examples: Vec<Example>,
    /// Every version, the first first. They never change, so that a copy of the registry has the same.
    pub versions: Vec<Arc<Version>>,
}

impl RegisteredMetric {
    /// The last version.
    pub fn version(&self) -> Option<&Version> {
        self.versions.last().map(Arc::as_ref)
    }
}

/// What an edit did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The metric.
    pub id: MetricId,
    /// The number of the version it made; none where nothing but the writing changed.
    pub version: Option<u32>,
    /// Keys of the other metrics whose formulas were rewritten.
    pub rewritten: Vec<String>,
    /// Warnings about the formula.
    pub warnings: Vec<Diagnostic>,
}
