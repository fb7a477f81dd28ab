//! The results of lowering besides the schema: metrics, and formulas with their places.

use crate::file::syntax::Located;
use crate::format::FormatRules;
use crate::schema::{FieldId, SourceId};
use crate::source::Span;
use crate::types::DeclaredType;

/// A formula's text with its place, so that findings about it can be shifted into its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormulaSource {
    /// The text, without comments before or after it.
    pub text: String,
    /// The file, as an index in [`Loaded::files`](crate::file::Loaded::files).
    pub file: usize,
    /// The span of the text in that file.
    pub span: Span,
}

impl FormulaSource {
    pub(super) fn new(file: usize, text: &Located<String>) -> Self {
        Self { text: text.value.clone(), file, span: text.span }
    }

    /// Converts a span in the formula to a span in the file.
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
    /// The name used in formulas, with its place in the formula's file.
    pub key: Located<String>,
    /// The display name.
    pub title: Option<String>,
    /// The text of the `///` lines.
    pub description: Option<String>,
    /// The formula.
    pub formula: FormulaSource,
    /// The declared type.
    pub data_type: Option<Located<DeclaredType>>,
    /// The display format of the values.
    pub format: FormatRules,
    /// The heading in lists.
    pub category: Option<String>,
    /// Hidden from lists; usable by name.
    pub unlisted: bool,
    /// Context records with their expected results.
    pub examples: Vec<ExampleDefinition>,
}

/// A context record with its expected result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleDefinition {
    /// The record as JSON text.
    pub context: FormulaSource,
    /// A constant, or `null (reason)`.
    pub expected: FormulaSource,
}
