//! Every metric of the platform store, over rows and over states.

use std::fmt::Write;

use quotient::calendar::TimeUnit;
use quotient::data::{Data, Rates};
use quotient::states::{Cells, Definitions, Dictionary, Granularity, Reading, StateOptions};
use quotient::types::Currency;
use quotient::{Answers, Engine, Formula, Inputs, Request};

use crate::stores::{data_at, engine, fixtures};

struct Store {
    engine: Engine,
    data: Data,
    metrics: Vec<(String, Formula)>,
}

fn store() -> Store {
    let engine = engine("stores/platform/kpis.metrics");
    let mut rates = Rates::new();
    let text = std::fs::read_to_string(fixtures().join("stores/platform/rates.csv"));
    for line in text.expect("rates").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [day, currency, rate] = cells[..] else { panic!("{line}") };
        let currency = Currency::from_code(currency).expect("a currency");
        rates
            .set(day.parse().expect("a day"), currency, rate.parse().expect("a rate"))
            .expect("> 0");
    }
    let data = data_at(&engine, rates);
    let keys: Vec<String> = engine.metrics().iter().map(|metric| metric.key.clone()).collect();
    let metrics = keys.into_iter().map(|key| {
        let formula = engine.compile(&key).unwrap_or_else(|found| panic!("{key}: {found:#?}"));
        (key, formula)
    });
    let metrics = metrics.collect();
    Store { engine, data, metrics }
}

impl Store {
    fn kept(&self, options: &StateOptions) -> (Definitions, Cells) {
        let formulas: Vec<&Formula> = self.metrics.iter().map(|(_, formula)| formula).collect();
        let definitions = self.engine.states(&formulas, options).expect("dimensions");
        let mut dictionary = Dictionary::new();
        let cells = self.engine.fold_states(&definitions, &self.data, &mut dictionary);
        (definitions, cells.expect("within limits"))
    }

    fn over_rows(&self, formula: &Formula, request: &Request) -> Answers {
        let answers = self.engine.evaluate(&[formula], Inputs::data(&self.data), request);
        answers.expect("answers over rows")
    }
}

fn shown(answers: &Answers) -> String {
    let mut out = String::new();
    for (bucket, period) in answers.buckets.iter().enumerate() {
        for (group, tuple) in answers.groups.iter().enumerate() {
            let answer = answers.get(0, bucket, group).expect("an answer");
            writeln!(out, "{period:?} {tuple:?} {:?} {}", answer.value, answer.formatted).ok();
        }
    }
    out
}

fn request(first: &str, last: &str) -> Request {
    let day = |text: &str| text.parse().expect("a day");
    Request { period: Some((day(first), day(last))), ..Request::default() }
}

#[test]
fn every_metric_has_the_same_answers_over_states_and_over_rows() {
    let store = store();
    let options =
        StateOptions::new(Granularity::Day).by("sales_channel").by("country").by("utm_source");
    let (definitions, cells) = store.kept(&options);
    let quarter = request("2026-01-01", "2026-03-31");
    let mut requests = vec![quarter.clone(), request("2026-03-01", "2026-03-31")];
    for by in [TimeUnit::Day, TimeUnit::Week, TimeUnit::Month] {
        requests.push(Request { by: Some(by), ..quarter.clone() });
    }
    let mut wrong = Vec::new();
    for (key, formula) in &store.metrics {
        for request in &requests {
            let rows = shown(&store.over_rows(formula, request));
            let reading = Reading::new(&definitions, &cells);
            let inputs = Inputs::data(&store.data).with_states(&reading);
            let states =
                shown(&store.engine.evaluate(&[formula], inputs, request).expect("answers"));
            if rows != states {
                wrong.push(format!("{key}\nrows {rows}\nstates {states}"));
            }
            let declined = reading.declined();
            println!("{key} {:?} {declined:?}", request.by);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
