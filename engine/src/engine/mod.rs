//! The façade: a schema with its metrics, which checks and computes formulas.
//!
//! Start at [`Engine`]. A program makes one from a formula file or a [`Schema`], compiles formulas
//! against it, and evaluates them over [`Data`], a [`Record`](crate::data::Record), or both.

mod answer;
mod breakdown;
mod columns;
mod compiled_formulas;
mod computed_columns;
mod declare;
mod definition;
mod evaluation;
#[cfg(feature = "json")]
mod examples;
mod filter;
mod formula;
mod group_order;
mod keyed_parts;
mod known_until;
mod loading;
mod own_functions;
mod planning;
mod pushdown;
#[cfg(feature = "json")]
mod record_check;
mod request;
mod request_keys;
mod revise;
mod rollup;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Answers, NullAt, Provenance};
pub use breakdown::{Breakdown, BreakdownRequest, RowKind, SortBy, SortKey};
pub(crate) use evaluation::Run;
#[cfg(feature = "json")]
pub use examples::{ExampleOutcome, ExampleReport};
pub use filter::Filter;
pub use formula::{Formula, Validation};
pub use keyed_parts::KeyedPart;
pub use own_functions::FunctionError;
pub use planning::SlotValues;
pub use request::{Comparison, Inputs, Request};
pub(crate) use revise::{Broken, Revision};

use std::sync::{Arc, OnceLock};

use crate::check::{Environment, Metrics, digest};
use crate::data::{Data, DataError, Rates, Table, TableBuilder};
use crate::diagnostics::{Diagnostic, Edit, Suggestion, in_order};
use crate::evaluate::ComputedColumn;
use crate::file::ExampleDefinition;
use crate::format::FormatRules;
use crate::schema::Schema;
use crate::syntax::{Limits, parse};
use crate::types::DeclaredType;

/// A schema with its metrics.
///
/// `Send` and `Sync`, without global state, clock, files or threads: each [`Request`] carries the
/// present, and rows come as [`Data`].
///
/// ```
/// use quotient::data::Record;
/// use quotient::schema::{Input, Schema};
/// use quotient::types::{CurrencyOf, Currency, Type, Unit};
/// use quotient::{Engine, Inputs, Request};
///
/// let money = Type::Quantity(Unit::money(CurrencyOf::Fixed(Currency::USD)));
/// let input = |name: &str, ty| Input { name: name.into(), description: None, ty };
/// let mut schema = Schema::default();
/// schema.inputs = vec![input("net_sales", money), input("orders", Type::Quantity(Unit::count("orders")))];
///
/// let engine = Engine::new(schema);
/// let aov = engine.compile("net_sales / orders").expect("a formula that checks");
/// let record = Record::new().with("net_sales", "1250.00").with("orders", 4);
///
/// let answers = engine.evaluate(&[&aov], Inputs::record(&record), &Request::default()).expect("inputs that fit");
/// assert_eq!(answers.first().expect("one answer").formatted, "$312.50");
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) schema: Schema,
    pub(crate) limits: Limits,
    pub(crate) library: Metrics,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) computed: Vec<ComputedColumn>,
    compiled: compiled_formulas::CompiledFormulas,
    /// The linked tables without rows, for evaluations over a database.
    no_rows: OnceLock<Arc<Data>>,
    /// A hash of the schema, without the limits.
    pub(crate) meaning: u128,
}

/// A metric as declared.
#[derive(Debug, Clone)]
pub struct Metric {
    /// The name used in formulas.
    pub key: String,
    /// The display name.
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
    /// Context records with their expected results.
    pub examples: Vec<ExampleDefinition>,
}

/// Limit: suggestions tried for one formula; further ones are not shown.
const MAX_CHECKED_SUGGESTIONS: usize = 4;

/// Limit: suggestions tried in sequence to see whether the first one helps.
const MAX_SUGGESTIONS_IN_TURN: usize = 3;

fn error_count(findings: &[Diagnostic]) -> usize {
    findings.iter().filter(|finding| finding.is_error()).count()
}

/// Replaces a suggestion, and its help line, by the result of later suggestions.
fn settle(finding: &mut Diagnostic, text: &str, mended: &str) {
    let Some(suggestion) = &finding.suggestion else { return };
    let ([edit], is_sole) = (suggestion.edits.as_slice(), suggestion.is_sole) else { return };
    let range = edit.span.range();
    let around = text.get(..range.start).zip(text.get(range.end..));
    let inner = around.and_then(|(head, tail)| mended.strip_prefix(head)?.strip_suffix(tail));
    let Some(inner) = inner.filter(|inner| *inner != edit.text) else { return };
    let (span, written) = (edit.span, edit.text.clone());
    if !written.is_empty() {
        finding.help = finding.help.take().map(|help| requoted(&help, &written, inner));
    }
    finding.suggestion = Some(Suggestion { is_sole, ..Suggestion::replace(span, inner) });
}

/// Replaces a text in a help line: where it is in backticks, otherwise where it is not part of a
/// word.
fn requoted(help: &str, written: &str, inner: &str) -> String {
    let quoted = format!("`{written}`");
    if help.contains(&quoted) {
        return help.replace(&quoted, &format!("`{inner}`"));
    }
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut out = String::with_capacity(help.len());
    let mut rest = help;
    while let Some((before, behind)) = rest.split_once(written) {
        out.push_str(before);
        let is_part = out.ends_with(is_of_word) && written.starts_with(is_of_word)
            || behind.starts_with(is_of_word) && written.ends_with(is_of_word);
        out.push_str(if is_part { written } else { inner });
        rest = behind;
    }
    out.push_str(rest);
    out
}

impl Engine {
    /// Creates an engine over a schema, without metrics.
    ///
    /// Omits conditions of populations and formulas of computed columns that do not check;
    /// [`Engine::from_loaded`] reports them.
    pub fn new(schema: Schema) -> Self {
        Self::with_limits(schema, Limits::DEFAULT)
    }

    /// Like [`Self::new`], with other limits.
    pub fn with_limits(schema: Schema, limits: Limits) -> Self {
        let mut engine = Self::unchecked(schema, limits, Metrics::default());
        engine.read_populations();
        engine.check_computed();
        engine
    }

    fn unchecked(schema: Schema, limits: Limits, library: Metrics) -> Self {
        Self {
            meaning: digest(&format!("{schema:?}")),
            schema,
            limits,
            library,
            metrics: Vec::new(),
            computed: Vec::new(),
            compiled: compiled_formulas::CompiledFormulas::default(),
            no_rows: OnceLock::new(),
        }
    }

    /// Returns the schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the limits on formulas and on their evaluation.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the metrics in order of declaration.
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// Returns the metric with this key or title.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        let id = self.library.find(name).or_else(|| self.library.titled(name))?;
        self.metrics.get(id.0)
    }

    pub(crate) fn environment(&self) -> Environment<'_> {
        Environment {
            schema: &self.schema,
            metrics: &self.library,
            limits: &self.limits,
            own_key: None,
            declared: None,
            findings_before: 0,
        }
    }

    /// Checks a formula. Returns all findings, and the formula if it has no errors.
    pub fn validate(&self, text: &str) -> Validation {
        self.validate_as(text, None)
    }

    /// Checks a formula to be saved under a key, so that its own name in it is a circular
    /// reference.
    pub fn validate_as(&self, text: &str, key: Option<&str>) -> Validation {
        let mut validation = self.checked_as(text, key);
        self.drop_wrong_suggestions(text, key, &mut validation.diagnostics);
        validation
    }

    /// Drops suggestions that do not lead to a formula with fewer errors, and the help lines that
    /// show them. The others become formulas that have fewer errors on their own.
    pub(super) fn drop_wrong_suggestions(
        &self,
        text: &str,
        key: Option<&str>,
        findings: &mut [Diagnostic],
    ) {
        let before = error_count(findings);
        let suggesting = findings.iter_mut().filter(|finding| finding.suggestion.is_some());
        for (index, finding) in suggesting.filter(|finding| finding.is_error()).enumerate() {
            let Some(suggestion) = &finding.suggestion else { continue };
            let is_checked = index < MAX_CHECKED_SUGGESTIONS;
            if is_checked && let Some(mended) = self.mended(suggestion.apply(text), key, before) {
                settle(finding, text, &mended);
                continue;
            }
            // A misspelt name is worth suggesting even if the right one would not fit here.
            let shows = |help: &String| {
                let is_shown = |edit: &Edit| edit.text.len() > 1 && help.contains(&edit.text);
                !help.starts_with("did you mean") && suggestion.edits.iter().any(is_shown)
                    || *help == suggestion.apply(text)
            };
            if is_checked && finding.help.as_ref().is_some_and(shows) {
                // The errors of the suggestion are also what to do next, unless it is not a formula at
                // all.
                let suggested = suggestion.apply(text);
                let wrong = parse(&suggested, &self.limits)
                    .ok()
                    .map(|_| self.checked_as(&suggested, key).diagnostics);
                let wrong = wrong.ok().into_iter().flatten().find(Diagnostic::is_error);
                finding.help = wrong.and_then(|own| own.help);
            }
            finding.suggestion = None;
        }
    }

    /// Returns a formula that has fewer errors, by itself or with its own suggestions: fixing one
    /// error may uncover another.
    fn mended(&self, mut text: String, key: Option<&str>, before: usize) -> Option<String> {
        for _ in 0..MAX_SUGGESTIONS_IN_TURN {
            let findings = self.checked_as(&text, key).diagnostics;
            let errors = error_count(&findings);
            // A text that cannot be read is no formula, even if fewer errors are reported.
            if errors == 0 || errors < before && parse(&text, &self.limits).expr.is_some() {
                return Some(text);
            }
            let next = findings.iter().find_map(|finding| finding.suggestion.as_ref())?;
            text = next.apply(&text);
        }
        None
    }

    fn checked_as(&self, text: &str, key: Option<&str>) -> Validation {
        let parsed = parse(text, &self.limits);
        let mut diagnostics = parsed.diagnostics;
        let Some(expr) = parsed.expr else { return Validation { diagnostics, formula: None } };
        let env = Environment { own_key: key, ..self.environment() };
        let report = env.check(&expr, text);
        diagnostics.extend(report.findings);
        let diagnostics = in_order(diagnostics);
        let refused = diagnostics.iter().any(Diagnostic::is_error);
        let checked = report.checked.filter(|_| !refused);
        let formula = checked.map(|checked| Formula::new(self, expr, checked));
        Validation { diagnostics, formula }
    }

    /// Compiles a formula. On error, returns all findings, warnings included.
    pub fn compile(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        let Validation { diagnostics, formula } = self.validate(text);
        formula.ok_or(diagnostics)
    }

    /// Creates a table builder for a source, with cells in the order of `header`.
    pub fn table(&self, source: &str, header: &[&str]) -> Result<TableBuilder, DataError> {
        let id = self
            .schema
            .source(source)
            .ok_or_else(|| DataError::UnknownSource(source.to_owned()))?;
        TableBuilder::new(&self.schema, id, header)
    }

    /// Links tables and fills computed columns. A source without a table has no rows.
    pub fn data(&self, tables: Vec<Table>, rates: Rates) -> Result<Data, DataError> {
        let mut data = crate::data::build(&self.schema, tables, rates)?;
        data.given.fill(true);
        data.is_store = true;
        self.fill_computed(&mut data)?;
        Ok(data)
    }
}
