//! The façade: a schema with its metrics, ready to check formulas and to compute them.
//!
//! Start at [`Engine`]. A program makes one from a formula file or from a [`Schema`], compiles
//! formulas against it, and evaluates them over [`Data`], over a
//! [`Record`](crate::data::Record), or over both.

mod answer;
mod columns;
mod compiled;
mod computed;
mod declare;
mod definition;
mod evaluation;
#[cfg(feature = "json")]
mod examples;
mod formula;
mod loading;
mod planning;
mod pushing;
mod request;
mod revise;
mod rollup;
mod showing;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Answers, NullAt, Provenance};
pub(crate) use evaluation::Run;
#[cfg(feature = "json")]
pub use examples::{ExampleOutcome, ExampleReport};
pub use formula::{Formula, Validation};
pub use planning::SlotValues;
pub use request::{Comparison, Inputs, Request};
pub(crate) use revise::Revision;

use crate::check::{Environment, Metrics, digest};
use crate::data::{Data, DataError, Rates, Table, TableBuilder};
use crate::diagnostics::{Diagnostic, in_order};
use crate::file::ExampleDefinition;
use crate::format::FormatRules;
use crate::schema::Schema;
use crate::syntax::{Limits, parse};
use crate::types::DeclaredType;

/// A schema with its metrics.
///
/// `Send` and `Sync`, without global state, clock, files or threads: the present comes with each
/// [`Request`], rows come as [`Data`].
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
    pub(crate) computed: Vec<computed::ComputedColumn>,
    compiled: compiled::CompiledFormulas,
    /// Stands for the schema, limits aside.
    pub(crate) meaning: u128,
}

/// A metric as people declared it.
#[derive(Debug, Clone)]
pub struct Metric {
    /// The name formulas use.
    pub key: String,
    /// The name people read.
    pub title: Option<String>,
    /// What it means.
    pub description: Option<String>,
    /// Where lists put it.
    pub category: Option<String>,
    /// Left out where nobody asks for it by name.
    pub unlisted: bool,
    /// Its formula as written.
    pub formula: String,
    /// The type it was declared with.
    pub data_type: Option<DeclaredType>,
    /// How its values are shown.
    pub format: FormatRules,
    /// Context records with the results they must give.
    pub examples: Vec<ExampleDefinition>,
}

impl Engine {
    /// An engine over a schema, without metrics.
    ///
    /// Conditions of populations and formulas of computed columns that do not check are left out;
    /// [`Engine::from_loaded`] reports them.
    pub fn new(schema: Schema) -> Self {
        Self::with_limits(schema, Limits::DEFAULT)
    }

    /// The same with other limits.
    pub fn with_limits(schema: Schema, limits: Limits) -> Self {
        let mut engine = Self {
            meaning: digest(&format!("{schema:?}")),
            schema,
            limits,
            library: Metrics::default(),
            metrics: Vec::new(),
            computed: Vec::new(),
            compiled: compiled::CompiledFormulas::default(),
        };
        engine.read_populations();
        engine.check_computed();
        engine
    }

    /// What names mean.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The limits on formulas and on their evaluation.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The metrics in order of declaration.
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// The metric of that key or title.
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
        }
    }

    /// Checks a formula: everything found, and the formula itself if nothing refuses it.
    pub fn validate(&self, text: &str) -> Validation {
        self.validate_as(text, None)
    }

    /// Checks a formula as the one to be saved under a key: its own name in it is then a circle.
    pub fn validate_as(&self, text: &str, key: Option<&str>) -> Validation {
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

    /// Compiles a formula. The errors are all that refuse it, with the warnings beside them.
    pub fn compile(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        let Validation { diagnostics, formula } = self.validate(text);
        formula.ok_or(diagnostics)
    }

    /// A reader of rows for a source, with cells in the order of `header`.
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
