//! The standard formulas, computed in any currency, whatever administrators define.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quotient::calendar::Period;
use quotient::types::{Currency, Reason, Value};
use quotient::{Answer, Answers, Formula};

use super::question::Compare;
use super::range::ResolvedRange;
use super::{Caches, Granularity, Question, ValueView, store};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::registry::{LIMITS, findings, templates};
use crate::{CurrencyEngine, MetricError};

/// The engine for the standard formulas in each currency, created on first use; it depends on the program alone.
static ENGINES: Mutex<BTreeMap<&'static str, Arc<CurrencyEngine>>> = Mutex::new(BTreeMap::new());

pub(crate) fn engine_for(currency: Currency) -> Arc<CurrencyEngine> {
    let mut engines = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    let create = || {
        let engine = templates::engine(&templates::loaded(currency), LIMITS);
        Arc::new(CurrencyEngine::new(engine))
    };
    Arc::clone(engines.entry(currency.code()).or_insert_with(create))
}

#[derive(Debug)]
pub(crate) struct StandardAnswers {
    answers: Answers,
    /// The index of the answers of each formula; none if the filters do not apply to it.
    places: Vec<Option<usize>>,
}

/// The indexes of a row's bucket and group.
pub(crate) type RowIndex = (usize, usize);

impl StandardAnswers {
    /// Computes formulas over a range, by period and by dimensions.
    pub(crate) fn read(
        tx: &Tx<'_>,
        range: &ResolvedRange,
        formulas: &[&str],
        (granularity, group_by): (Granularity, &[&str]),
    ) -> Result<Self, MetricError> {
        let mut question = range.question(granularity, Compare::None);
        question.group_by = group_by.iter().map(|&name| name.to_owned()).collect();
        Self::compute(tx, formulas, &question, &range.caches)
    }

    /// Computes formulas over the whole range: the totals of values split by period or dimensions.
    pub(crate) fn whole(
        tx: &Tx<'_>,
        range: &ResolvedRange,
        formulas: &[&str],
    ) -> Result<Self, MetricError> {
        Self::read(tx, range, formulas, (Granularity::None, &[]))
    }

    /// Computes formulas over the rows of a question, all in one evaluation, with the caches.
    pub(crate) fn compute(
        tx: &Tx<'_>,
        formulas: &[&str],
        question: &Question,
        caches: &Caches,
    ) -> Result<Self, MetricError> {
        let currency_engine = engine_for(question.currency);
        let filter = question.filters.to_engine();
        let engine = &currency_engine.engine;
        let compile = |text: &&str| {
            let formula = engine.compiled(text).map_err(|found| logged(text, &found)).ok()?;
            match &filter {
                Some(filter) => engine.narrowed(&formula, filter).ok(),
                None => Some(formula),
            }
        };
        let compiled: Vec<Option<Arc<Formula>>> = formulas.iter().map(compile).collect();
        let (mut next, mut places) = (0_usize, Vec::with_capacity(formulas.len()));
        for formula in &compiled {
            places.push(formula.as_ref().map(|_| next));
            next = next.saturating_add(usize::from(formula.is_some()));
        }
        let sound: Vec<&Formula> = compiled.iter().flatten().map(Arc::as_ref).collect();
        let scope = (engine, &currency_engine.binding);
        let (answers, _) = store::evaluate(tx, scope, Some(caches), &sound, question)?;
        let answers = answers.map_err(|found| {
            tracing::error!(findings = findings::first(&found), "standard formulas were rejected");
            MetricError::Formula(found)
        })?;
        Ok(Self { answers, places })
    }

    /// Returns the answer of a formula, given by its index, for a bucket and a group.
    pub(crate) fn at(&self, formula: usize, bucket: usize, group: usize) -> Option<&Answer> {
        self.answers.get((*self.places.get(formula)?)?, bucket, group)
    }

    pub(crate) fn groups(&self) -> &[Vec<Value>] {
        &self.answers.groups
    }

    pub(crate) fn buckets(&self) -> &[Period] {
        &self.answers.buckets
    }

    /// Returns the rows: bucket by bucket, group by group.
    pub(crate) fn rows(&self) -> Vec<RowIndex> {
        let (buckets, groups) = (0..self.buckets().len(), self.groups().len());
        buckets.flat_map(|bucket| (0..groups).map(move |group| (bucket, group))).collect()
    }

    /// Returns the rows in descending order of a formula's value; those without a value come last.
    pub(crate) fn ranked(&self, formula: usize) -> Vec<RowIndex> {
        let mut rows = self.rows();
        rows.sort_by_cached_key(|row| {
            (Reverse(self.value(formula, *row).as_number()), self.key(*row).map(str::to_owned))
        });
        rows
    }

    /// Returns the text of a row's first dimension; none if it is null.
    pub(crate) fn key(&self, (_, group): RowIndex) -> Option<&str> {
        key(self.groups().get(group)?)
    }

    pub(crate) fn start(&self, (bucket, _): RowIndex) -> Option<Timestamp> {
        self.buckets().get(bucket).map(|period| period.start.into())
    }

    /// Returns whether a row's period is not over.
    pub(crate) fn is_partial(&self, (bucket, _): RowIndex) -> bool {
        self.buckets().get(bucket).is_some_and(|period| period.is_partial())
    }

    pub(crate) fn value(&self, formula: usize, (bucket, group): RowIndex) -> Value {
        let answer = self.at(formula, bucket, group);
        answer.map_or_else(|| Value::missing(Reason::NoRows), |answer| answer.value.clone())
    }

    pub(crate) fn view(&self, formula: usize, row: RowIndex) -> ValueView {
        ValueView::of(&self.value(formula, row))
    }

    /// Returns a formula's value over the whole range.
    pub(crate) fn total_value(&self, formula: usize) -> Value {
        self.value(formula, (0, 0))
    }

    pub(crate) fn total(&self, formula: usize) -> ValueView {
        self.view(formula, (0, 0))
    }
}

fn logged(text: &str, found: &[quotient::diagnostics::Diagnostic]) {
    tracing::error!(formula = text, findings = findings::first(found), "a formula is invalid");
}

/// Returns the text of a group's first dimension; none if it is null.
pub(crate) fn key(group: &[Value]) -> Option<&str> {
    if let Some(Value::Text(text)) = group.first() { Some(text) } else { None }
}

#[cfg(test)]
mod tests {
    use quotient::Engine;

    use super::*;

    #[test]
    fn every_standard_formula_checks_in_every_currency() {
        for code in ["GBP", "USD", "JPY", "KWD"] {
            let currency = Currency::from_code(code).expect("a currency");
            let (engine, found) = Engine::from_loaded(&templates::loaded(currency));
            assert!(!found.iter().any(|(_, finding)| finding.is_error()), "{code}: {found:#?}");
            assert_eq!(engine.schema().store.currency, currency);
        }
    }
}
