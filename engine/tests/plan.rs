//! Formulas as programs: how they are listed, and that they give the evaluator's answers, to the
//! last digit and with the same reason and place of every null.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a store that does not load, or a formula that does not check, fails the test"
)]

use std::fmt::Write;

use crate::record_formulas::{INPUTS, formula_text, record};
use crate::requests::request;
use crate::small_stack::lets;
use crate::stores;
use proptest::prelude::*;
use quotient::calendar::TimeUnit;
use quotient::data::{Data, Record};
use quotient::plan::SlotKind;
use quotient::types::{Currency, Value};
use quotient::{Engine, Formula, Inputs, Plan, Request};

const PLATFORM: &str = "stores/platform/kpis.metrics";

fn march() -> Request {
    request("2026-03-01", "2026-03-31", "2026-04-15T00:00:00Z")
}

/// Values with their scale, reason and place, which numeric equality ignores.
fn spelt(value: &Value) -> String {
    format!("{value:?}")
}

/// The answers of each formula by the evaluator, and by its plan over filled slots.
fn both(
    engine: &Engine,
    formulas: &[&Formula],
    inputs: Inputs<'_>,
    request: &Request,
) -> Option<(Vec<String>, Vec<String>)> {
    let plan = engine.plan_given(formulas, &[], request.currency).expect("a small plan");
    let slots = engine.slot_values(&plan, formulas, inputs, request);
    let answers = engine.evaluate(formulas, inputs, request);
    let (Ok(slots), Ok(answers)) = (slots, answers) else { return None };
    let mut runner = engine.runner(&plan, request).expect("a zone");
    let (mut computed, mut wanted) = (Vec::new(), Vec::new());
    for bucket in 0..slots.buckets.len() {
        for group in 0..slots.groups.len().max(1) {
            runner.fill(&slots.of(bucket, group));
            runner.run();
            for index in 0..formulas.len() {
                computed.push(spelt(&runner.value(index)));
                wanted.push(spelt(&answers.get(index, bucket, group)?.value));
            }
        }
    }
    Some((computed, wanted))
}

fn metrics(engine: &Engine) -> Vec<Formula> {
    let compile =
        |key: &str| engine.compile(key).unwrap_or_else(|found| panic!("{key}: {found:?}"));
    engine.metrics().iter().map(|metric| compile(&metric.key)).collect()
}

fn requests_of(data: &Data) -> Vec<(Inputs<'_>, Request)> {
    let by = |unit| Request { by: Some(unit), ..march() };
    let grouped = Request { group_by: vec!["status".into()], ..march() };
    let in_euros = Request { currency: Some(euro()), ..march() };
    let requests = [march(), by(TimeUnit::Week), by(TimeUnit::Day), grouped, in_euros];
    let ever = Request { now: march().now, ..Request::default() };
    let requests = requests.into_iter().chain([ever]);
    requests.map(|request| (Inputs::data(data), request)).collect()
}

fn euro() -> Currency {
    Currency::from_code("EUR").expect("a currency")
}

#[test]
fn all_metrics_of_a_store_in_one_plan_answer_as_the_evaluator_does() {
    let engine = stores::engine(PLATFORM);
    let data = stores::data(&engine);
    let formulas = metrics(&engine);
    let formulas: Vec<&Formula> = formulas.iter().collect();
    assert!(formulas.len() >= 77);
    for (inputs, request) in requests_of(&data) {
        // Some of the sources have no status.
        let answers = |formula: &Formula| engine.evaluate(&[formula], inputs, &request).is_ok();
        let together: Vec<&Formula> =
            formulas.iter().copied().filter(|formula| answers(formula)).collect();
        assert!(together.len() > 3);
        let (computed, wanted) = both(&engine, &together, inputs, &request).expect("answers");
        let wrong: Vec<_> = computed.iter().zip(&wanted).filter(|(a, b)| a != b).collect();
        assert!(wrong.is_empty(), "{request:?}: {wrong:#?}");
    }
}

#[test]
fn formulas_of_every_kind_answer_as_the_evaluator_does() {
    let engine = stores::engine(PLATFORM);
    let data = stores::data(&engine);
    let folder = stores::fixtures().join("formulas/ok");
    let files = std::fs::read_dir(folder).expect("a folder").flatten().map(|file| file.path());
    let mut count = 0;
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "formula")) {
        let text = std::fs::read_to_string(&path).expect("a file");
        let formula = engine.compile(&text).unwrap_or_else(|found| panic!("{path:?}: {found:?}"));
        for (inputs, request) in requests_of(&data) {
            let Some((computed, wanted)) = both(&engine, &[&formula], inputs, &request) else {
                continue;
            };
            assert_eq!(computed, wanted, "{text}\n{request:?}\n{}", listing(&engine, &formula));
            count += 1;
        }
    }
    assert!(count > 150, "only {count} answers");
}

fn listing(engine: &Engine, formula: &Formula) -> String {
    engine.plan(&[formula]).expect("a small plan").to_string()
}

/// The answers over a record, by a plan with given names and by the evaluator.
fn both_of_record(
    engine: &Engine,
    formula: &Formula,
    given: &[&str],
    record: &Record,
) -> Option<(String, String)> {
    let answers = engine.evaluate(&[formula], Inputs::record(record), &Request::default()).ok()?;
    let plan = engine.plan_given(&[formula], given, None).expect("a small plan");
    // A record of single values has no rows.
    if plan.slots().iter().any(|slot| matches!(slot.kind(), SlotKind::Atom | SlotKind::Compound)) {
        return None;
    }
    let mut runner = engine.runner(&plan, &Request::default()).expect("a zone");
    assert!(runner.bind(record).is_empty());
    runner.run();
    Some((spelt(&runner.value(0)), spelt(&answers.first()?.value)))
}

#[test]
fn each_metric_gives_the_same_answer_from_the_metrics_it_uses() {
    let engine = stores::engine(PLATFORM);
    let mut count = 0;
    for metric in engine.metrics() {
        let formula = engine.compile(&metric.formula).expect("a metric that checks");
        let names: Vec<&str> = formula.metrics().iter().map(String::as_str).collect();
        let calls: Vec<String> = names.iter().map(|name| format!("previous({name})")).collect();
        for step in 0..4_i64 {
            let mut record = Record::new();
            let given: Vec<&str> =
                names.iter().copied().chain(calls.iter().map(String::as_str)).collect();
            for (index, name) in given.iter().enumerate() {
                let index = i64::try_from(index).expect("few names");
                let number = rust_decimal::Decimal::new((index * 7919 + 1234) * step % 5003, 2);
                record.set(name, number);
            }
            if let Some((computed, wanted)) = both_of_record(&engine, &formula, &given, &record) {
                assert_eq!(computed, wanted, "{} over {record:?}", metric.formula);
                count += 1;
            }
        }
    }
    assert!(count >= 100, "only {count} answers");
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_formula_over_a_record_answers_as_the_evaluator_does(
        text in formula_text(),
        records in proptest::collection::vec(record(), 4),
    ) {
        let formula = INPUTS.compile(&text).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
        for record in records {
            let both = both_of_record(&INPUTS, &formula, &[], &record);
            if let Some((computed, wanted)) = both {
                prop_assert_eq!(computed, wanted, "{} over {:?}\n{}", text, record, listing(&INPUTS, &formula));
            }
        }
    }
}

#[test]
fn a_plan_that_was_written_down_is_the_same_plan() {
    let engine = stores::engine(PLATFORM);
    let data = stores::data(&engine);
    let formulas = metrics(&engine);
    for formula in &formulas {
        let plan = engine.plan(&[formula]).expect("a small plan");
        let text = serde_json::to_string(&plan).expect("a text");
        let again: Plan = serde_json::from_str(&text).expect("a plan");
        assert_eq!(again.to_string(), plan.to_string());
        assert_eq!(again.hash(), plan.hash());
        let (inputs, request) = (Inputs::data(&data), march());
        let slots = engine.slot_values(&again, &[formula], inputs, &request).expect("values");
        let answers = engine.evaluate(&[formula], inputs, &request).expect("answers");
        let mut runner = engine.runner(&again, &request).expect("a zone");
        runner.fill(&slots.of(0, 0));
        runner.run();
        let wanted = answers.first().map(|answer| spelt(&answer.value));
        assert_eq!(Some(spelt(&runner.value(0))), wanted, "{}", formula.text());
    }
}

/// Of `net_sales / order_count`, in every process.
const HASH: &str = "43a2ce32c9cc79d45574dd55efac9294f6540c136901d763d1391a766025344f";

#[test]
fn a_hash_depends_on_the_meaning_alone() {
    let engine = stores::engine(PLATFORM);
    let hash = |text: &str| engine.compile(text).expect(text).hash();
    let same = [
        "net_sales / order_count",
        "Net_Sales/ORDER_COUNT",
        "(net_sales)  / // what an order brings\n order_count",
    ];
    for text in same {
        assert_eq!(hash(text).to_string(), HASH, "{text}");
    }
    for other in ["order_count / net_sales", "net_sales / order_count * 1", "aov"] {
        assert_ne!(hash(other), hash(same[0]), "{other}");
    }
    let slot = |text: &str| {
        let formula = engine.compile(text).expect(text);
        let plan = engine.plan(&[&formula]).expect("a small plan");
        plan.slots().first().expect("a slot").hash()
    };
    let sum = slot("sum(orders.total where status = 'pending')");
    assert_eq!(slot("1 - sum( ORDERS.total where status = 'pending' ) / 2 USD"), sum);
    for other in [
        "sum(orders.total where status = 'archived')",
        "sum(orders.total where status != 'pending')",
        "sum(orders.tax_total where status = 'pending')",
        "avg(orders.total where status = 'pending')",
        "previous(sum(orders.total where status = 'pending'))",
        "(sum(orders.total) where status = 'pending')",
    ] {
        assert_ne!(slot(other), sum, "{other}");
    }
}

#[test]
fn listings_show_slots_at_their_places_and_computed_fields() {
    let engine = stores::engine(PLATFORM);
    let mut listed = String::new();
    for key in ["aov", "spend_band", "sales_health", "dso", "order_drop_alert", "nrr"] {
        let metric = engine.metric(key).expect(key);
        let formula = engine.compile(key).expect(key);
        let plan = engine.plan(&[&formula]).expect("a small plan");
        writeln!(listed, "{key} = {}\n\n{plan}", metric.formula).expect("room");
    }
    for text in [
        "round(net_sales / order_count, 2) default 0",
        "case when net_sales > 100 USD then aov * 1.19 * 2 when aov > 5 USD then gmv end",
        "growth(aov, last_year)",
        "(net_sales where order.status = 'pending') / net_sales",
        "previous(net_sales default 0)",
        "convert(net_sales - 50 USD, to: EUR)",
        "share(gmv)",
        "let half = net_sales / 2; half * 0.5 + half",
    ] {
        let formula = engine.compile(text).expect(text);
        let plan = engine.plan(&[&formula]).expect("a small plan");
        writeln!(listed, "{text}\n\n{plan}").expect("room");
    }
    insta::assert_snapshot!(listed);
}

#[test]
fn amounts_that_keep_their_currencies_meet_in_the_evaluator_alone() {
    let text = "store
    currency USD
    mixed_currency refuse
source payments event
    key id text
    date at datetime
    field code text
    field amount money by code
    field tip money by code
";
    let loaded = quotient::file::load("shop", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    let header = ["id", "at", "code", "amount", "tip"];
    let mut table = engine.table("payments", &header).expect("a source");
    for row in [
        ["1", "2026-03-01 10:00:00", "USD", "10", "1"],
        ["2", "2026-03-02 10:00:00", "EUR", "20", "2"],
        ["3", "2026-03-03 10:00:00", "EUR", "5", "1"],
    ] {
        table.push(&row).expect("a row");
    }
    let data = engine.data(vec![table.finish()], quotient::data::Rates::new()).expect("rows");
    let formulas = [
        "sum(payments.amount)",
        "-sum(payments.amount) + sum(payments.tip) + sum(payments.tip)",
        "sum(payments.amount) / (2 * sum(payments.tip)) + 1",
        "change(sum(payments.amount), 1 day)",
        "growth(sum(payments.amount), 1 day) default 0",
        "if(sum(payments.amount) > previous(sum(payments.amount)), 1, 2)",
    ]
    .map(|text| engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:?}")));
    let formulas: Vec<&Formula> = formulas.iter().collect();
    let by_day = Request { by: Some(TimeUnit::Day), ..march() };
    for request in [march(), by_day, Request { currency: Some(euro()), ..march() }] {
        let inputs = Inputs::data(&data);
        let (computed, wanted) = both(&engine, &formulas, inputs, &request).expect("answers");
        assert_eq!(computed, wanted, "{}", engine.plan(&formulas).expect("a small plan"));
    }
    // A batch has no currencies.
    let plan = engine.plan(&formulas[..1]).expect("a small plan");
    let batch =
        quotient::columns::Batch::new(0).with("amount", std::iter::empty::<Value>().collect());
    let refused = engine.column_totals(&plan, &batch, &march()).expect_err("no currencies");
    assert!(refused[0].message.ends_with("is no total of the batch"), "{refused:?}");
}

#[test]
fn rows_that_double_are_too_large_for_a_plan() {
    let engine = stores::engine("stores/corner/corner.metrics");
    let planned = |count: usize| {
        let lets = lets("sum(orders.total)", count, |before| {
            format!("max(orders.total where total > a{before} or total < a{before})")
        });
        let formula = engine.compile(&format!("{lets} a{count}"));
        engine.plan(&[&formula.unwrap_or_else(|found| panic!("{found:?}"))])
    };

    assert!(planned(3).is_ok());
    let refused = planned(30).expect_err("a large plan");
    assert_eq!(refused.first().map(|finding| finding.code.as_str()), Some("E706"));
}

#[test]
fn what_differs_has_a_slot_of_its_own() {
    let text = "source orders event
    key id text
    date at datetime
    field is_gift bool
    field is_paid bool
population paid = orders where is_paid
input reach number
input target number
";
    let loaded = quotient::file::load("shop", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    let header = ["id", "at", "is_gift", "is_paid"];
    let mut table = engine.table("orders", &header).expect("a source");
    for row in [
        ["1", "2026-03-01 10:00:00", "yes", "yes"],
        ["2", "2026-03-02 10:00:00", "no", "yes"],
        ["3", "2026-03-03 10:00:00", "no", "no"],
    ] {
        table.push(&row).expect("a row");
    }
    let data = engine.data(vec![table.finish()], quotient::data::Rates::new()).expect("rows");
    let shares = ["share_of(orders where is_gift and is_paid)", "share_of(paid where is_gift)"]
        .map(|text| engine.compile(text).expect(text));
    let shares: Vec<&Formula> = shares.iter().collect();
    let (computed, wanted) = both(&engine, &shares, Inputs::data(&data), &march()).expect("shares");
    assert_eq!(computed, wanted);
    assert_ne!(computed[0], computed[1], "a third of the orders, half of the paid ones");

    let slot_count = |text: &str| {
        let formula = engine.compile(text).expect(text);
        engine.plan(&[&formula]).expect("a small plan").slots().len()
    };
    assert_eq!(slot_count("previous(reach default 0)"), slot_count("previous(target default 0)"));
}
