//! What a formula file gives besides the schema: metrics, and formulas with their places.

use crate::file::syntax::Located;
use crate::format::FormatRules;
use crate::schema::{FieldId, SourceId};
use crate::source::Span;
use crate::types::DeclaredType;

/// A formula's text with its place, so that findings about it can be shifted into its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormulaSource {
    /// The text, without comments before or behind it.
    pub text: String,
    /// The file by its index in [`Loaded::files`](crate::file::Loaded::files).
    pub file: usize,
    /// Where the text stands in that file.
    pub span: Span,
}

impl FormulaSource {
    pub(super) fn new(file: usize, text: &Located<String>) -> Self {
        Self { text: text.value.clone(), file, span: text.span }
    }

    /// The place in the file of a place in the formula.
    pub fn place(&self, span: Span) -> Span {
        span.shifted(self.span.start)
    }
}

/// The formula of a computed column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComputedFormula {
    /// The source of the column.
    pub source: SourceId,
    /// The column.
    pub field: FieldId,
    /// Its formula.
    pub formula: FormulaSource,
}

/// A metric as a file declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricDefinition {
    /// The name formulas use, with its place in the formula's file.
    pub key: Located<String>,
    /// The name people read.
    pub title: Option<String>,
    /// What the `///` lines say.
    pub description: Option<String>,
    /// The formula.
    pub formula: FormulaSource,
    /// The type it says it has.
    pub data_type: Option<Located<DeclaredType>>,
    /// How its values are shown.
    pub format: FormatRules,
    /// Where lists put it.
    pub category: Option<String>,
    /// Left out where nobody asks for it by name.
    pub unlisted: bool,
    /// Contexts with the results they must give.
    pub examples: Vec<ExampleDefinition>,
}

/// A context record with the result it must give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleDefinition {
    /// The record as JSON text.
    pub context: FormulaSource,
    /// A constant, or `null (reason)`.
    pub expected: FormulaSource,
}
