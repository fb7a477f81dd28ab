//! Thirteen months of a real shop: its 541,909 invoice lines loaded, every metric, single queries.
//!
//! Atoms of one request over the same rows share the selection, the values and the groups. Counted
//! by callgrind, all metrics at once take 0.75 · 10⁹ instructions, and by month 1.22 · 10⁹; where
//! each atom has its own scan it is 3.24 · 10⁹ and 3.95 · 10⁹. Half of the load is inflating and
//! splitting the files, which is the program's part and not the engine's.

use std::cmp::Reverse;
use std::hint::black_box;
use std::time::Duration;

use benches::Failure;
use benches::stores::{self, RETAIL, thirteen_months};
use criterion::Criterion;
use quotient::calendar::TimeUnit;
use quotient::data::Data;
use quotient::types::Value;
use quotient::{Answers, Engine, Formula, Inputs, Request};

/// The loaded shop.
struct Shop {
    engine: Engine,
    data: Data,
}

fn main() -> Result<(), Failure> {
    let mut criterion = benches::criterion().measurement_time(Duration::from_secs(3));
    let engine = stores::engine(RETAIL)?;
    let data = stores::rows(&engine)?;
    let shop = Shop { engine, data };
    criterion.bench_function("retail/load", |bencher| {
        bencher.iter(|| stores::rows(black_box(&shop.engine)).map_err(|error| error.to_string()));
    });
    report(&mut criterion, &shop)?;
    queries(&mut criterion, &shop)?;
    top_products(&mut criterion, &shop)?;
    criterion.final_summary();
    Ok(())
}

/// Measures every metric of the file at once.
fn report(criterion: &mut Criterion, shop: &Shop) -> Result<(), Failure> {
    let keys: Vec<&str> = shop.engine.metrics().iter().map(|metric| metric.key.as_str()).collect();
    let formulas = shop.formulas(&keys)?;
    for (name, by) in [("all metrics", None), ("all metrics by month", Some(TimeUnit::Month))] {
        let request = Request { by, ..thirteen_months() };
        shop.measure(criterion, name, &formulas, &request)?;
    }
    Ok(())
}

/// Measures the queries of a dashboard one by one, after the load.
fn queries(criterion: &mut Criterion, shop: &Shop) -> Result<(), Failure> {
    let by = |unit| Request { by: Some(unit), ..thirteen_months() };
    for (name, key, request) in [
        ("revenue", "gross_revenue", thirteen_months()),
        ("revenue by month", "gross_revenue", by(TimeUnit::Month)),
        ("revenue by day", "gross_revenue", by(TimeUnit::Day)),
        ("revenue by country", "gross_revenue", grouped("country")),
        ("median order value", "median_order_value", thirteen_months()),
        ("repeat purchase rate", "repeat_purchase_rate", thirteen_months()),
    ] {
        shop.measure(criterion, name, &shop.formulas(&[key])?, &request)?;
    }
    Ok(())
}

fn top_products(criterion: &mut Criterion, shop: &Shop) -> Result<(), Failure> {
    let formulas = shop.formulas(&["gross_revenue", "revenue_share"])?;
    let request = grouped("product");
    let answers = shop.answers(&formulas, &request)?;
    if largest(&answers).len() != 10 {
        return Err("there are not ten products".into());
    }
    criterion.bench_function("retail/top products", |bencher| {
        bencher.iter(|| {
            let answers = shop.answers(black_box(&formulas), &request);
            answers.map_or(0, |answers| largest(&answers).len())
        });
    });
    Ok(())
}

/// Returns the ten groups with the largest values of the first formula.
fn largest(answers: &Answers) -> Vec<Vec<Value>> {
    let amounts = answers.of(0).iter().map(|answer| answer.value.as_number());
    let mut ranked: Vec<_> = amounts.zip(&answers.groups).collect();
    ranked.sort_by_key(|(amount, _)| Reverse(*amount));
    ranked.into_iter().take(10).map(|(_, group)| group.clone()).collect()
}

fn grouped(name: &str) -> Request {
    Request { group_by: vec![name.to_owned()], ..thirteen_months() }
}

impl Shop {
    fn formulas(&self, keys: &[&str]) -> Result<Vec<Formula>, Failure> {
        let formula = |key: &&str| {
            self.engine.compile(key).map_err(|found| format!("{key}: {found:?}").into())
        };
        keys.iter().map(formula).collect()
    }

    fn answers(&self, formulas: &[Formula], request: &Request) -> Result<Answers, Failure> {
        let formulas: Vec<&Formula> = formulas.iter().collect();
        let answers = self.engine.evaluate(&formulas, Inputs::data(&self.data), request);
        answers.map_err(|findings| format!("{findings:?}").into())
    }

    fn measure(
        &self,
        criterion: &mut Criterion,
        name: &str,
        formulas: &[Formula],
        request: &Request,
    ) -> Result<(), Failure> {
        self.answers(formulas, request)?;
        criterion.bench_function(&format!("retail/{name}"), |bencher| {
            bencher.iter(|| self.answers(black_box(formulas), request).is_ok());
        });
        Ok(())
    }
}
