//! Lowering: the items of all files become one schema, with names resolved to indices regardless of
//! order.
//!
//! All declarations are collected before the first name is resolved. An unresolved name is reported
//! once, at its use; everything that depends on it is omitted silently.

mod definitions;
mod metrics;
mod names;
mod paths;
mod registry;
mod sources;
mod store;

pub use definitions::{ComputedFormula, ExampleDefinition, FormulaSource, MetricDefinition};

use super::MAX_SOURCES;
use super::source_file::SourceFile;
use super::syntax::{Item, ItemKind, Located, SourceSyntax};
use crate::diagnostics::{Code, Diagnostic};
use crate::schema::Schema;
use registry::NameRegistry;

#[derive(Debug)]
pub(super) struct FileItems {
    pub(super) file: usize,
    pub(super) items: Vec<Item>,
}

/// The declarations of all files.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) schema: Schema,
    pub(super) metrics: Vec<MetricDefinition>,
    pub(super) rates: Option<String>,
    pub(super) conditions: Vec<FormulaSource>,
    pub(super) computed: Vec<ComputedFormula>,
    pub(super) findings: Vec<(usize, Diagnostic)>,
}

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
    registry: NameRegistry,
    calendar: store::CalendarSettings,
    sources: Vec<SourceDeclaration<'u>>,
    out: Declarations,
}

/// Resolves the names of all files.
pub(super) fn lower(units: &[FileItems], files: &[SourceFile]) -> Declarations {
    let mut lowering = SchemaLowering {
        files,
        registry: NameRegistry::default(),
        calendar: store::CalendarSettings::default(),
        sources: Vec::new(),
        out: Declarations::default(),
    };
    let items =
        || units.iter().flat_map(|unit| unit.items.iter().map(move |item| (unit.file, item)));
    for (file, item) in items() {
        match &item.kind {
            ItemKind::Store(settings) => lowering.settings(file, settings),
            ItemKind::Source(syntax) => {
                if lowering.declare(registry::Namespace::Rows, file, &syntax.name)
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
            let finding = Diagnostic::new(Code::E802, source.name.span, message);
            self.report(file, finding.help("leave out what no formula uses"));
        }
        within
    }

    /// Claims a name; if it is taken, reports its owner.
    fn declare(&mut self, space: registry::Namespace, file: usize, name: &Located<String>) -> bool {
        let outcome = self.registry.declare(space, file, name, self.files);
        outcome.map_err(|finding| self.report(file, finding)).is_ok()
    }
}
