//! Rollups for the engine's formulas: their schema, and folding of rows.

use super::{Engine, Formula};
use crate::data::Data;
use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::rollup::{KeyNumbers, RollupLayout, RollupOptions, RollupReader, RollupSchema, Rollups};
use crate::source::Span;
use crate::sql::Database;

impl<'a> RollupReader<'a> {
    /// Adds other rollups, for the aggregates that these decline.
    #[must_use]
    pub fn or_rollups(self, reader: &'a RollupReader<'a>) -> Self {
        self.before(reader)
    }

    /// Adds a database, for the aggregates that these rollups decline.
    #[must_use]
    pub fn or_store(self, database: &'a Database<'a>) -> Self {
        self.before(database)
    }
}

impl Engine {
    /// Returns the rollups that answer these formulas. Formulas share equal rollups; an aggregate
    /// that needs the rows is a gap of the schema.
    ///
    /// The errors are unknown dimensions.
    pub fn rollup_schema(
        &self,
        formulas: &[&Formula],
        options: &RollupOptions,
    ) -> Result<RollupSchema, Vec<Diagnostic>> {
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
        let layout = RollupLayout {
            granularity: options.granularity,
            approximate: options.approximate,
            dimensions,
        };
        let typed: Vec<_> = formulas.iter().map(|formula| &formula.checked.typed).collect();
        Ok(RollupSchema::derive(&self.schema, &self.typed_metrics(), &typed, &layout))
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

    /// Folds all rows of the data into rollups: those of a whole store, or those affected by a
    /// change. `numbers` assigns numbers to the keys of sets, for example a
    /// [`Dictionary`](crate::rollup::Dictionary).
    ///
    /// The errors are exceeded limits.
    pub fn fold_rollups(
        &self,
        schema: &RollupSchema,
        data: &Data,
        numbers: &mut dyn KeyNumbers,
    ) -> Result<Rollups, Vec<Diagnostic>> {
        let metrics = self.typed_metrics();
        let keys = self.metric_keys();
        schema.fold(self.context_of_all_time(&metrics, &keys, Some(data)), numbers)
    }
}
