//! The stored data of a metric.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::diagnostics::Diagnostic;
use crate::format::FormatRules;
use crate::plan::Hash;
use crate::source::Span;
use crate::types::DeclaredType;

/// The permanent id of a metric, independent of its key and never reused within a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MetricId(pub u64);

/// The definition of a metric by its authors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The name used in formulas.
    pub key: String,
    /// The display name; formulas may use it in brackets.
    pub title: Option<String>,
    /// The meaning of the metric, in prose.
    pub description: Option<String>,
    /// The heading in lists.
    pub category: Option<String>,
    /// Hidden from lists; usable by name.
    pub unlisted: bool,
    /// The formula as written.
    pub formula: String,
    /// The declared type.
    pub data_type: Option<DeclaredType>,
    /// The display format of the values.
    pub format: FormatRules,
}

impl Definition {
    /// Creates a definition from a key and a formula.
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

/// A context record as JSON text, with the expected constant or `null (reason)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The record.
    pub context: String,
    /// The expected result of the formula.
    pub expected: String,
}

/// The release state of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// In development.
    Draft,
    /// In use.
    Active,
    /// In use, but to be replaced.
    Deprecated,
    /// No longer in use.
    Archived,
}

impl State {
    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Archived => "archived",
        }
    }

    /// Returns whether the metric is in use: active or deprecated.
    pub const fn is_in_use(self) -> bool {
        matches!(self, Self::Active | Self::Deprecated)
    }

    /// Returns whether the transition to the other state is allowed.
    pub const fn leads_to(self, next: Self) -> bool {
        match self {
            Self::Draft => matches!(next, Self::Active | Self::Archived),
            Self::Active => matches!(next, Self::Deprecated | Self::Archived),
            Self::Deprecated => matches!(next, Self::Active | Self::Archived),
            Self::Archived => matches!(next, Self::Draft),
        }
    }
}

/// The author, time and reason of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// The author.
    pub author: String,
    /// The time.
    pub at: Timestamp,
    /// The reason.
    pub note: Option<String>,
}

impl Signed {
    /// A signature without a note.
    pub fn new(author: &str, at: Timestamp) -> Self {
        Self { author: author.to_owned(), at, note: None }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(&self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self.clone() }
    }
}

/// A place where a formula names a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The metric.
    pub metric: MetricId,
    /// The offset of the first byte of its name in the text.
    pub start: u32,
    /// The offset past the last byte.
    pub end: u32,
}

impl Reference {
    pub(super) const fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

/// An immutable version of a metric's definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The number of the version, from 1.
    pub number: u32,
    /// The whole definition.
    pub definition: Definition,
    /// The formula in its canonical spelling.
    pub canonical: String,
    /// The hash of the formula's syntax tree.
    pub hash: Hash,
    /// The inferred type.
    pub ty: String,
    /// The inputs and placeholders of the formula and of its metrics.
    pub inputs: Vec<String>,
    /// The places where the formula names other metrics.
    pub references: Vec<Reference>,
    /// The author, time and reason.
    pub signed: Signed,
    /// The earlier version that a rollback restored.
    pub restored_from: Option<u32>,
}

/// A metric with its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredMetric {
    /// The permanent id.
    pub id: MetricId,
    /// The definition. Its formula is the text as last written, which may differ from that of the
    /// last version in blanks, comments and case.
    pub definition: Definition,
    /// The release state.
    pub state: State,
    /// Whether the metric was removed; its key stays reserved and its versions are kept.
    pub removed: bool,
    /// Context records with the results required before activation.
    pub examples: Vec<Example>,
    /// Every version, oldest first. Versions are immutable, so copies of the registry share them.
    pub versions: Vec<Arc<Version>>,
}

impl RegisteredMetric {
    /// Returns the last version.
    pub fn version(&self) -> Option<&Version> {
        self.versions.last().map(Arc::as_ref)
    }
}

/// The result of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The metric.
    pub id: MetricId,
    /// The number of the new version; `None` if only the spelling changed.
    pub version: Option<u32>,
    /// Keys of the other metrics whose formulas were rewritten.
    pub rewritten: Vec<String>,
    /// Warnings about the formula.
    pub warnings: Vec<Diagnostic>,
}
