//! Lowering: the items of all files become one schema, with names resolved to indices regardless of
//! order.
//!
//! All declarations are collected before the first name is resolved. An unresolved name is reported
//! once, at its use; everything that depends on it is omitted silently.

mod metrics;
mod names;
mod paths;
mod registry;
mod sources;
mod store;

pub use metrics::{ComputedFormula, ExampleDefinition, FormulaSource, MetricDefinition};

use std::collections::BTreeMap;

use super::finding::misfit;
use super::syntax::{FileSyntax, ItemKind, SourceSyntax};
use super::{Loaded, MAX_SOURCES, SourceFile};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use registry::Namespace;

/// A source with the file that declares it.
#[derive(Debug, Clone, Copy)]
struct SourceDeclaration<'u> {
    file: usize,
    description: Option<&'u String>,
    syntax: &'u SourceSyntax,
}

/// The state of resolution: all source declarations, by their index in the schema.
#[derive(Debug)]
struct SchemaLowering<'u> {
    files: &'u [SourceFile],
    /// Every declared name with its first place.
    names: BTreeMap<(Namespace, String), (usize, Span)>,
    calendar: store::CalendarSettings,
    sources: Vec<SourceDeclaration<'u>>,
    out: Loaded,
}

/// Resolves the names of all files, each of which has its index in `files`.
pub(super) fn lower(parsed: &[(usize, FileSyntax)], files: &[SourceFile]) -> Loaded {
    let mut lowering = SchemaLowering {
        files,
        names: BTreeMap::new(),
        calendar: store::CalendarSettings::default(),
        sources: Vec::new(),
        out: Loaded::default(),
    };
    let items = || {
        parsed.iter().flat_map(|(file, syntax)| syntax.items.iter().map(move |item| (*file, item)))
    };
    for (file, item) in items() {
        match &item.kind {
            ItemKind::Store(settings) => lowering.settings(file, settings),
            ItemKind::Source(syntax) => {
                if lowering.declare(Namespace::Rows, file, &syntax.name)
                    && lowering.is_within_limits(file, syntax)
                {
                    let description = item.description.as_ref();
                    lowering.sources.push(SourceDeclaration { file, description, syntax });
                }
            }
            ItemKind::Use(_)
            | ItemKind::Population { .. }
            | ItemKind::Dimension { .. }
            | ItemKind::Placeholder { .. }
            | ItemKind::Input { .. }
            | ItemKind::Rates(_)
            | ItemKind::Metric(_) => {}
        }
    }
    lowering.finish_store();
    lowering.lower_sources();
    for (file, item) in items() {
        lowering.item(file, item);
    }
    lowering.out
}

impl SchemaLowering<'_> {
    fn report(&mut self, file: usize, finding: Diagnostic) {
        self.out.findings.push((file, finding));
    }

    /// Records the finding, or returns the value.
    fn keep<T>(&mut self, file: usize, outcome: paths::ResolveResult<T>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(Some(finding)) => {
                self.report(file, finding);
                None
            }
            Err(None) => None,
        }
    }

    /// Checks limits, since name lookup is a linear search.
    fn is_within_limits(&mut self, file: usize, source: &SourceSyntax) -> bool {
        let columns = source.fields.len().max(source.links.len());
        let within = self.sources.len() < MAX_SOURCES && columns <= MAX_SOURCES;
        if !within {
            let message = format!("more than {MAX_SOURCES} sources, columns or links");
            self.report(file, misfit(source.name.span, message, "leave out what no formula uses"));
        }
        within
    }
}
