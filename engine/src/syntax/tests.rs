//! Parsing and printing, in pairs of lines.

use super::{Limits, canonical, format, parse};

fn print(text: &str) -> String {
    let parsed = parse(text, &Limits::DEFAULT);
    assert!(parsed.diagnostics.iter().all(|d| !d.is_error()), "{text}: {:?}", parsed.diagnostics);
    canonical(&parsed.expr.expect("a tree"))
}

fn codes(text: &str) -> Vec<(&'static str, String)> {
    let parsed = parse(text, &Limits::DEFAULT);
    parsed.diagnostics.iter().map(|d| (d.code.as_str(), d.span.slice(text).to_owned())).collect()
}

#[test]
fn the_canonical_text_has_the_least_brackets_and_parses_back_to_the_same_tree() {
    for (text, expected) in [
        ("= A / B", "a / b"),
        ("((a + b)) * c", "(a + b) * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("a + b + c - d", "a + b + c - d"),
        ("2 ^ 3 ^ 4", "2 ^ 3 ^ 4"),
        ("(2 ^ 3) ^ 4", "(2 ^ 3) ^ 4"),
        ("(-2) ^ 2", "(-2) ^ 2"),
        ("-(2 ^ 2)", "-(2 ^ 2)"),
        ("2 ^ -1", "2 ^ (-1)"),
        ("- - x", "-(-x)"),
        ("a - -b", "a - -b"),
        ("not (a = b)", "not a = b"),
        ("(not a) = b", "(not a) = b"),
        ("((a) = b) = c", "(a = b) = c"),
        ("a = 1 and b = 2 or c = 3", "(a = 1 and b = 2) or c = 3"),
        ("x IS NOT NULL", "x is not null"),
        ("a + b is null", "a + b is null"),
        ("a is null and not b in (1, 2)", "a is null and not b in (1, 2)"),
        ("x not between 1+2 and 3*4 and y", "x not between 1 + 2 and 3 * 4 and y"),
        ("x not like 'A%'", "x not like 'A%'"),
        (
            "count(orders where created_at in @2026-Q1)",
            "count(orders where created_at in @2026-Q1)",
        ),
        ("a ?? b || c", "a default b & c"),
        ("[Net Sales] / [aov]", "[Net Sales] / [aov]"),
        ("\"it's\"", "'it''s'"),
        ("50 EUR + 1_000.50 USD", "50 EUR + 1000.50 USD"),
        ("30 Days", "30 days"),
        ("1day", "1 day"),
        ("growth(x, 52 WEEKS)", "growth(x, 52 weeks)"),
        ("avg(gmv per day, country)", "avg(gmv per day, country)"),
        ("sum(a.b where c where d dated by e.f)", "sum(a.b where c where d dated by e.f)"),
        ("round(x, digits: 2)", "round(x, digits: 2)"),
        ("let a = 1; let b = a; a + b", "let a = 1; let b = a; a + b"),
        ("case when a then 1 else 2 end", "case when a then 1 else 2 end"),
        ("(x where c) / x", "(x where c) / x"),
        ("if(5 AND TRUE, 1, 2)", "if(5 and true, 1, 2)"),
        ("net_sales / ?", "net_sales / ?"),
        ("[Sum](x)", "sum(x)"),
        ("[Net Sales](x)", "[Net Sales](x)"),
        ("[And](x)", "[And](x)"),
    ] {
        assert_eq!(print(text), expected, "{text}");
        assert_eq!(print(expected), expected, "again: {expected}");
        let tree = |text| parse(text, &Limits::DEFAULT).expr.expect("a tree");
        assert!(tree(text) == tree(expected), "{text} is {expected}");
    }
}

#[test]
fn every_misreading_is_answered_at_its_place() {
    for (text, expected) in [
        ("sum(orders.total", vec![("E101", "(")]),
        ("a)", vec![("E101", ")")]),
        ("net_sales /", vec![("E102", "/")]),
        ("", vec![("E102", "")]),
        ("a / * b", vec![("E102", "/"), ("E102", "*")]),
        ("net_sales / 1,000", vec![("E103", ",")]),
        ("max(1,000)", vec![]),
        ("10 % 3", vec![("E104", "%")]),
        ("-2 ^ 2", vec![("E105", "-2 ^ 2")]),
        ("0% < discount_rate < 50%", vec![("E106", "< 50%")]),
        ("net_sales -- minus refunds", vec![("E107", "--")]),
        ("net_sales \u{f7} order_count", vec![("E108", "\u{f7}")]),
        ("growth(net_sales) where country = 'DE'", vec![("E109", "where")]),
        ("net_sales == 5 USD", vec![("E110", "==")]),
        (
            "a == 1,000 \u{d7} (b",
            vec![("E110", "=="), ("E103", ","), ("E108", "\u{d7}"), ("E101", "(")],
        ),
        ("@2026-13", vec![("E121", "@2026-13")]),
        ("50 USX", vec![("E121", "USX")]),
        ("net sales", vec![("E120", "sales")]),
        ("'open", vec![("E101", "'")]),
        ("a and", vec![("E102", "and")]),
        ("a and b or c", vec![("W201", "a and b or c")]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(c, s)| (c, s.to_owned())).collect();
        assert_eq!(codes(text), expected, "{text}");
    }
}

#[test]
fn suggestions_applied_parse() {
    for text in [
        "sum(orders.total",
        "net_sales / 1,000",
        "10 % 3",
        "-2 ^ 2",
        "0% < discount_rate < 50%",
        "net_sales -- minus refunds",
        "net_sales \u{f7} order_count",
        "growth(net_sales) where country = 'DE'",
        "net_sales == 5 USD",
        "50 USX",
    ] {
        let parsed = parse(text, &Limits::DEFAULT);
        let mut mended = text.to_owned();
        for finding in parsed.diagnostics.iter().rev() {
            mended = finding.suggestion.as_ref().expect("a suggestion").apply(&mended);
        }
        let again = parse(&mended, &Limits::DEFAULT);
        assert!(again.diagnostics.is_empty(), "{text} -> {mended}: {:?}", again.diagnostics);
    }
}

#[test]
fn comments_stay_when_a_formula_is_formatted() {
    for (text, expected) in [
        ("a /* the top */ / b // per order", "a /* the top */ / b // per order"),
        ("// first\na+b", "// first\na + b"),
        ("a // why\n + b", "a // why\n+ b"),
    ] {
        let formatted = format(&parse(text, &Limits::DEFAULT).expr.expect("a tree"));
        assert_eq!(formatted, expected);
        let again = format(&parse(&formatted, &Limits::DEFAULT).expr.expect("a tree"));
        assert_eq!(again, expected, "stable");
    }
}

#[test]
fn hostile_texts_are_refused_at_their_limit_without_deep_recursion() {
    let wide = Limits { max_bytes: 2_000_000, ..Limits::DEFAULT };
    for (text, code) in [
        ("(".repeat(100_000), "E702"),
        ("(".repeat(3_000), "E704"),
        ("-".repeat(3_001), "E107"),
        ("- ".repeat(3_000) + "1", "E704"),
        ("f(".repeat(40), "E101"),
        ("(".repeat(40) + "1", "E101"),
        ("not ".repeat(3_000) + "a", "E704"),
        ("2^".repeat(2_000) + "2", "E704"),
        ("case when ".repeat(200), "E704"),
    ] {
        let parsed = parse(&text, &wide);
        let found = parsed.diagnostics.iter().any(|finding| finding.code.as_str() == code);
        let shown: String = text.chars().take(20).collect();
        assert!(found, "{shown}: {:?}", parsed.diagnostics.first());
    }
    let long = parse(&"a".repeat(1_000_000), &Limits::DEFAULT);
    assert_eq!(long.diagnostics.first().map(|finding| finding.code.as_str()), Some("E701"));
    let chain = "a".to_owned() + &"+a".repeat(1_500);
    assert_eq!(print(&chain).len(), 1 + 1_500 * 4);
}
