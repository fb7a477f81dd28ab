//! Renaming in every formula of an engine.

use super::meaning::{CheckedText, FormulaLevel, NameChange, meaning, read};
use super::occurrences::{choices, edits, occurrences};
use super::{FormulaSite, RenameError, RenameOutcome, accepted};
use crate::check::{MetricId, State};
use crate::diagnostics::{Edit, edited};
use crate::engine::Engine;
use crate::schema::{FieldId, SourceId, same_name};
use crate::syntax::reads_bare;

impl Engine {
    /// Renames something in this engine: a metric, placeholder, input, source, population or
    /// dimension by its name, a field or link as `source.name`.
    ///
    /// # Errors
    /// Names that do not exist, are taken or are not valid; and formulas whose meaning would
    /// change.
    pub fn rename(&self, from: &str, to: &str) -> Result<RenameOutcome, RenameError> {
        let target = accepted(self, from, to)?;
        let name = target.name(self).unwrap_or_default();
        let names = NameChange { from: &name, to };
        let mut engine = self.clone();
        target.declare(&mut engine, to);
        let mut formulas = Vec::new();
        for index in 0..self.schema.populations.len() {
            formulas.extend(self.population(&mut engine, index, names)?);
        }
        for (source, field) in self.computed_columns() {
            formulas.extend(self.column(&mut engine, source, field, names)?);
        }
        engine.names_changed();
        // A metric's dependencies have less nesting than itself and come before it.
        let nesting = |index: &usize| {
            self.library.checked(MetricId(*index)).map_or(0, |checked| checked.nesting)
        };
        let mut order: Vec<usize> = (0..self.metrics.len()).collect();
        order.sort_by_key(nesting);
        for index in order {
            formulas.extend(self.metric_under(&mut engine, index, names)?);
        }
        Ok(RenameOutcome { engine, formulas })
    }

    /// Returns the edits that rename a `let` of a formula.
    ///
    /// # Errors
    /// As for [`Engine::rename`].
    pub fn rename_let(&self, text: &str, from: &str, to: &str) -> Result<Vec<Edit>, RenameError> {
        if !reads_bare(to) {
            return Err(RenameError::NotAName(to.to_owned()));
        }
        let unknown = || RenameError::Unknown(from.to_owned());
        let old = read(self, text, FormulaLevel::Whole).ok_or_else(unknown)?;
        let mut lets = old.expr.lets.iter();
        let own = lets.find(|own| same_name(&own.name.name, from));
        let declared = own.ok_or_else(unknown)?.name.span;
        if old.expr.lets.iter().any(|own| same_name(&own.name.name, to)) {
            return Err(RenameError::Taken { name: to.to_owned(), what: "a let" });
        }
        let names = NameChange { from, to };
        let wanted = meaning(&old.checked, names);
        let places = occurrences(text, from, self.limits());
        for chosen in choices(&places) {
            let edits = edits(text, &chosen, to);
            let after = read(self, &edited(text, &edits), FormulaLevel::Whole);
            let is_same = after.is_some_and(|after| meaning(&after.checked, names) == wanted);
            if chosen.contains(&declared) && is_same {
                return Ok(edits);
            }
        }
        Err(RenameError::Unclear { place: "the formula".to_owned() })
    }

    fn computed_columns(&self) -> Vec<(SourceId, FieldId)> {
        let sources = self.schema.sources.iter().enumerate();
        sources
            .flat_map(|(source, table)| {
                let fields = table.fields.iter().enumerate();
                let computed = fields.filter(|(_, field)| field.computed.is_some());
                computed.map(move |(field, _)| (SourceId(source), FieldId(field)))
            })
            .collect()
    }

    fn population(
        &self,
        engine: &mut Self,
        index: usize,
        names: NameChange<'_>,
    ) -> Result<Option<(FormulaSite, Vec<Edit>)>, RenameError> {
        let Some(population) = self.schema.populations.get(index) else { return Ok(None) };
        let place = FormulaLevel::Row(population.source);
        let words = format!("the population {}", population.name);
        let found = self.under(engine, (&population.condition, place), names, words)?;
        let Some((text, edits, now)) = found else { return Ok(None) };
        if let Some(own) = engine.schema.populations.get_mut(index) {
            own.condition.clone_from(&text);
        }
        if let Some(standing) = engine.library.populations.get_mut(index) {
            standing.text = text;
            standing.expr = Some(now.expr);
        }
        Ok((!edits.is_empty()).then_some((FormulaSite::Population(index), edits)))
    }

    fn column(
        &self,
        engine: &mut Self,
        source: SourceId,
        field: FieldId,
        names: NameChange<'_>,
    ) -> Result<Option<(FormulaSite, Vec<Edit>)>, RenameError> {
        let column = |engine: &Self| {
            let column = engine.schema.source_at(source)?.fields.get(field.0)?;
            Some((column.name.clone(), column.computed.clone()?))
        };
        let Some((name, formula)) = column(self) else { return Ok(None) };
        let words = format!("the column {name}");
        let found = self.under(engine, (&formula, FormulaLevel::Row(source)), names, words)?;
        let Some((text, edits, _)) = found else { return Ok(None) };
        let table = engine.schema.sources.get_mut(source.0);
        let own = table.and_then(|table| table.fields.get_mut(field.0));
        if let Some(formula) = own.and_then(|own| own.computed.as_mut()) {
            *formula = text;
        }
        Ok((!edits.is_empty()).then_some((FormulaSite::Column(source, field), edits)))
    }

    fn metric_under(
        &self,
        engine: &mut Self,
        index: usize,
        names: NameChange<'_>,
    ) -> Result<Option<(FormulaSite, Vec<Edit>)>, RenameError> {
        let Some(metric) = self.metrics.get(index) else { return Ok(None) };
        // A metric that does not check has no meaning to preserve.
        if self.library.checked(MetricId(index)).is_none() {
            return Ok(None);
        }
        let words = format!("the metric {}", metric.key);
        let found = self.under(engine, (&metric.formula, FormulaLevel::Whole), names, words)?;
        let Some((text, edits, now)) = found else { return Ok(None) };
        if let Some(own) = engine.metrics.get_mut(index) {
            own.formula.clone_from(&text);
        }
        if let Some(entry) = engine.library.entries.get_mut(index) {
            entry.text = text;
            entry.expr = Some(now.expr);
            entry.state = State::Ready(Box::new(now.checked));
        }
        Ok((!edits.is_empty()).then_some((FormulaSite::Metric(index), edits)))
    }

    /// Returns the text of a formula that keeps its meaning under the new name; `None` for a
    /// formula that does not check.
    fn under(
        &self,
        engine: &Self,
        (text, place): (&str, FormulaLevel),
        names: NameChange<'_>,
        words: String,
    ) -> Result<Option<(String, Vec<Edit>, CheckedText)>, RenameError> {
        let Some(old) = read(self, text, place) else { return Ok(None) };
        let wanted = meaning(&old.checked, names);
        for chosen in choices(&occurrences(text, names.from, self.limits())) {
            let edits = edits(text, &chosen, names.to);
            let changed = edited(text, &edits);
            let Some(now) = read(engine, &changed, place) else { continue };
            if meaning(&now.checked, names) == wanted {
                return Ok(Some((changed, edits, now)));
            }
        }
        Err(RenameError::Unclear { place: words })
    }
}
