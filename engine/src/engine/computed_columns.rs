//! Populations and computed columns: formulas that belong to the schema.

use super::Engine;
use crate::check::{Environment, Kind, Level, PopulationText, Typed, digest};
use crate::data::{Data, DataError};
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{ComputedColumn, Context, FillError, fill_computed};
use crate::schema::{FieldId, Schema, SourceId};
use crate::source::Span;
use crate::syntax::parse;
use crate::types::Type;

impl Engine {
    /// Checks the conditions of populations. Returns the findings with the index of the population.
    pub(super) fn read_populations(&mut self) -> Vec<(usize, Diagnostic)> {
        let mut findings = Vec::new();
        for (index, population) in self.schema.populations.iter().enumerate() {
            let text = population.condition.clone();
            let parsed = parse(&text, &self.limits);
            findings.extend(parsed.diagnostics.into_iter().map(|finding| (index, finding)));
            if let Some(expr) = &parsed.expr {
                let findings_before = findings.len();
                let env = Environment { findings_before, ..self.environment() };
                let report = env.check_row(expr, &text, population.source);
                let wrong = report.checked.as_ref().filter(|checked| checked.ty != Type::Bool);
                if wrong.is_some() {
                    let span = Span::new(0, text.len());
                    let message = "a population needs a condition";
                    findings.push((index, Diagnostic::new(Code::E322, span, message)));
                }
                findings.extend(report.findings.into_iter().map(|finding| (index, finding)));
            }
            self.library.populations.push(PopulationText {
                name: population.name.clone(),
                text,
                expr: parsed.expr,
            });
        }
        findings
    }

    /// Rechecks the formulas of the schema and drops everything cached under earlier names.
    pub(crate) fn names_changed(&mut self) {
        self.meaning = digest(&format!("{:?}", self.schema));
        self.forget_compiled();
        self.check_computed();
    }

    /// Checks computed columns and sorts them in order of dependency. Returns the findings by
    /// source and field.
    pub(crate) fn check_computed(&mut self) -> Vec<((SourceId, FieldId), Diagnostic)> {
        let mut findings = Vec::new();
        let mut checked = Vec::new();
        for (index, source) in self.schema.sources.iter().enumerate() {
            for (field_index, declared) in source.fields.iter().enumerate() {
                let Some(formula) = &declared.computed else { continue };
                let (source, field) = (SourceId(index), FieldId(field_index));
                let place = (source, field);
                let parsed = parse(formula, &self.limits);
                findings.extend(parsed.diagnostics.into_iter().map(|finding| (place, finding)));
                let Some(expr) = parsed.expr else { continue };
                let findings_before = findings.len();
                let env = Environment { findings_before, ..self.environment() };
                let report = env.check_row(&expr, formula, source);
                findings.extend(report.findings.into_iter().map(|finding| (place, finding)));
                let Some(found) = report.checked else { continue };
                let wanted = declared.data_type.to_type(self.schema.store.currency);
                if let Some(finding) = misfit(&found.ty, &wanted, &found.typed) {
                    findings.push((place, finding));
                    continue;
                }
                checked.push(ComputedColumn { source, field, typed: found.typed });
            }
        }
        let (ordered, circular) = in_order(&self.schema, checked);
        for column in circular {
            let span = Span::new(0, column.typed.text.len());
            let message = "computed columns use each other in a cycle";
            let finding = Diagnostic::new(Code::E601, span, message);
            findings.push(((column.source, column.field), finding));
        }
        self.computed = ordered;
        findings
    }

    /// Returns the context of work on rows outside of a request, whatever their date.
    pub(super) fn context_of_all_time<'a>(
        &'a self,
        metrics: &'a [Option<&'a Typed>],
        keys: &'a [&'a str],
        data: Option<&'a Data>,
    ) -> Context<'a> {
        Context {
            schema: &self.schema,
            metrics,
            keys,
            formulas: &[],
            data,
            rates: data.map(|data| &data.rates),
            record: None,
            limits: &self.limits,
            calendar: &self.schema.store.calendar,
            now: jiff::Timestamp::MAX,
            has_data_source: false,
        }
    }

    /// Fills the computed columns of linked tables, over all time.
    pub(super) fn fill_computed(&self, data: &mut Data) -> Result<(), DataError> {
        let metrics = self.typed_metrics();
        let keys = self.metric_keys();
        let context = self.context_of_all_time(&metrics, &keys, None);
        fill_computed(context, data, &self.computed).map_err(|error| match error {
            FillError::Data(error) => error,
            FillError::Findings(source, field, findings) => {
                let table = self.schema.source_at(source);
                let name = table.map_or("", |table| table.name.as_str());
                let field = table.and_then(|table| table.fields.get(field.0));
                let field = field.map_or("", |field| field.name.as_str());
                let first = findings.into_iter().next();
                let reason = first.map(|first| first.message).unwrap_or_default();
                DataError::Computation { column: format!("{name}.{field}"), reason }
            }
        })
    }
}

/// Compares the type of a computed column with the declared one.
fn misfit(found: &Type, wanted: &Type, typed: &Typed) -> Option<Diagnostic> {
    let present = typed.nodes.iter().find(|node| matches!(node.kind, Kind::Now | Kind::Today));
    if let Some(node) = present {
        let message = "a column is filled once, so it knows no present";
        let finding = Diagnostic::new(Code::E404, node.span, message);
        return Some(finding.help("use it in a formula instead"));
    }
    let fits = match (found, wanted) {
        (Type::Quantity(found), Type::Quantity(wanted)) => found.is_alike(wanted),
        (Type::Null, _) => true,
        (found, wanted) => found == wanted,
    };
    let span = Span::new(0, typed.text.len());
    let message = format!("the column is declared {wanted}, the formula gives {found}");
    (!fits).then(|| Diagnostic::new(Code::E323, span, message).help(format!("declare it {found}")))
}

/// Sorts columns so that each uses only earlier ones; the second list holds those on a cycle.
fn in_order(
    schema: &Schema,
    mut columns: Vec<ComputedColumn>,
) -> (Vec<ComputedColumn>, Vec<ComputedColumn>) {
    let mut ordered: Vec<ComputedColumn> = Vec::with_capacity(columns.len());
    loop {
        let waiting: Vec<(SourceId, FieldId)> =
            columns.iter().map(|column| (column.source, column.field)).collect();
        let ready = columns.iter().position(|column| {
            let used = used_columns(schema, &column.typed);
            !used.iter().any(|used| waiting.contains(used))
        });
        let Some(index) = ready else { return (ordered, columns) };
        ordered.push(columns.remove(index));
    }
}

fn used_columns(schema: &Schema, typed: &Typed) -> Vec<(SourceId, FieldId)> {
    let mut used = Vec::new();
    for node in &typed.nodes {
        match (&node.kind, node.level) {
            (Kind::Column(path), Level::Row(source)) => {
                let owner = schema.field_at(source, path).map(|(owner, _)| owner);
                used.extend(owner.map(|owner| (owner, path.field)));
            }
            (Kind::Atom(atom), _) => {
                if let Some(date) = &atom.date {
                    let owner = schema.field_at(atom.source, date).map(|(owner, _)| owner);
                    used.extend(owner.map(|owner| (owner, date.field)));
                }
            }
            _ => {}
        }
    }
    used
}
