//! Lowering of metrics to definitions.

use super::registry::Namespace;
use super::{ExampleDefinition, FormulaSource, MetricDefinition, SchemaLowering};
use crate::file::syntax::{KeyedSyntax, MetricSyntax};
use crate::format::FormatRules;

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
