//! A store with its metrics, its cells, and the same question to both.

use std::fmt::Write;

use quotient::data::Data;
use quotient::rollup::{
    Dictionary, RollupOptions, RollupReader, RollupSchema, RollupStore, Rollups,
};
use quotient::{Answers, Engine, Formula, Inputs, Request};

use crate::pages::rates::rates;
use crate::stores::{data_at, loaded};

/// An engine, its rows, and formulas by name.
pub(crate) struct Store {
    pub(crate) engine: Engine,
    pub(crate) data: Data,
    pub(crate) formulas: Vec<(String, Formula)>,
}

/// The platform store with all its metrics.
pub(crate) fn platform() -> Store {
    let loaded = loaded("stores/platform/kpis.metrics");
    let (engine, _) = Engine::from_loaded(&loaded);
    let data = data_at(&engine, rates(&loaded));
    let keys: Vec<String> = engine.metrics().iter().map(|metric| metric.key.clone()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    Store::new(engine, data, &keys)
}

/// A request over whole days, both included.
pub(crate) fn days(first: &str, last: &str) -> Request {
    let day = |text: &str| text.parse().expect("a day");
    Request { period: Some((day(first), day(last))), ..Request::default() }
}

impl Store {
    pub(crate) fn new(engine: Engine, data: Data, formulas: &[&str]) -> Self {
        let compiled = formulas.iter().map(|text| {
            let formula = engine.compile(text);
            ((*text).to_owned(), formula.unwrap_or_else(|found| panic!("{text}: {found:#?}")))
        });
        let formulas = compiled.collect();
        Self { engine, data, formulas }
    }

    pub(crate) fn formulas(&self) -> Vec<&Formula> {
        self.formulas.iter().map(|(_, formula)| formula).collect()
    }

    pub(crate) fn definitions(&self, options: &RollupOptions) -> RollupSchema {
        self.engine.rollup_schema(&self.formulas(), options).expect("dimensions")
    }

    pub(crate) fn fold(&self, definitions: &RollupSchema) -> Rollups {
        let cells = self.engine.fold_rollups(definitions, &self.data, &mut Dictionary::new());
        cells.expect("within limits")
    }

    /// The differences of a request over states and over rows, by formula; and the number of
    /// formulas that needed the rows.
    pub(crate) fn differences(
        &self,
        (definitions, cells): (&RollupSchema, &dyn RollupStore),
        request: &Request,
    ) -> (Vec<String>, usize) {
        let mut wrong = Vec::new();
        let mut by_rows = 0;
        for (name, formula) in &self.formulas {
            let over = |inputs| self.engine.evaluate(&[formula], inputs, request);
            let reading = RollupReader::new(definitions, cells);
            let rows = over(Inputs::data(&self.data));
            let states = over(Inputs::data(&self.data).with_rollups(&reading));
            let (rows, states) = (outcome(rows), outcome(states));
            by_rows += usize::from(!reading.declined().is_empty());
            if rows != states {
                wrong.push(format!("{name} {request:?}\nrows:\n{rows}\nstates:\n{states}"));
            }
        }
        (wrong, by_rows)
    }
}

fn outcome(answers: Result<Answers, Vec<quotient::diagnostics::Diagnostic>>) -> String {
    answers.map_or_else(|found| format!("{found:?}"), |answers| formatted(&answers))
}

/// Every answer with all its digits.
pub(crate) fn formatted(answers: &Answers) -> String {
    let mut out = String::new();
    for (bucket, period) in answers.buckets.iter().enumerate() {
        for (group, tuple) in answers.groups.iter().enumerate() {
            for formula in 0.. {
                let Some(answer) = answers.get(formula, bucket, group) else { break };
                let start = period.start;
                let (value, before) = (&answer.value, &answer.previous);
                writeln!(out, "{start} {tuple:?} {value:?} {} {before:?}", answer.formatted).ok();
            }
        }
    }
    out
}
