//! Computes formulas over the store's rows, in the snapshot of a transaction.

use std::borrow::Cow;
use std::sync::Arc;

use quotient::diagnostics::{Code, Diagnostic};
use quotient::sql::{Binding, Database, Dialect};
use quotient::{Answers, Engine, Formula};

use super::Question;
use super::cache::Caches;
use super::cost::check_keys;
use super::queries;
use super::usable::check_uses;
use crate::MetricError;
use crate::database::{Error, Tx, check_awaited};
use crate::registry::schema::tables;
use crate::registry::{CurrencyEngine, RegistrySnapshot, findings};
use crate::rollups::{StoreRows, StoredRollups};

/// A metric or an unsaved formula, with the key of its result.
#[derive(Debug, Clone)]
pub(crate) enum ComputeItem {
    Metric(String),
    Formula {
        /// A temporary key that no metric has.
        key: String,
        text: String,
    },
}

impl ComputeItem {
    /// Returns the formula, which may be a metric's key.
    pub(super) fn formula(&self) -> &str {
        match self {
            Self::Metric(key) => key,
            Self::Formula { text, .. } => text,
        }
    }
}

/// The answers of each formula with its index in them, or its error.
#[derive(Debug)]
pub(crate) struct ComputedItems {
    pub(crate) outcomes: Vec<Result<(Arc<Answers>, usize), MetricError>>,
    /// The version of the rows that each formula reads; 0 if it does not compile or there is no cache.
    pub versions: Vec<i64>,
    /// Whether some formula or the filter can later have another answer, although the range has
    /// ended.
    pub knows_present: bool,
    /// Whether no SQL statement had to run.
    pub is_cached: bool,
}

/// Computes formulas over the rows of a question; one that fails does not affect the others. What is computed for each
/// key counts with the cost of `whole`, the query of which this one is a part, so that no part of a query is computed if
/// another one is rejected.
pub(crate) fn compute(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    items: &[ComputeItem],
    (question, whole): (&Question, &Question),
    caches: Option<&Caches>,
) -> Result<ComputedItems, MetricError> {
    let versions = caches.map(|_| queries::data_versions(tx)).transpose()?;
    let currency_engine = snapshot.engine_for(question.currency);
    let mut engine = Cow::Borrowed(&currency_engine.engine);
    let mut keys = Vec::with_capacity(items.len());
    for item in items {
        keys.push(match item {
            ComputeItem::Metric(key) => Ok(key),
            ComputeItem::Formula { key, text } => {
                let refused = |findings| currency_engine.refusal(text, findings).about(text);
                let formula = engine.compiled(text).map_err(refused);
                formula.and_then(|formula| {
                    // An unsaved formula is itself a draft.
                    check_uses(snapshot, &formula, true)?;
                    engine.to_mut().define(key, text).map(|_warnings| key).map_err(refused)
                })
            }
        });
    }
    let compile = |key: &String| {
        let formula = compile_item(&currency_engine, &engine, key, question)?;
        check_keys(tx, &engine, &formula, whole)?;
        Ok(formula)
    };
    let compiled = keys.into_iter().map(|key| key.and_then(compile));
    let compiled: Vec<Result<Arc<Formula>, MetricError>> = compiled.collect();
    let sound: Vec<&Formula> = compiled.iter().flatten().map(Arc::as_ref).collect();
    let mut statements = 0_usize;
    let mut answer = |formulas: &[&Formula]| {
        check_awaited()?;
        let scope = (&*engine, &currency_engine.binding);
        let (answers, ran) = evaluate(tx, scope, caches, formulas, question)?;
        statements = statements.saturating_add(ran);
        answers.map_err(refused)
    };
    let together = answer(&sound).map(Arc::new);
    let version = |formula: &Result<Arc<Formula>, _>| {
        let Some((versions, formula)) = versions.as_ref().zip(formula.as_ref().ok()) else {
            return 0;
        };
        // Each write raises one of the versions and lowers none, so the sum differs for every state.
        let read = tables::tables(engine.schema(), &[formula]);
        read.iter().filter_map(|table| versions.get(*table)).copied().fold(0, i64::saturating_add)
    };
    let versions = compiled.iter().map(version).collect();
    let knows_present = sound.iter().any(|formula| formula.knows_present());
    let mut index = 0_usize;
    let mut outcomes = Vec::with_capacity(compiled.len());
    for formula in compiled {
        let own = index;
        outcomes.push(formula.and_then(|formula| {
            index = index.saturating_add(1);
            match &together {
                Ok(answers) => Ok((Arc::clone(answers), own)),
                // At least one fails; evaluating each separately shows which.
                Err(_) => answer(&[&formula]).map(|answers| (Arc::new(answers), 0)),
            }
        }));
    }
    Ok(ComputedItems { outcomes, versions, knows_present, is_cached: statements == 0 })
}

/// Compiles a metric, restricted to the filters of the question, in the engine of its currency or in a copy of that with
/// unsaved formulas.
pub(super) fn compile_item(
    currency_engine: &CurrencyEngine,
    engine: &Engine,
    key: &str,
    question: &Question,
) -> Result<Arc<Formula>, MetricError> {
    let compiled = engine.compiled(key).and_then(|formula| match question.filters.to_engine() {
        Some(filter) => engine.narrowed(&formula, &filter),
        None => Ok(formula),
    });
    compiled.map_err(|findings| currency_engine.refusal(key, findings))
}

/// The engine's answers, or its findings.
pub(super) type EvaluationResult = Result<Answers, Vec<Diagnostic>>;

/// Evaluates formulas over rollups and rows, optionally with caches; also returns the number of statements that ran.
pub(super) fn evaluate(
    tx: &Tx<'_>,
    (engine, binding): (&Engine, &Binding),
    caches: Option<&Caches>,
    formulas: &[&Formula],
    question: &Question,
) -> Result<(EvaluationResult, usize), Error> {
    let rows = StoreRows(tx);
    let plain = database(&rows, engine, binding);
    let (database, readers) = match caches {
        Some(caches) => caches.before(tx, plain)?,
        None => (plain, None),
    };
    let (cache, prefix_sums) = readers.unzip();
    let rollups = StoredRollups::read(tx, question.currency, prefix_sums)?;
    let answers = rollups.before(&database, |inputs| {
        let inputs = cache.map_or(inputs, |cache| inputs.cached(cache));
        engine.evaluate(formulas, inputs, &question.request())
    });
    let ran = database.take_ran().len().saturating_add(rollups.load_count());
    Ok((answers, ran))
}

pub(super) fn database<'d>(
    rows: &'d StoreRows<'_, '_>,
    engine: &Engine,
    binding: &Binding,
) -> Database<'d> {
    Database::new(rows, Dialect::Sqlite, engine.schema()).with_binding(binding.clone())
}

/// Converts the engine's findings to an error; a failed statement is logged too.
pub(super) fn refused(findings: Vec<Diagnostic>) -> MetricError {
    if findings.iter().any(|finding| finding.code == Code::E505) {
        tracing::error!(findings = findings::first(&findings), "a metric's statement failed");
    }
    MetricError::Formula(findings)
}
