//! Amounts in several currencies are converted, kept apart or refused as the store says.

use quotient::calendar::TimeUnit;
use quotient::data::Rates;
use quotient::explain::{FormulaRequest, Method, Scope, diff};
use quotient::rollup::{Granularity, RollupOptions};
use quotient::types::{Currency, Reason, Value};
use quotient::{Comparison, Engine, Inputs, Request, file};

use crate::rollup::fixture::{Store, days};

fn shop(policy: &str) -> Store {
    let text = format!(
        "store
    currency USD
    mixed_currency {policy}
source payments event
    key id text
    date at datetime
    field code text
    field rate number
    field amount money by code at rate
    field country text
dimension country
    payments country
"
    );
    let loaded = file::load("shop", &mut |_| Ok(text.clone()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    let mut rates = Rates::new();
    for (day, code, rate) in [
        ("2026-01-01", "EUR", "1.0831"),
        ("2026-01-03", "EUR", "1.1"),
        ("2026-01-01", "GBP", "1.3"),
    ] {
        let code = Currency::from_code(code).expect("a currency");
        rates.set(day.parse().expect("a day"), code, rate.parse().expect("a rate")).expect("> 0");
    }
    let header = ["id", "at", "code", "rate", "amount", "country"];
    let mut table = engine.table("payments", &header).expect("a source");
    for row in [
        ["1", "2026-01-01 10:00:00", "USD", "", "10.50", "US"],
        ["2", "2026-01-01 11:00:00", "EUR", "", "3.33", "DE"],
        ["3", "2026-01-01 23:00:00", "eur", "1.2345678", "7.77", "DE"],
        ["4", "2026-01-02 08:00:00", "GBP", "", "1.01", "UK"],
        ["5", "2026-01-03 08:00:00", "EUR", "", "2.00", "DE"],
        ["6", "2026-01-04 08:00:00", "JPY", "", "900", "JP"],
        ["7", "2026-01-05 08:00:00", "", "", "5.00", "US"],
        ["8", "2026-01-06 08:00:00", "EUR", "", "", "DE"],
        ["9", "2026-01-07 08:00:00", "GBP", "", "4.04", ""],
    ] {
        table.push(&row).expect("a row");
    }
    let data = engine.data(vec![table.finish()], rates).expect("rows");
    let formulas = [
        "sum(payments.amount)",
        "avg(payments.amount)",
        "max(payments.amount)",
        "count(payments.amount)",
        "sum(payments.amount where code = 'EUR')",
        "share_of(payments where code = 'EUR')",
        "convert(sum(payments.amount), to: USD)",
        "first(payments.amount)",
        "last(payments.amount)",
        "sum(sum(payments.amount) per day)",
        "change(sum(payments.amount), 1 day)",
    ];
    Store::new(engine, data, &formulas)
}

#[test]
fn each_policy_answers_over_states_as_over_rows() {
    for policy in ["convert", "split", "refuse"] {
        let store = shop(policy);
        let definitions = store.definitions(&RollupOptions::new(Granularity::Day).by("country"));
        assert!(definitions.gaps().is_empty(), "{policy}: {:?}", definitions.gaps());
        let cells = store.fold(&definitions);
        let week = days("2026-01-01", "2026-01-08");
        let in_euros = Request { currency: Currency::from_code("EUR"), ..week.clone() };
        for request in [
            week.clone(),
            days("2026-01-01", "2026-01-03"),
            Request { by: Some(TimeUnit::Day), ..week.clone() },
            Request { group_by: vec!["country".to_owned()], ..week.clone() },
            Request { by: Some(TimeUnit::Day), ..in_euros.clone() },
            Request { currency: Some(Currency::USD), ..week.clone() },
            Request { timezone: Some("Asia/Tokyo".to_owned()), ..week },
        ] {
            let (wrong, _) = store.differences((&definitions, &cells), &request);
            assert!(wrong.is_empty(), "{policy}: {}", wrong.join("\n"));
        }
    }
}

#[test]
fn currencies_kept_apart_are_part_of_a_cells_key() {
    let store = shop("split");
    let definitions = store.definitions(&RollupOptions::new(Granularity::Day));
    let apart: Vec<_> =
        definitions.iter().filter(|definition| definition.currency.is_some()).collect();
    assert!(!apart.is_empty());
    let cells = store.fold(&definitions);
    for definition in apart {
        let grid = cells.rollup(definition).expect("cells");
        assert!(grid.keys().iter().all(|tuple| tuple.len() == 1), "{definition}");
        let days = grid.partials().count();
        assert_eq!(days, 7, "{definition}: a cell for each day and currency that has an amount");
    }
}

#[test]
fn an_amount_has_no_change_from_one_in_another_currency() {
    let store = shop("refuse");
    let (text, formula) = store.formulas.first().expect("the sum");
    let inputs = Inputs::data(&store.data);
    let (from, to) = (days("2026-01-02", "2026-01-02"), days("2026-01-03", "2026-01-03"));
    let is_mixed =
        |value: &Value| value.as_missing().is_some_and(|null| null.reason == Reason::MixedCurrency);

    let compared = Request { compare: Some(Comparison::Previous), ..to.clone() };
    let answers = store.engine.evaluate(&[formula], inputs, &compared).expect("an answer");
    let answer = answers.first().expect("one");
    assert_eq!((answer.formatted.as_str(), answer.previous.is_some()), ("2.00", true));
    assert!(answer.change.as_ref().is_some_and(is_mixed), "{answer:?}");
    assert_eq!(answer.currency.as_deref(), Some("EUR"));

    let scopes = (&Scope { inputs, request: &from }, &Scope { inputs, request: &to });
    let split = store.engine.decompose(formula, scopes, 1).expect("numbers");
    assert_eq!(split.method, Method::None(Reason::MixedCurrency));

    let query = |request| FormulaRequest { engine: &store.engine, formula: text, inputs, request };
    let found = diff(&query(&from), &query(&to)).expect("amounts of one type");
    assert!(is_mixed(&found.change), "{found:?}");
}

#[test]
fn amounts_kept_apart_are_not_taken_from_or_labelled_as_those_in_other_currencies() {
    for policy in ["split", "refuse"] {
        let text = format!(
            "store
    currency USD
    mixed_currency {policy}
source plans entity
    key id text
    field began datetime
    field ended datetime
    field code text
    field price money by code
source orders event
    key id text
    date at datetime
    field is_intl bool
    field code_a text
    field code_b text
    field a money by code_a
    field b money by code_b
"
        );
        let loaded = file::load("shop", &mut |_| Ok(text.clone()));
        let (engine, findings) = Engine::from_loaded(&loaded);
        assert!(findings.is_empty(), "{findings:#?}");
        let header = ["id", "began", "ended", "code", "price"];
        let mut plans = engine.table("plans", &header).expect("a source");
        for row in [
            ["1", "2026-01-01 10:00:00", "", "EUR", "10"],
            ["2", "2026-01-02 11:00:00", "2026-01-03 09:00:00", "USD", "7"],
            ["3", "2026-01-01 12:00:00", "2026-01-05 12:00:00", "GBP", "3"],
        ] {
            plans.push(&row).expect("a row");
        }
        let header = ["id", "at", "is_intl", "code_a", "code_b", "a", "b"];
        let mut orders = engine.table("orders", &header).expect("a source");
        for row in [
            ["1", "2026-01-01 10:00:00", "yes", "USD", "EUR", "1", "2"],
            ["2", "2026-01-02 10:00:00", "no", "USD", "EUR", "10", "20"],
        ] {
            orders.push(&row).expect("a row");
        }
        let tables = vec![plans.finish(), orders.finish()];
        let data = engine.data(tables, Rates::new()).expect("rows");
        let formulas = [
            "sum(plans.price where began < period_end and (ended is null or ended >= period_end))",
            "sum(if(orders.is_intl, orders.a, orders.b))",
        ];
        let store = Store::new(engine, data, &formulas);
        let definitions = store.definitions(&RollupOptions::new(Granularity::Day));
        let cells = store.fold(&definitions);
        let week = days("2026-01-01", "2026-01-08");
        for request in [Request { by: Some(TimeUnit::Day), ..week.clone() }, week] {
            let (wrong, _) = store.differences((&definitions, &cells), &request);
            assert!(wrong.is_empty(), "{policy}: {}", wrong.join("\n"));
        }
    }
}
