//! Any text at all: nothing panics, places lie in the text, and the printed text means the same.

use crate::stores::engine;
use proptest::prelude::*;
use quotient::diagnostics::Diagnostic;
use quotient::diagnostics::render::{Style, render};
use quotient::syntax::{Limits, canonical, format, parse};

/// Pieces that formulas are made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "sum(",
        "count(",
        "orders",
        ".total",
        "sales",
        "aov",
        " where ",
        " per day",
        " and ",
        "or ",
        "not ",
        "(",
        ")",
        "[",
        "]",
        "'x'",
        "\"",
        "1",
        "0.5",
        "10%",
        "50 USD",
        "30 days",
        "@2026-Q1",
        " + ",
        " - ",
        "--",
        " * ",
        " / ",
        "^",
        " = ",
        "==",
        " < ",
        "!=",
        " in (",
        " is null",
        " between ",
        " default ",
        "case when ",
        " then ",
        " else ",
        " end",
        "let a = ",
        ";",
        ",",
        ":",
        "?",
        "//",
        "/*",
        "*/",
        "\n",
        "é",
        "\u{202e}",
        "÷",
        "$",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Well-formed expressions of any shape; their types need not agree.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "sales",
        "aov",
        "1",
        "0.50",
        "15%",
        "50 EUR",
        "30 days",
        "@2026-03",
        "'it''s'",
        "true",
        "null",
        "count(orders)",
        "sum(orders.total where status != 'cancelled')",
        "[Average order value]",
        "?",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 3, |inner| {
        let operator = prop::sample::select(vec![
            "+", "-", "*", "/", "^", "&", "default", "=", "!=", "<", ">=", "and", "or",
        ]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            inner.clone().prop_map(|a| format!("({a}) is not null")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) not in (1, {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) between ({b}) and 2")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if({a}, {b}, 0)")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("case when {a} then {b} end")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a} where {b})")),
        ]
    })
}

/// Each finding lies in the text, on its characters, and can be drawn and applied.
fn is_sound(text: &str, findings: &[Diagnostic]) {
    for finding in findings {
        let places =
            std::iter::once(finding.span).chain(finding.labels.iter().map(|label| label.0));
        for place in places {
            assert!(text.get(place.range()).is_some(), "{text:?}: {finding:?}");
        }
        if let Some(suggestion) = &finding.suggestion {
            for edit in &suggestion.edits {
                assert!(text.get(edit.span.range()).is_some(), "{text:?}: {finding:?}");
            }
            drop(suggestion.apply(text));
        }
    }
    drop(render("formula", text, findings, Style::Plain));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_text_is_read_and_answered_within_its_bounds(text in prop_oneof![any::<String>(), pieces()]) {
        let parsed = parse(&text, &Limits::DEFAULT);

        is_sound(&text, &parsed.diagnostics);
        if let Some(expr) = &parsed.expr {
            drop((canonical(expr), format(expr)));
        }
    }

    #[test]
    fn a_printed_formula_parses_to_the_same_tree_and_prints_the_same_again(text in expression()) {
        let tree = |text: &str| parse(text, &Limits::DEFAULT).expr.expect("a tree");
        let printed = canonical(&tree(&text));

        prop_assert!(tree(&printed) == tree(&text), "{text} became {printed}");
        prop_assert_eq!(canonical(&tree(&printed)), printed);
    }

    #[test]
    fn a_formatted_formula_keeps_its_comments_and_its_meaning(text in expression(), words in "[a-z ]{0,12}") {
        let commented = format!("// {words}\n{text} /* {words} */");
        let tree = |text: &str| parse(text, &Limits::DEFAULT).expr.expect("a tree");
        let formatted = format(&tree(&commented));

        prop_assert!(tree(&formatted) == tree(&text), "{commented} became {formatted}");
        prop_assert_eq!(tree(&formatted).comments.len(), 2);
        prop_assert_eq!(format(&tree(&formatted)), formatted);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn any_formula_is_checked_without_a_panic(text in prop_oneof![pieces(), expression()]) {
        let engine = engine("stores/corner/corner.metrics");

        is_sound(&text, &engine.validate(&text).diagnostics);
    }
}
