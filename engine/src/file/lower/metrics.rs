//! Metrics, and formulas with their places.

use super::SchemaLowering;
use super::registry::Namespace;
use crate::file::syntax::{KeyedSyntax, Located, MetricSyntax};
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

impl SchemaLowering<'_> {
    pub(super) fn metric(
        &mut self,
        file: usize,
        metric: &MetricSyntax,
        description: Option<String>,
    ) {
        let mut free = self.declare(Namespace::Values, file, &metric.key);
        if let Some(title) = &metric.title {
            free &= self.declare(Namespace::Titles, file, title);
        }
        // The line reader has reported a missing formula.
        let Some(formula) = metric.formula.as_ref().filter(|_| free) else { return };
        self.out.metrics.push(MetricDefinition {
            key: metric.key.clone(),
            title: metric.title.as_ref().map(|title| title.value.clone()),
            description,
            formula: FormulaSource::new(file, formula),
            data_type: metric.data_type.clone(),
            format: format(&metric.formatting),
            category: metric.category.clone(),
            unlisted: metric.unlisted,
            examples: metric
                .examples
                .iter()
                .map(|example| ExampleDefinition {
                    context: FormulaSource::new(file, &example.context),
                    expected: FormulaSource::new(file, &example.expected),
                })
                .collect(),
        });
    }
}

fn format(properties: &[KeyedSyntax]) -> FormatRules {
    let mut format = FormatRules::default();
    for KeyedSyntax { key, value } in properties {
        let text = value.value.clone();
        match *key {
            "decimals" => format.decimals = text.parse().ok(),
            "prefix" => format.prefix = Some(text),
            "suffix" => format.suffix = Some(text),
            "null_text" => format.null_text = Some(text),
            _ => format.pattern = Some(text),
        }
    }
    format
}
