//! Formulas over the store's rows, in the snapshot of a transaction.

use std::borrow::Cow;
use std::sync::Arc;

use quotient::diagnostics::{Code, Diagnostic};
use quotient::sql::{Binding, Database, Dialect};
use quotient::{Answers, Engine, Formula, Inputs};

use super::Question;
use crate::database::Tx;
use crate::metrics::library::Shelf;
use crate::metrics::queries::store::StoreRows;
use crate::metrics::{MetricError, findings};

/// What is asked for, by the key under which it is answered.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    /// A metric.
    Metric(String),
    /// A formula that is not saved.
    Formula {
        /// What it is called for now; no metric has this key.
        key: String,
        /// The formula.
        text: String,
    },
}

/// What formulas gave: each its answers, at the index of the formula in them, or why there are none.
#[derive(Debug)]
pub(crate) struct Computed {
    /// By formula, in the order they were asked for.
    pub(crate) outcomes: Vec<Result<(Arc<Answers>, usize), MetricError>>,
}

/// Computes formulas over the rows that the question speaks of. A formula that cannot be computed leaves the others as
/// they are.
pub(crate) fn compute(
    tx: &Tx<'_>,
    shelf: &Shelf,
    asked: &[Asked],
    question: &Question,
) -> Computed {
    let desk = shelf.desk(question.currency);
    let mut engine = Cow::Borrowed(&desk.engine);
    let mut keys = Vec::with_capacity(asked.len());
    for asked in asked {
        keys.push(match asked {
            Asked::Metric(key) => Ok(key),
            Asked::Formula { key, text } => engine.to_mut().define(key, text).map(|_warnings| key),
        });
    }
    let compiled = keys.into_iter().map(|key| key.and_then(|key| compiled(&engine, key, question)));
    let compiled: Vec<Result<Formula, Vec<Diagnostic>>> = compiled.collect();
    let sound: Vec<&Formula> =
        compiled.iter().filter_map(|formula| formula.as_ref().ok()).collect();
    let over = Over { tx, engine: &engine, binding: &desk.binding };
    let together = over.evaluated(&sound, question).map(Arc::new);
    let mut index = 0_usize;
    let outcomes = compiled
        .iter()
        .map(|formula| {
            let formula = match formula {
                Ok(formula) => formula,
                Err(findings) => return Err(MetricError::Formula(findings.clone())),
            };
            let own = index;
            index = index.saturating_add(1);
            match &together {
                Ok(answers) => Ok((Arc::clone(answers), own)),
                // One of them is refused; each by itself tells which.
                Err(_) => {
                    over.evaluated(&[formula], question).map(|answers| (Arc::new(answers), 0))
                }
            }
        })
        .collect();
    Computed { outcomes }
}

/// A metric, narrowed to the part of the store that is asked about.
fn compiled(engine: &Engine, key: &str, question: &Question) -> Result<Formula, Vec<Diagnostic>> {
    match question.filters.condition() {
        Some(condition) => engine.compile(&format!("({key} where {condition})")),
        None => engine.compile(key),
    }
}

/// Where formulas are computed.
struct Over<'a, 't> {
    tx: &'a Tx<'t>,
    engine: &'a Engine,
    binding: &'a Binding,
}

impl Over<'_, '_> {
    fn evaluated(
        &self,
        formulas: &[&Formula],
        question: &Question,
    ) -> Result<Answers, MetricError> {
        let rows = StoreRows(self.tx);
        let database = Database::new(&rows, Dialect::Sqlite, self.engine.schema())
            .with_binding(self.binding.clone());
        let answers = self.engine.evaluate(formulas, Inputs::store(&database), &question.request());
        answers.map_err(|refused| {
            if refused.iter().any(|finding| finding.code == Code::E505) {
                tracing::error!(
                    findings = findings::first(&refused),
                    "a metric's statement failed"
                );
            }
            MetricError::Formula(refused)
        })
    }
}
