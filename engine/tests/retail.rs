//! The metrics of a real shop, equal to the last digit to the results of another program.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "an expectation that cannot be read fails the test"
)]

use crate::requests::request;
use crate::stores::{data, engine, fixtures};
use quotient::calendar::TimeUnit;
use quotient::format::exact;
use quotient::{Answer, Answers, Engine, Formula, Inputs, Request};
use serde_json::Value as Json;

/// The answer in the notation of the expectations.
fn formatted(answer: &Answer) -> String {
    match answer.null_reason {
        Some(reason) => format!("null ({})", reason.name()),
        None => exact(&answer.value),
    }
}

fn expected(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Object(null) => format!("null ({})", null["null"].as_str().expect("a reason")),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) => panic!("{json}"),
    }
}

struct Shop {
    engine: Engine,
    data: quotient::data::Data,
    found: Vec<String>,
}

impl Shop {
    fn evaluate(&self, keys: &[&str], request: &Request) -> Answers {
        let formulas: Vec<Formula> =
            keys.iter().map(|key| self.engine.compile(key).expect(key)).collect();
        let formulas: Vec<&Formula> = formulas.iter().collect();
        self.engine.evaluate(&formulas, Inputs::data(&self.data), request).expect("answers")
    }

    fn compare(&mut self, what: &str, answer: Option<&Answer>, json: &Json) {
        let (given, wanted) = (answer.map(formatted).unwrap_or_default(), expected(json));
        if given != wanted {
            self.found.push(format!("{what}: {given}, counted {wanted}"));
        }
    }
}

fn whole() -> Request {
    request("2010-12-01", "2011-12-09", "2011-12-10T00:00:00Z")
}

#[test]
fn every_figure_of_the_shop_equals_the_independent_count() {
    let text =
        std::fs::read_to_string(fixtures().join("online-retail/expected.json")).expect("a file");
    let json: Json = serde_json::from_str(&text).expect("JSON");
    let engine = engine("online-retail/shop.metrics");
    let data = data(&engine);
    let mut shop = Shop { engine, data, found: Vec::new() };
    let record = |name: &str| json[name].as_object().expect(name).clone();

    let figures = record("whole");
    let keys: Vec<&str> = figures.keys().map(String::as_str).collect();
    assert!(keys.len() >= 40);
    let answers = shop.evaluate(&keys, &whole());
    for (index, (key, wanted)) in figures.iter().enumerate() {
        shop.compare(key, answers.get(index, 0, 0), wanted);
    }

    for (name, unit) in [("by_month", TimeUnit::Month), ("by_week", TimeUnit::Week)] {
        let figures = record(name);
        let keys: Vec<&str> = figures.keys().map(String::as_str).collect();
        let answers = shop.evaluate(&keys, &Request { by: Some(unit), ..whole() });
        for (index, (key, wanted)) in figures.iter().enumerate() {
            let wanted = wanted.as_array().expect(key);
            assert_eq!(answers.buckets.len(), wanted.len(), "{name}");
            for (bucket, wanted) in wanted.iter().enumerate() {
                shop.compare(
                    &format!("{key} {name} {bucket}"),
                    answers.get(index, bucket, 0),
                    wanted,
                );
            }
        }
    }

    let figures = record("by_country");
    let keys: Vec<&str> =
        figures["Germany"].as_object().expect("keys").keys().map(String::as_str).collect();
    let answers =
        shop.evaluate(&keys, &Request { group_by: vec!["country".to_owned()], ..whole() });
    assert_eq!(answers.groups.len(), figures.len());
    for (group, tuple) in answers.groups.iter().enumerate() {
        let country = exact(&tuple[0]);
        for (index, key) in keys.iter().enumerate() {
            let wanted = &figures[&country][*key];
            shop.compare(&format!("{key} {country}"), answers.get(index, 0, group), wanted);
        }
    }

    for (list, dimension) in [("top_products", "product"), ("top_stock_codes", "stock_code")] {
        top(&mut shop, json[list].as_array().expect(list), dimension);
    }

    assert!(shop.found.is_empty(), "{} differ:\n{}", shop.found.len(), shop.found.join("\n"));
}

fn top(shop: &mut Shop, wanted: &[Json], dimension: &str) {
    let keys = ["gross_revenue", "revenue_share", "revenue_rank", "units_sold"];
    let answers =
        shop.evaluate(&keys, &Request { group_by: vec![dimension.to_owned()], ..whole() });
    for row in wanted {
        let name = row[dimension].as_str().expect(dimension);
        let group = answers.groups.iter().position(|tuple| exact(&tuple[0]) == name);
        let group = group.unwrap_or_else(|| panic!("no group {name}"));
        for (index, key) in
            ["gross_revenue", "revenue_share", "rank", "units_sold"].iter().enumerate()
        {
            shop.compare(&format!("{key} {name}"), answers.get(index, 0, group), &row[*key]);
        }
    }
}
