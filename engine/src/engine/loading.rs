//! An engine from formula files, with every finding at its place in its file.

use super::{Engine, Metric};
use crate::check::{Entry, MetricId, Metrics, State};
use crate::diagnostics::{Code, Diagnostic, in_order_of_files};
use crate::file::{FormulaSource, Loaded, MAX_ALL_FINDINGS, MetricDefinition};
use crate::functions::FunctionSpec;
use crate::schema::Schema;
use crate::syntax::{Limits, parse};

/// Limit: metrics whose suggestions are tried.
const MAX_SUGGESTING: usize = 250;

impl Engine {
    /// Creates an engine from loaded formula files. Returns every finding in them, with the index of
    /// its file and its place there. Metrics that do not check are kept, without values.
    pub fn from_loaded(loaded: &Loaded) -> (Self, Vec<(usize, Diagnostic)>) {
        Self::from_loaded_with(loaded, Limits::DEFAULT)
    }

    /// Like [`Self::from_loaded`], with other limits.
    pub fn from_loaded_with(loaded: &Loaded, limits: Limits) -> (Self, Vec<(usize, Diagnostic)>) {
        Self::read(loaded, limits, Vec::new())
    }

    /// Creates an engine with the same metrics over another schema, such as that of another currency.
    /// Metrics that do not check in it are kept, without values. Returns the errors in them, each with
    /// the metric's key, those of a metric after those of the metrics that it uses.
    pub fn with_schema(&self, schema: Schema) -> (Self, Vec<(String, Diagnostic)>) {
        let library = Metrics::with_functions(self.library.functions.clone());
        let mut engine = Self::unchecked(schema, self.limits, library);
        engine.read_populations();
        for metric in &self.metrics {
            engine.add_metric(metric.clone());
        }
        let findings = engine.library.check_all(&engine.schema, &engine.limits);
        engine.check_computed();
        let key_of = |(id, finding): (MetricId, Diagnostic)| {
            Some((engine.metrics.get(id.0)?.key.clone(), finding))
        };
        let errors = findings.into_iter().filter(|(_, finding)| finding.is_error());
        let errors = errors.filter_map(key_of).collect();
        (engine, errors)
    }

    /// Creates an engine from loaded formula files, with functions of the program's own.
    pub(super) fn read(
        loaded: &Loaded,
        limits: Limits,
        functions: Vec<&'static FunctionSpec>,
    ) -> (Self, Vec<(usize, Diagnostic)>) {
        let library = Metrics::with_functions(functions);
        let mut engine = Self::unchecked(loaded.schema.clone(), limits, library);
        let mut findings = loaded.findings.clone();
        for (index, finding) in engine.read_populations() {
            findings.extend(loaded.conditions.get(index).map(|at| located(at, finding)));
        }
        let mut found: Vec<Vec<Diagnostic>> =
            loaded.metrics.iter().map(|definition| engine.add(definition)).collect();
        for (id, finding) in engine.library.check_all(&engine.schema, &limits) {
            if let Some(own) = found.get_mut(id.0) {
                own.push(finding);
            }
        }
        let mut suggesting = 0_usize;
        for (definition, mut own) in loaded.metrics.iter().zip(found) {
            if own.iter().any(|finding| finding.suggestion.is_some()) {
                suggesting = suggesting.saturating_add(1);
                engine.drop_suggestions_of(definition, suggesting, &mut own);
            }
            findings.extend(own.into_iter().map(|finding| located(&definition.formula, finding)));
        }
        for (definition, entry) in loaded.metrics.iter().zip(&engine.library.entries) {
            findings.extend(check_declared(definition, entry));
        }
        for ((source, field), finding) in engine.check_computed() {
            let place = loaded.computed.iter().find(|c| (c.source, c.field) == (source, field));
            findings.extend(place.map(|computed| located(&computed.formula, finding)));
        }
        (engine, in_order_of_files(findings, MAX_ALL_FINDINGS))
    }

    /// Drops suggestions that do not fix a metric's formula, and those too many to try.
    fn drop_suggestions_of(
        &self,
        definition: &MetricDefinition,
        suggesting: usize,
        findings: &mut [Diagnostic],
    ) {
        if suggesting > MAX_SUGGESTING {
            for finding in findings {
                finding.suggestion = None;
            }
            return;
        }
        let key = Some(definition.key.value.as_str());
        self.drop_wrong_suggestions(&definition.formula.text, key, findings);
    }

    /// Adds a metric without checking it, and returns the errors in its syntax.
    fn add(&mut self, definition: &MetricDefinition) -> Vec<Diagnostic> {
        self.add_metric(Metric {
            key: definition.key.value.clone(),
            title: definition.title.clone(),
            description: definition.description.clone(),
            category: definition.category.clone(),
            unlisted: definition.unlisted,
            formula: definition.formula.text.clone(),
            data_type: definition.data_type.as_ref().map(|declared| declared.value),
            format: definition.format.clone(),
            examples: definition.examples.clone(),
        })
    }

    /// Adds a metric without checking it, and returns the findings about its syntax.
    pub(super) fn add_metric(&mut self, metric: Metric) -> Vec<Diagnostic> {
        let (entry, findings) = self.entry(&metric);
        self.library.push(entry);
        self.metrics.push(metric);
        findings
    }

    /// Returns the unchecked entry of a metric in the library, and the findings about its syntax.
    pub(super) fn entry(&self, metric: &Metric) -> (Entry, Vec<Diagnostic>) {
        let parsed = parse(&metric.formula, &self.limits);
        let entry = Entry {
            key: metric.key.clone(),
            title: metric.title.clone(),
            text: metric.formula.clone(),
            refused: parsed.diagnostics.iter().any(Diagnostic::is_error),
            expr: parsed.expr,
            declared: metric.data_type,
            state: State::Unchecked,
        };
        (entry, parsed.diagnostics)
    }
}

/// Moves a finding to its place in its file.
pub(super) fn located(source: &FormulaSource, finding: Diagnostic) -> (usize, Diagnostic) {
    (source.file, finding.shifted(source.span.start))
}

/// E323: the declared type against the inferred one.
fn check_declared(definition: &MetricDefinition, entry: &Entry) -> Option<(usize, Diagnostic)> {
    let declared_type = definition.data_type.as_ref()?;
    let State::Ready(checked) = &entry.state else { return None };
    if declared_type.value.fits(&checked.ty) {
        return None;
    }
    let message = format!(
        "`{}` is declared {}, its formula gives {}",
        entry.key,
        declared_type.value.name(),
        checked.ty
    );
    let finding = Diagnostic::new(Code::E323, declared_type.span, message)
        .label(definition.formula.span, checked.ty.to_string())
        .help("change the declared type, or the formula");
    Some((definition.formula.file, finding))
}
