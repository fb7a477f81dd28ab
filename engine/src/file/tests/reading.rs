//! Findings about unreadable lines.

use super::{SHOP, findings};

#[test]
fn a_file_with_everything_has_no_findings() {
    assert_eq!(findings(SHOP), Vec::<String>::new());
}

#[test]
fn an_unknown_item_is_answered_with_the_nearest() {
    assert_eq!(
        findings("metrc aov = 1\nmetric a = 1\n"),
        ["E801 [metrc] `metrc` is no item | did you mean `metric`? known: use, store, source, \
          population, dimension, placeholder, input, rates, metric"]
    );
}

#[test]
fn every_bad_line_is_reported_and_hides_no_other() {
    let text = "\
store
    currency gbp
    timezone Europe/Lodon
    week_start mon
    colour blue
    currency EUR
source orders evnt
    key
    field total mony
    field where text
    field tip money of gods
    field note text in ('a' 'b')
    field n number in ('a')
    link customer customers
    covers 2011-01-01 to @2011-02-30
    total sum
metric a \"A\" net_sales
metric b =
metric c = 1
    type money
    decimals many
    format \"abc\"
    prefix none
    unlisted yes
    example { \"a\": 1 = 2
    + 3
metric d
metric e = 1
metric e = 2
metric 4th = 1
input x text by
placeholder p = orders
placeholder q = orders.total average
population s = orders when true
rates \"rates.csv\"
dimension country
use base.metrics
";
    insta::assert_snapshot!(findings(text).join("\n"));
}

#[test]
fn a_field_has_each_clause_once() {
    for (clauses, repeated) in [("money of goods of tax", "of"), ("text in ('a') in ('b')", "in")] {
        let text = format!("source s event\n    date at datetime\n    field f {clauses}\n");
        let findings = findings(&text);
        let expected = format!("E802 [{repeated}] `{repeated}` is given twice | leave one of them");
        assert_eq!(findings, [expected], "{clauses}");
    }
}

#[test]
fn the_unknown_zone_is_not_a_time_zone() {
    let findings = findings("store\n    timezone Etc/Unknown\n");

    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].starts_with("E802 [Etc/Unknown] `Etc/Unknown` is no time zone"));
}

#[test]
fn an_indented_line_needs_an_item_above() {
    assert_eq!(
        findings("    currency GBP\n"),
        ["E801 [currency] an indented line without an item above it | \
          an item starts in the first column"]
    );
}

#[test]
fn a_formula_keeps_its_place_in_the_file() {
    let text = "metric a // why\n    = net_sales // half\n        / 2 // done\n";

    let loaded = super::load_text(text);

    let formula = &loaded.metrics[0].formula;
    assert_eq!(formula.text, "net_sales // half\n        / 2");
    assert_eq!(formula.span.slice(text), formula.text);
    let inside = crate::source::Span::new(0, 9);
    assert_eq!(formula.place(inside).slice(text), "net_sales");
}

#[test]
fn a_broken_formula_does_not_swallow_the_next_item() {
    for broken in ["sum((", "'unclosed", "a /* unclosed", "[x", "{", "\"x\\"] {
        let text = format!("metric a = {broken}\nmetric b = 2\n");

        let keys: Vec<String> =
            super::load_text(&text).metrics.into_iter().map(|metric| metric.key.value).collect();

        assert_eq!(keys, ["a", "b"], "{broken}");
    }
}

#[test]
fn comment_marks_in_quotes_are_text() {
    let text = "metric a \"see // here\" = if(x = '/* no */', 'a//b', 1)\n    \
                example { \"u\\\"//\": \"http://x\" } = 'c//d'\n";

    let loaded = super::load_text(text);

    assert_eq!(loaded.findings, []);
    let metric = &loaded.metrics[0];
    assert_eq!(metric.title.as_deref(), Some("see // here"));
    assert_eq!(metric.formula.text, "if(x = '/* no */', 'a//b', 1)");
    assert_eq!(metric.examples[0].context.text, "{ \"u\\\"//\": \"http://x\" }");
    assert_eq!(metric.examples[0].expected.text, "'c//d'");
}

#[test]
fn tabs_and_windows_line_ends_are_read() {
    let text = "\u{feff}store\r\n\tcurrency GBP\r\n\r\nmetric a\r\n\t= 1\r\n\t\t+ 2\r\n";

    let loaded = super::load_text(text);

    assert_eq!(loaded.findings, []);
    assert_eq!(loaded.metrics[0].formula.text, "1\r\n\t\t+ 2");
}

#[test]
fn a_name_that_formulas_read_otherwise_needs_brackets() {
    for word in ["where", "END", "true"] {
        assert_eq!(findings(&format!("input {word} number\n")).len(), 1, "{word}");
        assert_eq!(findings(&format!("input [{word}] number\n")), Vec::<String>::new(), "{word}");
    }
}
