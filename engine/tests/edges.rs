//! Values at every edge: numbers, dates, texts and records have an answer or a reason.

use crate::requests::request;
use crate::small_stack::{answer, corner, lets, on_a_small_stack};
use crate::stores::data;
use quotient::data::{Record, RecordError};
use quotient::rollup::{Granularity, RollupOptions};
use quotient::syntax::Limits;
use quotient::{Engine, Inputs};

#[test]
fn numbers_at_every_edge_have_an_answer() {
    on_a_small_stack(|| {
        let engine = corner();
        let data = data(&engine);
        let long = "9".repeat(28);
        let wide = format!("1{}", "0".repeat(308));
        for (text, expected) in [
            ("9 ^ 9 ^ 9 ^ 9".to_owned(), "null (overflow)"),
            ("1 / 0".to_owned(), "null (division_by_zero)"),
            ("0 / 0".to_owned(), "null (division_by_zero)"),
            ("mod(1, 0)".to_owned(), "null (division_by_zero)"),
            ("div(1, 0)".to_owned(), "null (division_by_zero)"),
            ("0.1 + 0.2".to_owned(), "0.3"),
            ("-0".to_owned(), "0"),
            ("0 * (-1)".to_owned(), "0"),
            (format!("(-{long}) / (-1)"), long.as_str()),
            (format!("div(-{long}, -1)"), long.as_str()),
            (format!("{long} + 1"), "null (overflow)"),
            (format!("{long} * {long}"), "null (overflow)"),
            (format!("{long} * 1000%"), "null (overflow)"),
            (format!("{wide} * 10"), "E121"),
            (format!("0.{}1", "0".repeat(400)), "E121"),
            ("sqrt(-1)".to_owned(), "null (domain)"),
            ("ln(0)".to_owned(), "null (domain)"),
            ("log(-1, 10)".to_owned(), "null (domain)"),
            ("0 ^ -1".to_owned(), "null (division_by_zero)"),
            ("(-8) ^ 0.5".to_owned(), "null (domain)"),
            ("exp(1000000)".to_owned(), "null (overflow)"),
            ("exp(-1000000)".to_owned(), "0"),
            ("round(1.5, 9223372036854775807)".to_owned(), "1.5"),
            ("round(1.5, -9223372036854775807)".to_owned(), "0"),
            ("percentile(orders.total, 1000%)".to_owned(), "E208"),
            ("left('abc', 9223372036854775807)".to_owned(), "abc"),
            ("left('abc', -1)".to_owned(), "null (domain)"),
            ("mid('abc', 9999999999, 9999999999)".to_owned(), ""),
            ("number('1e400')".to_owned(), "null (domain)"),
            (format!("number('{}')", "9".repeat(5_000)), "null (domain)"),
        ] {
            let given = answer(&engine, &text, Inputs::data(&data));
            assert_eq!(given, expected, "{text:.60}");
        }
    });
}

#[test]
fn dates_at_every_edge_have_an_answer() {
    on_a_small_stack(|| {
        let engine = corner();
        let data = data(&engine);
        for (text, expected) in [
            ("@0000-00-00", "E121"),
            ("@2026-02-30", "E121"),
            ("@2026-W54", "E121"),
            ("@99999", "E121"),
            ("count(orders where created_at in @9999)", "0"),
            ("count(orders where created_at > @9999-12-31)", "0"),
            ("count(orders where created_at > @0001-01-01)", "3"),
            ("during(count(orders), @9999-12-31)", "null (no_coverage)"),
            ("during(count(orders), @0001)", "0"),
            ("date(2026, 2, 30)", "null (domain)"),
            ("date(999999999999, 1, 1)", "null (domain)"),
            ("today() + 9223372036854775807 days", "null (overflow)"),
            ("today() - 9223372036854775807 years", "null (overflow)"),
            ("today() + 99999999999999999999 days", "null (overflow)"),
            ("now() + 9223372036854775807 seconds", "null (overflow)"),
            ("shift(count(orders), 9223372036854775807 years)", "null (no_coverage)"),
            ("shift(count(orders), -9223372036854775807 days)", "null (no_coverage)"),
            ("trailing(count(orders), 9223372036854775807 days)", "null (no_coverage)"),
            ("previous(count(orders), 9223372036854775807)", "null (no_coverage)"),
            ("growth(count(orders), 999999999 months)", "null (no_coverage)"),
            ("days_between(@0001-01-01, @9999-12-31)", "3652058"),
            ("start_of(@0001-01-01, year)", "0001-01-01T00:00:00Z"),
            ("end_of(@9999-12-31, year)", "null (domain)"),
            ("add(@9999-12-31, 1 day)", "null (overflow)"),
            ("let step = 1 month; @2026-03-31 + -step", "2026-02-28"),
            ("length('') / 0 seconds", "null (division_by_zero)"),
        ] {
            let given = answer(&engine, text, Inputs::data(&data));
            assert_eq!(given, expected, "{text:.60}");
        }
    });
}

#[test]
fn lengths_in_different_units_are_looked_for_as_lengths() {
    on_a_small_stack(|| {
        let engine = corner();
        for (text, expected) in [
            ("1 day in (24 hours)", "true"),
            ("1 day not in (24 hours, 3 days)", "false"),
            ("let length = 1 week; length in (7 days)", "true"),
            ("7 days in list(1 week)", "true"),
            ("1 day in (2 days)", "false"),
        ] {
            assert_eq!(answer(&engine, text, Inputs::default()), expected, "{text}");
        }
    });
}

#[test]
fn text_that_doubles_meets_the_byte_budget() {
    on_a_small_stack(|| {
        let engine = corner();
        let long = "'xxxxxxxxxxxxxxxx'";
        let joined = |count| lets(long, count, |before| format!("a{before} & a{before}"));
        let replaced =
            |count| lets(long, count, |before| format!("replace(a{before}, 'x', a{before})"));

        for (text, expected) in [
            (format!("{} length(a10)", joined(10)), "16384"),
            (format!("{} a40", joined(40)), "null (overflow)"),
            (format!("{} length(a40)", joined(40)), "null (overflow)"),
            (format!("{} length(a1)", replaced(1)), "256"),
            (format!("{} length(a9)", replaced(9)), "null (overflow)"),
            ("length(replace('', '', 'x'))".to_owned(), "0"),
        ] {
            assert_eq!(answer(&engine, &text, Inputs::default()), expected, "{text:.60}");
        }
    });
}

#[test]
fn lets_that_double_are_walked_once_each() {
    on_a_small_stack(|| {
        let engine = corner();
        let data = data(&engine);
        let lets = lets("sum(orders.total)", 60, |before| format!("a{before} + a{before}"));

        for formula in [
            "a60 / a60",
            "aov / a60",
            "(a60 where country = 'DE') / a60",
            "avg(a60 per day) / a60",
            "growth(a60)",
            "count(orders where total < a60)",
        ] {
            let given = answer(&engine, &format!("{lets} {formula}"), Inputs::data(&data));
            assert!(!given.starts_with('E'), "{formula}: {given}");
        }
    });
}

#[test]
fn lets_that_double_are_searched_once_each_for_their_rows() {
    on_a_small_stack(|| {
        let engine = corner();
        let data = data(&engine);
        let lets = lets("sum(orders.total)", 60, |before| format!("a{before} + a{before}"));
        let compiled = |formula: &str| {
            let formula = engine.compile(&format!("{lets} {formula}"));
            formula.unwrap_or_else(|found| panic!("{found:?}"))
        };

        let parts = engine.keyed_parts(&compiled("max(a60 per customer_id)"));
        assert_eq!(parts.first().expect("one part").sources, ["orders"]);

        let formula = compiled("weighted_avg(a60, 1 per day)");
        let request = request("2026-02-01", "2026-02-28", "2026-03-15T00:00:00Z");
        engine.explain(&formula, Inputs::data(&data), &request).expect("an answer");
    });
}

#[test]
fn the_rows_of_a_chain_of_ratios_are_collected_once() {
    on_a_small_stack(|| {
        let mut engine = corner();
        let count = |least: usize| format!("count(orders where total > {least} USD)");
        let counts: Vec<String> = (0..180).map(count).collect();
        engine.define("m", &counts.join(" + ")).expect("a metric");
        for (text, expected) in [
            ("m / ".repeat(1_199) + "m", ["W320"].as_slice()),
            ("sales / 2 / count(orders)".to_owned(), &["W302"]),
            ("2 * sales / 7 + 1 USD * count(orders) / 2".to_owned(), &[]),
            ("sales / order_count / (sales / count(orders))".to_owned(), &["W302"]),
            ("sales / (sales / count(orders))".to_owned(), &["W302", "W302"]),
        ] {
            let found = engine.validate(&text).diagnostics;
            let codes: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
            assert_eq!(codes, expected, "{text:.60}");
        }
    });
}

#[test]
fn filters_that_double_are_refused() {
    let engine = corner();
    for sign in ["+", "/"] {
        let lets = lets("sum(orders.total)", 24, |before| {
            format!("(a{before} where total > {} USD) {sign} a{before}", before + 1)
        });
        let found = engine.compile(&format!("{lets} a24")).expect_err("too many filters");
        assert_eq!(found.first().map(|finding| finding.code.as_str()), Some("E703"), "{sign}");
    }
}

#[test]
fn windows_that_add_up_are_refused() {
    on_a_small_stack(|| {
        let engine = corner();
        let data = data(&engine);
        let lets = lets("sum(orders.total)", 30, |before| {
            format!("shift(a{before}, {} seconds) + a{before}", 1 << before)
        });
        assert_eq!(answer(&engine, &format!("{lets} a3"), Inputs::data(&data)), "1600");
        assert_eq!(answer(&engine, &format!("{lets} a30"), Inputs::data(&data)), "E706");

        let limits = Limits { max_periods: 120, ..Limits::DEFAULT };
        let narrow = Engine::with_limits(engine.schema().clone(), limits);
        assert_eq!(answer(&narrow, &format!("{lets} a2"), Inputs::data(&data)), "800");
        assert_eq!(answer(&narrow, &format!("{lets} a3"), Inputs::data(&data)), "E706");
    });
}

#[test]
fn conditions_that_double_have_rollups_or_none_at_once() {
    let engine = corner();
    let options = RollupOptions::new(Granularity::Day);
    for (word, counted) in
        [("and", "orders where a60"), ("or", "customers where count(orders) > 1 or a60")]
    {
        let doubled = |before| format!("a{before} {word} a{before}");
        let lets = lets("period_start > @2020-01-01", 60, doubled);
        let formula = engine.compile(&format!("{lets} count({counted})"));
        let formula = formula.unwrap_or_else(|found| panic!("{word}: {found:?}"));
        engine.rollup_schema(&[&formula], &options).expect("no dimension is asked for");
    }
}

#[test]
fn context_records_are_read_exactly_or_refused() {
    on_a_small_stack(|| {
        let engine = corner();
        let long = format!(r#"{{"sales": {}}}"#, "9".repeat(10_000));
        let deep = format!(r#"{{"sales": {}}}"#, "[".repeat(100_000));
        let deep_closed = format!(r#"{{"sales": {}{}}}"#, "[".repeat(120), "]".repeat(120));
        let wide = format!(r#"{{{}"sales": 1}}"#, r#""a": 1, "#.repeat(10_000));
        for (json, expected) in [
            (r#"{"sales": 1, "sales": 2}"#, "2"),
            (r#"{"sales": 1, "SALES": 2}"#, "`sales` is given twice"),
            (r#"{"sales": 1e400}"#, "`sales`: 1e+400 has more than 28 digits"),
            (r#"{"sales": 1e-400}"#, "`sales`: 1e-400 has more than 28 digits"),
            (r#"{"sales": -0}"#, "0"),
            (r#"{"sales": -0.0}"#, "0"),
            (r#"{"sales": 1.0}"#, "1"),
            (r#"{"sales": 1e3}"#, "1000"),
            (r#"{"sales": 9223372036854775808}"#, "9223372036854775808"),
            (r#"{"sales": "1e3"}"#, "E504"),
            (r#"{"sales": "NaN"}"#, "E504"),
            (r#"{"sales": NaN}"#, "no object"),
            (r#"{"sales": Infinity}"#, "no object"),
            (r#"{"sales": {"amount": "5", "currency": "usd"}}"#, "5"),
            (
                r#"{"sales": {"amount": 5, "currency": "XXQ"}}"#,
                "`sales`: `XXQ` is no currency of ISO 4217",
            ),
            (
                r#"{"sales": {"amount": "5,00", "currency": "USD"}}"#,
                "`sales`: the amount `5,00` is not a number",
            ),
            (
                r#"{"sales": {"amount": "1e400", "currency": "USD"}}"#,
                "`sales`: 1e400 has more than 28 digits",
            ),
            (r#"{"sales": {"amount": 5, "currency": "EUR"}}"#, "E504"),
            (r#"{"sales": [1]}"#, "E504"),
            (r#"{"sales": true}"#, "E504"),
            (r#"{"sales": "\ud800"}"#, "no object"),
            (r#"{"sales": 1} x"#, "no object"),
            (r#"{"__proto__": 1, "sales": 2}"#, "2"),
            ("\u{feff}{\"sales\": 1}", "no object"),
            ("[1]", "no object"),
            ("", "no object"),
            (&long, "too long"),
            (&deep, "no object"),
            (&deep_closed, "E504"),
            (&wide, "1"),
        ] {
            let given = match Record::from_json(json) {
                Ok(record) => answer(&engine, "sales", Inputs::record(&record)),
                Err(RecordError::Malformed(_)) => "no object".to_owned(),
                Err(RecordError::Number { number, .. }) if number.len() == 60 => {
                    "too long".to_owned()
                }
                Err(error) => error.to_string(),
            };
            assert_eq!(given, expected, "{json:.60}");
        }
    });
}
