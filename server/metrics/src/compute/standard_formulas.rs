//! The standard formulas, computed in any currency, whatever administrators define.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quotient::types::{Currency, Value};
use quotient::{Answer, Answers, Engine, Formula};

use super::store::EvaluationScope;
use super::{Caches, Question};
use crate::database::Tx;
use crate::registry::{LIMITS, findings, templates};
use crate::{CurrencyEngine, MetricError};

/// The engine for the standard formulas in each currency, created on first use; it depends on the program alone.
static ENGINES: Mutex<BTreeMap<&'static str, Arc<CurrencyEngine>>> = Mutex::new(BTreeMap::new());

pub(crate) fn engine_for(currency: Currency) -> Arc<CurrencyEngine> {
    let mut engines = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    let engine = engines.entry(currency.code()).or_insert_with(|| Arc::new(new_engine(currency)));
    Arc::clone(engine)
}

fn new_engine(currency: Currency) -> CurrencyEngine {
    let (engine, found) = Engine::from_loaded_with(&templates::loaded(currency), LIMITS);
    for (_, finding) in found.into_iter().filter(|(_, finding)| finding.is_error()) {
        tracing::error!(%finding.message, currency = currency.code(), "a standard formula is invalid");
    }
    CurrencyEngine::new(engine)
}

#[derive(Debug)]
pub(crate) struct StandardAnswers {
    answers: Answers,
    /// The index of the answers of each formula; none if the filters do not apply to it.
    places: Vec<Option<usize>>,
}

impl StandardAnswers {
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
        let scope =
            EvaluationScope { tx, engine, binding: &currency_engine.binding, caches: Some(caches) };
        let (answers, _) = scope.evaluate(&sound, question)?;
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

    pub(crate) fn buckets(&self) -> &[quotient::calendar::Period] {
        &self.answers.buckets
    }
}

fn logged(text: &str, found: &[quotient::diagnostics::Diagnostic]) {
    tracing::error!(formula = text, findings = findings::first(found), "a formula is invalid");
}

/// Returns the text of a group's key; none if it is null.
pub(crate) fn key(group: &[Value], index: usize) -> Option<&str> {
    match group.get(index) {
        Some(Value::Text(text)) => Some(text),
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests {
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
