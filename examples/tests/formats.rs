//! Answers and diagnostics in every format, as programs and documents get them.
#![expect(clippy::unwrap_used, reason = "a test that cannot read JSON has failed")]

use crate::commands::{Outcome, Scratch, evaluate, evaluate_words};
use serde_json::{Value, json};

const CORNER: &str = "stores/corner/corner.metrics --now 2026-04-01T00:00:00Z";

/// The corner store in January 2026, with arguments that contain blanks.
fn january(words: &[&str]) -> Outcome {
    let period = ["--from", "2026-01-01", "--to", "2026-01-31"];
    let own: Vec<&str> = CORNER.split_whitespace().chain(period).collect();
    evaluate_words(&[&own, words].concat())
}

fn answers(words: &[&str]) -> Value {
    let outcome = january(&[words, &["--format", "json"]].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// The first answer to a formula.
fn answer(formula: &str) -> Value {
    let answers = answers(&["--formula", formula]);
    let values = answers.pointer("/rows/0/values");
    values.and_then(|values| values.get(formula)).cloned().unwrap_or_default()
}

#[test]
fn an_answer_has_its_text_type_unit_and_period() {
    assert_eq!(
        answer("sales / length(period)"),
        json!({
            "value": "0.0000373357228195937873357228",
            "type": "money(USD) per time",
            "unit": "USD per second",
            "formatted": "$3.23 per day",
            "exact": true,
            "null_reason": null,
            "null_at": null,
            "period": {
                "from": "2026-01-01", "to": "2026-01-31", "partial": false,
                "as_of": "2026-02-01T00:00:00Z"
            }
        })
    );
}

#[test]
fn values_have_the_types_of_json_and_inexact_ones_are_marked() {
    for (formula, value, ty, is_exact) in [
        ("2^0.5", json!("1.414213562373095048801688724"), "number", false),
        ("list(1, 2)", json!(["1", "2"]), "list(number)", true),
        ("sales > 5 USD", json!(true), "bool", true),
        ("'a' & 'b'", json!("ab"), "text", true),
        ("period_start", json!("2026-01-01T00:00:00Z"), "datetime", true),
        ("order_count / order_count", json!("1"), "percent", true),
    ] {
        let answer = answer(formula);
        assert_eq!((&answer["value"], &answer["type"]), (&value, &json!(ty)), "{formula}");
        assert_eq!(answer["exact"], is_exact, "{formula}");
    }
}

#[test]
fn a_null_says_why_and_from_where_in_a_formula_and_in_a_metric() {
    let own = answer("sales / 0");
    assert_eq!((&own["value"], &own["null_reason"]), (&json!(null), &json!("division_by_zero")));
    assert_eq!(
        own["null_at"],
        json!({ "metric": null, "start": 0, "end": 9, "text": "sales / 0" })
    );
    let below = answers(&["--formula", "aov", "--where", "country = 'IT'"]);
    assert_eq!(below["rows"][0]["values"]["aov"]["null_at"]["metric"], "aov");
}

#[test]
fn the_type_of_an_answer_is_in_the_requested_currency() {
    let rates = Scratch::new("rates.csv", "day,currency,rate\n2026-01-01,EUR,1.25\n");
    let file = Scratch::new(
        "rates.metrics",
        format!(
            "rates from \"{}\"\nuse \"{}\"\n",
            rates.name(),
            concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/stores/corner/corner.metrics")
        ),
    );
    let outcome = evaluate(&format!("{} sales --currency EUR --format json", file.name()));

    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let answers: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let sales = &answers["rows"][0]["values"]["sales"];
    assert_eq!((&sales["type"], &sales["unit"]), (&json!("money(EUR)"), &json!("EUR")));
}

#[test]
fn every_answer_has_a_line_of_its_own() {
    let outcome =
        january(&["sales", "aov", "--group-by", "country", "--totals", "--format", "ndjson"]);

    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let lines: Vec<Value> =
        outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let marks: Vec<_> =
        lines.iter().map(|line| (&line["metric"], &line["group"], &line["kind"])).collect();
    assert_eq!(marks[0], (&json!("sales"), &json!({ "country": "DE" }), &json!(null)));
    assert_eq!(marks[marks.len() - 1], (&json!("aov"), &json!({}), &json!("total")));
    assert_eq!(lines[0]["unit"], "USD");
}

#[test]
fn documents_get_tables() {
    let months = format!("{CORNER} sales --by month --from 2026-01 --to 2026-03 --format markdown");

    assert_eq!(
        evaluate(&months).stdout,
        "2026-01-01 to 2026-03-31 (UTC)\n\n\
         | Period | Sales |\n\
         | --- | --: |\n\
         | trend | ▅█▁ |\n\
         | 2026-01 | $100.00 |\n\
         | 2026-02 | $180.00 |\n\
         | 2026-03 | $0.00 |\n"
    );
    let all = january(&["--format", "markdown"]).stdout;
    assert!(all.contains("\n| **sales** |  |  |\n| Sales | $100.00 | sales |\n"), "{all}");
}

#[test]
fn spreadsheets_get_reasons_and_unguarded_texts_where_they_ask() {
    let formulas = ["--formula", "sales / 0", "--formula", "'=1'", "--format", "csv"];

    assert_eq!(january(&formulas).stdout, "sales / 0,'=1'\n,'=1\n");
    assert_eq!(
        january(&[&formulas[..], &["--null-reasons", "--unguarded"]].concat()).stdout,
        "sales / 0,sales / 0_null_reason,'=1','=1'_null_reason\n,division_by_zero,=1,\n"
    );
}

#[test]
fn a_flag_that_would_be_ignored_is_refused() {
    for (words, says) in [
        ("--null-reasons", "--null-reasons is for --format csv"),
        ("--unguarded --format json", "--unguarded is for --format csv"),
        ("--explain aov --format markdown", "--format markdown is for answers in rows"),
        ("--explain aov --format ndjson", "--format ndjson is for answers in rows"),
        ("--check --format csv", "--format csv is for answers in rows"),
        ("--complete sa --format markdown", "--format markdown is for answers in rows"),
    ] {
        let outcome = evaluate(&format!("{CORNER} {words}"));

        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{words}");
        assert!(outcome.stderr.contains(says), "{words}: {}", outcome.stderr);
    }
}

#[test]
fn findings_are_json_where_answers_are() {
    let outcome = january(&["--formula", "salse == 3", "--format", "json"]);

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), ""));
    let found: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&found["errors"], &found["warnings"]), (&json!(2), &json!(0)));
    assert_eq!(
        found["diagnostics"][1],
        json!({
            "code": "E110",
            "severity": "error",
            "message": "one `=` is enough to compare",
            "help": "salse = 3",
            "file": "formula",
            "line": 1, "column": 7, "end_line": 1, "end_column": 9, "start": 6, "end": 8,
            "edits": [{
                "line": 1, "column": 7, "end_line": 1, "end_column": 9, "start": 6, "end": 8,
                "text": "="
            }],
            "fixable": true,
            "labels": []
        })
    );
}

#[test]
fn a_check_is_json_with_every_finding_of_every_file() {
    let sound = evaluate(&format!("{CORNER} --check --format json"));
    assert_eq!((sound.code, sound.stderr.as_str()), (Some(0), ""));
    let whole: Value = serde_json::from_str(&sound.stdout).unwrap();
    assert_eq!(
        whole,
        json!({ "diagnostics": [], "errors": 0, "warnings": 0, "metrics": 3, "examples": 0 })
    );

    let wrong = evaluate("formulas/wrong.metrics --check --format json");
    assert_eq!((wrong.code, wrong.stderr.as_str()), (Some(1), ""));
    let whole: Value = serde_json::from_str(&wrong.stdout).unwrap();
    let found = whole["diagnostics"].as_array().unwrap();
    let own = found.iter().filter(|finding| finding["file"] == "formulas/wrong.metrics");
    assert_eq!(own.count(), 40);
    let lines = evaluate("formulas/wrong.metrics --check --format ndjson").stdout;
    assert_eq!(lines.lines().count(), found.len());

    let drawn = evaluate("formulas/wrong.metrics --check").stderr;
    assert!(drawn.ends_with("\n38 errors, 3 warnings\n"), "{drawn}");
}

#[test]
fn a_split_change_has_its_exact_values_beside_the_amounts_that_add_up() {
    let words = "online-retail/shop.metrics --decompose aov --from 2011-11-01 --to 2011-11-30 \
                 --format json";
    let split: Value = serde_json::from_str(&evaluate(words).stdout).unwrap();

    assert_eq!(split["change"]["value"], "-21.03");
    let unrounded = split["unrounded"]["change"].as_str().unwrap();
    assert!(unrounded.starts_with("-21.02") && unrounded.len() > 12, "{unrounded}");
}

/// A file of orders with a formula that is warned of, a record key that has no effect, and rates.
struct Warned {
    file: Scratch,
    record: Scratch,
    _rates: Scratch,
}

fn warned() -> Warned {
    let rates = Scratch::new("few-rates.csv", "day,currency,rate\n2026-01-01,EUR,1.25\n");
    let text =
        format!("rates from \"{}\"\nstore\n    currency USD\ninput n number\n", rates.name());
    Warned {
        file: Scratch::new("few.metrics", text),
        record: Scratch::new("few.json", r#"{"n": 10, "typo_n": 2}"#),
        _rates: rates,
    }
}

#[test]
fn an_amount_written_out_is_converted_though_no_rows_are_read() {
    let Warned { file, .. } = &warned();
    let name = file.name();
    let period = ["--from", "2026-01-02", "--to", "2026-01-02", "--now", "2026-03-01T00:00:00Z"];
    for (words, expected) in [
        (&["--formula", "convert(500 EUR, to: USD)"][..], "$625.00"),
        (&["--formula", "5 USD", "--currency", "EUR"], "€4.00"),
    ] {
        let outcome = evaluate_words(&[&[name.as_str()][..], words, &period].concat());
        assert!(outcome.stdout.contains(expected), "{}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn programs_get_warnings_with_the_answers() {
    let Warned { file, record, .. } = &warned();
    let (file, record) = (file.name(), record.name());
    let mixed = "n = 1 or n = 2 and n = 3";
    let run = |format: &str| {
        let words =
            [file.as_str(), "--context", record.as_str(), "--formula", mixed, "--format", format];
        let outcome = evaluate_words(&words);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert_eq!(outcome.stderr, "");
        outcome.stdout
    };

    let whole: Value = serde_json::from_str(&run("json")).unwrap();
    let codes = |found: &[Value]| found.iter().map(|own| own["code"].clone()).collect::<Vec<_>>();
    let found = whole["diagnostics"].as_array().unwrap();
    assert_eq!(codes(found), ["W201", "W501"]);
    assert_eq!((&found[0]["file"], &found[0]["start"]), (&json!("formula"), &json!(0)));

    let lines = run("ndjson");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["metric"], mixed);
    assert_eq!(codes(&lines[1..]), ["W201", "W501"]);
}

#[test]
fn explanations_for_programs_have_the_warnings_too() {
    let file = Scratch::new("double.metrics", "input n number\nmetric double = n * 2\n");
    let record = Scratch::new("double.json", r#"{"n": 10, "typo_n": 2}"#);
    let (file, record) = (file.name(), record.name());
    let words = [file.as_str(), "--context", record.as_str(), "--explain", "double"];

    let outcome = evaluate_words(&[&words[..], &["--format", "json"]].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let whole: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(whole["answer"]["value"], "20");
    let found = whole["diagnostics"].as_array().unwrap();
    assert_eq!(found.iter().map(|own| &own["code"]).collect::<Vec<_>>(), [&json!("W501")]);

    let drawn = evaluate_words(&words);
    assert!(drawn.stderr.contains("warning[W501]"), "{}", drawn.stderr);
}

#[test]
fn the_amounts_of_a_context_are_converted_at_the_rates_of_the_file() {
    let rates = Scratch::new("rates.csv", "day,currency,rate\n2026-01-01,EUR,1.25\n");
    let text =
        format!("rates from \"{}\"\nstore\n    currency USD\ninput fee money(EUR)\n", rates.name());
    let file = Scratch::new("fees.metrics", text);
    let record = Scratch::new("fees.json", r#"{"fee": {"amount": "10.00", "currency": "EUR"}}"#);
    let (file, record) = (file.name(), record.name());
    let words = [file.as_str(), "--context", record.as_str(), "--now", "2026-03-01T00:00:00Z"];
    for (asked, expected) in [
        (&["--formula", "convert(fee, to: USD)"][..], "$12.50"),
        (&["--formula", "fee", "--currency", "USD"], "$12.50"),
        (&["--formula", "fee"], "€10.00"),
    ] {
        let outcome = evaluate_words(&[&words[..], asked].concat());
        assert!(outcome.stdout.contains(expected), "{}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn a_name_missing_from_a_context_has_its_place_in_each_formula() {
    let record = Scratch::new("lacking.json", r#"{"sales": 120}"#);
    let name = record.name();
    let later = "2 * previous(sales)";
    let formulas = ["--formula", "previous(sales)", "--formula", later, "--formula", "sales"];
    let words = [&["--context", name.as_str(), "--format", "json"], &formulas[..]].concat();
    let outcome =
        evaluate_words(&[&CORNER.split_whitespace().collect::<Vec<_>>(), &words[..]].concat());

    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    let whole: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let places: Vec<_> = whole["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (own["code"].clone(), own["start"].clone(), own["end"].clone()))
        .collect();
    let e501 = || json!("E501");
    assert_eq!(places, [(e501(), json!(0), json!(15)), (e501(), json!(4), json!(19))]);
}
