//! Placeholders and populations: what their names mean in formulas.
#![expect(clippy::expect_used, reason = "a store that cannot be made fails the test")]

use quotient::data::{Data, Rates};
use quotient::file::load;
use quotient::format::exact;
use quotient::{Engine, Inputs, Request};

const FILE: &str = "
source orders event
    key id text
    date at datetime
    field status text
    field total money
    field customer_id text
    link customer to customers by customer_id
source customers entity
    key id text
source inventory snapshot
    date day date
    field on_hand count
placeholder order_value = orders.total sum
placeholder stock = inventory.on_hand sum
placeholder last_stock = inventory.on_hand last
placeholder state = orders.status sum
placeholder states = orders.status count
population big = orders where order_value > 50 USD
population huge = orders where let limit = 50 USD; order_value > limit * 2
";

fn shop() -> (Engine, Data) {
    let loaded = load("shop", &mut |_| Ok(FILE.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    let mut orders =
        engine.table("orders", &["id", "at", "status", "total", "customer_id"]).expect("a source");
    for (id, total) in [("1", "40"), ("2", "60"), ("3", "200")] {
        orders.push(&[id, "2026-01-05 12:00:00", "", total, ""]).expect("a row");
    }
    let data = engine.data(vec![orders.finish()], Rates::new()).expect("rows");
    (engine, data)
}

#[test]
fn the_condition_of_a_population_reads_its_own_lets_and_not_those_of_the_formula() {
    let (engine, data) = shop();
    for (text, expected) in [
        ("count(big)", "2"),
        ("let order_value = 100 USD; count(big)", "2"),
        ("let order_value = 100 USD; count(big where total < order_value)", "1"),
        ("count(huge)", "1"),
        ("let limit = 1 USD; count(huge where total > limit)", "1"),
        ("count(huge) + count(big)", "3"),
    ] {
        let formula = engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
        let answers =
            engine.evaluate(&[&formula], Inputs::data(&data), &Request::default()).expect(text);
        assert_eq!(exact(&answers.first().expect(text).value), expected, "{text}");
    }
}

#[test]
fn a_placeholder_is_checked_like_the_aggregate_that_it_stands_for() {
    let (engine, _) = shop();
    for (text, codes) in [
        ("stock", vec!["E410"]),
        ("sum(inventory.on_hand)", vec!["E410"]),
        ("closing(stock)", vec![]),
        ("closing(sum(stock))", vec![]),
        ("avg(sum(stock) per day)", vec![]),
        ("last_stock", vec![]),
        ("state", vec!["E350"]),
        ("states", vec![]),
        ("order_value", vec![]),
        ("count(customers where order_value > 5 USD)", vec![]),
        ("count(orders where previous(order_value) > 5 USD)", vec!["E404"]),
        ("count(orders where previous(sum(orders.total)) > 5 USD)", vec!["E404"]),
    ] {
        let findings = engine.validate(text).diagnostics;
        let found: Vec<_> = findings.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(found, codes, "{text}: {findings:#?}");
    }
    let findings = engine.validate("stock").diagnostics;
    let help = findings.first().and_then(|finding| finding.help.as_deref());
    let expected =
        "take the last day, closing(sum(stock)), or the usual one, avg(sum(stock) per day)";
    assert_eq!(help, Some(expected));
}
