//! The engine's side of states: what formulas need, and cells from rows.

use super::{Engine, Formula};
use crate::data::Data;
use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::evaluate::Context;
use crate::source::Span;
use crate::sql::Database;
use crate::states::{Cells, Definitions, KeyNumbers, Keying, Reading, StateOptions};

impl<'a> Reading<'a> {
    /// The same with other states behind it, which are asked what these do not answer.
    #[must_use]
    pub fn or_states(self, reading: &'a Reading<'a>) -> Self {
        self.before(reading)
    }

    /// The same with a database behind it, which is asked what these states do not answer.
    #[must_use]
    pub fn or_store(self, database: &'a Database<'a>) -> Self {
        self.before(database)
    }
}

impl Engine {
    /// The states that answer these formulas; equal ones are there once, and what needs the rows
    /// is listed as a gap.
    ///
    /// The errors are dimensions that the schema does not have.
    pub fn states(
        &self,
        formulas: &[&Formula],
        options: &StateOptions,
    ) -> Result<Definitions, Vec<Diagnostic>> {
        let mut dimensions = Vec::with_capacity(options.dimensions.len());
        let mut findings = Vec::new();
        for name in &options.dimensions {
            match self.schema.dimension(name) {
                Some(found) => dimensions.push((found.name.clone(), found.columns.clone())),
                None => findings.push(self.unknown_dimension(name)),
            }
        }
        if !findings.is_empty() {
            return Err(findings);
        }
        let keying = Keying {
            granularity: options.granularity,
            approximate: options.approximate,
            dimensions,
        };
        let typed: Vec<_> = formulas.iter().map(|formula| &formula.checked.typed).collect();
        Ok(Definitions::derive(&self.schema, &self.typed_metrics(), &typed, keying))
    }

    fn unknown_dimension(&self, name: &str) -> Diagnostic {
        let message = format!("no dimension `{name}`");
        let finding = Diagnostic::new(Code::E420, Span::default(), message);
        let known = self.schema.dimensions.iter().map(|known| known.name.as_str());
        match nearest(name, known) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        }
    }

    /// The cells of all rows of the data: of a store, or of the rows that a change touches. Sets of
    /// keys hold the numbers that `numbers` gives them, as a [`Dictionary`](crate::states::Dictionary).
    ///
    /// The errors are limits on the work.
    pub fn fold_states(
        &self,
        definitions: &Definitions,
        data: &Data,
        numbers: &mut dyn KeyNumbers,
    ) -> Result<Cells, Vec<Diagnostic>> {
        let metrics = self.typed_metrics();
        let keys: Vec<&str> = self.metrics.iter().map(|metric| metric.key.as_str()).collect();
        let context = Context {
            schema: &self.schema,
            metrics: &metrics,
            keys: &keys,
            asked: &[],
            data: Some(data),
            rates: Some(&data.rates),
            record: None,
            limits: &self.limits,
            calendar: &self.schema.store.calendar,
            now: jiff::Timestamp::MAX,
            has_data_source: false,
        };
        definitions.fold(context, numbers)
    }
}
