//! What is said of a wrong formula: the place, the sentence and the help.

use crate::small_stack::{answer, corner};
use crate::stores::data;
use quotient::{Engine, Inputs};

/// The first finding as `code at place: message; help`.
fn said(engine: &Engine, text: &str) -> String {
    let findings = engine.validate(text).diagnostics;
    let Some(finding) = findings.first() else { return String::new() };
    let (code, place) = (finding.code, finding.span.slice(text));
    let help = finding.help.as_deref().unwrap_or_default();
    format!("{code} at `{place}`: {}; {help}", finding.message)
}

fn check(cases: &[(&str, &str)]) {
    let engine = corner();
    for (text, expected) in cases {
        let said = said(&engine, text);
        let is_said = said.starts_with(expected) && said.is_empty() == expected.is_empty();
        assert!(is_said, "{text}\nis said: {said}\nexpected: {expected}");
    }
}

#[test]
fn an_argument_is_given_once_and_under_a_name_of_the_signature() {
    check(&[
        ("round(2.345, 1, digits: 2)", "E207 at `digits`: `digits` is given twice"),
        ("round(2.345, digits: 1, digits: 2)", "E207 at `digits`: `digits` is given twice"),
        ("round(2.345, digits: 1, 2)", "E207 at `2`: `digits` is given twice"),
        ("convert(sales, USD, to: EUR)", "E207 at `to`: `to` is given twice"),
        ("convert(sales, USD, rate: today)", "E207 at `today`: `rate` of `convert` cannot be"),
        ("trailing(sales, 30 days, span: 1 day)", "E207 at `span`: `span` is given twice"),
        ("sum(y: orders.total)", "E207 at `y`: `sum` has no argument `y`"),
        ("count(y: orders)", "E207 at `y`: `count` has no argument `y`"),
        ("percentile(orders.total, wrong: 90%)", "E207 at `wrong`: `percentile` has no argument"),
        ("percentile(orders.total, x: 90%)", "E207 at `x`: `x` is given twice"),
        ("weighted_avg(orders.total, w: 1)", "E207 at `w`: `weighted_avg` has no argument `w`"),
    ]);
    let engine = corner();
    let data = data(&engine);
    for (named, plain) in [
        ("percentile(fraction: 90%, x: orders.total)", "percentile(orders.total, 90%)"),
        ("weighted_avg(weight: 1, x: orders.total)", "weighted_avg(orders.total, 1)"),
        ("convert(sales, to: USD, rate: 'order_day')", "convert(sales, USD)"),
    ] {
        let given = answer(&engine, named, Inputs::data(&data));
        assert_eq!(given, answer(&engine, plain, Inputs::data(&data)), "{named}");
    }
}

#[test]
fn a_clause_that_would_have_no_effect_is_refused() {
    let twice = "sum(orders.total dated by created_at dated by customer.first_order_at)";
    let both = "weighted_avg(orders.total dated by created_at, 1 dated by created_at)";
    check(&[
        (twice, "E207 at `customer.first_order_at`: `dated by` is given twice"),
        (both, "E207 at `created_at`: `dated by` is given twice"),
        (
            "avg(count(orders) per day dated by created_at)",
            "E207 at `created_at`: `dated by` belongs to an aggregate of rows; \
             put it into the aggregate inside `count(orders)`",
        ),
        (
            "weighted_avg(sales, order_count per day dated by created_at)",
            "E207 at `created_at`: `dated by` belongs to an aggregate of rows",
        ),
        ("percentile(orders.total, 0.9 where total > 1 USD)", "E207 at `total > 1 USD`"),
    ]);
}
