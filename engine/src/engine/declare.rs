//! Metrics defined by a program, and tables from records.

use std::sync::Arc;

use super::request::Inputs;
use super::{Engine, Metric};
use crate::check::{Entry, State};
use crate::data::{Data, record_tables};
use crate::diagnostics::{Code, Diagnostic};
use crate::format::FormatRules;
use crate::source::Span;
use crate::syntax::parse;

impl Engine {
    /// Adds a metric under a key. The metric may use metrics defined before it.
    ///
    /// Returns the warnings. On error, returns all findings and adds nothing.
    pub fn define(&mut self, key: &str, formula: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if let Some(taken) = self.taken(key) {
            let message = format!("`{key}` is {taken} already");
            return Err(vec![
                Diagnostic::new(Code::E211, Span::default(), message).help("choose another key"),
            ]);
        }
        let validation = self.validate_as(formula, Some(key));
        if validation.formula.is_none() {
            return Err(validation.diagnostics);
        }
        self.library.push(Entry {
            key: key.to_owned(),
            title: None,
            text: formula.to_owned(),
            expr: parse(formula, &self.limits).expr,
            refused: false,
            declared: None,
            state: State::Unchecked,
        });
        self.library.check_all(&self.schema, &self.limits);
        self.forget_compiled();
        self.metrics.push(Metric {
            key: key.to_owned(),
            title: None,
            description: None,
            category: None,
            unlisted: false,
            formula: formula.to_owned(),
            data_type: None,
            format: FormatRules::default(),
            examples: Vec::new(),
        });
        Ok(validation.diagnostics)
    }

    /// Returns the kind of thing that already has this key.
    fn taken(&self, key: &str) -> Option<&'static str> {
        if self.library.find(key).is_some() {
            return Some("a metric");
        }
        self.reserved(key)
    }

    /// Returns the data of an evaluation without rows in memory, built once.
    pub(crate) fn no_rows(&self) -> Result<Arc<Data>, Vec<Diagnostic>> {
        if let Some(built) = self.no_rows.get() {
            return Ok(Arc::clone(built));
        }
        let built = self.record_data(Inputs::default())?;
        Ok(Arc::clone(self.no_rows.get_or_init(|| Arc::new(built))))
    }

    /// Builds tables from the rows and columns of a record.
    pub(crate) fn record_data(&self, inputs: Inputs<'_>) -> Result<Data, Vec<Diagnostic>> {
        let refused = |message: String| {
            let help = "rows are objects with the source's field names";
            vec![Diagnostic::new(Code::E504, Span::default(), message).help(help)]
        };
        let tables = match inputs.record {
            Some(record) => record_tables(&self.schema, record)
                .map_err(|misfit| refused(format!("`{}`: {}", misfit.name, misfit.message)))?,
            None => Vec::new(),
        };
        let rates = inputs.rates.cloned().unwrap_or_default();
        let data = crate::data::build(&self.schema, tables, rates);
        let mut data = data.map_err(|error| refused(error.to_string()))?;
        self.fill_computed(&mut data).map_err(|error| refused(error.to_string()))?;
        Ok(data)
    }
}
