//! Metrics defined by a program, and tables from records.

use std::sync::Arc;

use super::evaluation::refused;
use super::request::Inputs;
use super::{Engine, Metric};
use crate::data::{Data, record_tables};
use crate::diagnostics::{Code, Diagnostic};
use crate::format::FormatRules;

impl Engine {
    /// Adds a metric under a key. The metric may use metrics defined before it.
    ///
    /// Returns the warnings. On error, returns all findings and adds nothing.
    pub fn define(&mut self, key: &str, formula: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let metric = self.library.find(key).map(|_| "a metric");
        if let Some(taken) = metric.or_else(|| self.reserved(key)) {
            let message = format!("`{key}` is {taken} already");
            return Err(refused(Code::E211, message, "choose another key"));
        }
        let validation = self.validate_as(formula, Some(key));
        if validation.formula.is_none() {
            return Err(validation.diagnostics);
        }
        self.add_metric(Metric {
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
        self.library.check_all(&self.schema, &self.limits);
        self.forget_compiled();
        Ok(validation.diagnostics)
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
        let misfit = |message: String| {
            refused(Code::E504, message, "rows are objects with the source's field names")
        };
        let tables = match inputs.record {
            Some(record) => record_tables(&self.schema, record)
                .map_err(|own| misfit(format!("`{}`: {}", own.name, own.message)))?,
            None => Vec::new(),
        };
        let rates = inputs.rates.cloned().unwrap_or_default();
        let mut data = crate::data::build(&self.schema, tables, rates)
            .map_err(|error| misfit(error.to_string()))?;
        self.fill_computed(&mut data).map_err(|error| misfit(error.to_string()))?;
        Ok(data)
    }
}
