//! Hostile input: each is refused with its code or answered with its value, on a small stack.

use std::fmt::Write;

use crate::small_stack::{answer, corner, on_a_small_stack};
use quotient::data::Rates;
use quotient::diagnostics::Diagnostic;
use quotient::diagnostics::render::{Style, render};
use quotient::file::load;
use quotient::syntax::{Limits, format, parse};
use quotient::types::Reason;
use quotient::{Engine, Inputs, Request};

/// Everything that may be done with a text, whether it is a formula or not.
fn exercise(engine: &Engine, text: &str) -> Vec<Diagnostic> {
    let diagnostics = engine.validate(text).diagnostics;
    render("formula", text, &diagnostics, Style::Plain);
    for finding in &diagnostics {
        let range = finding.span.range();
        assert!(text.get(range.clone()).is_some(), "{}: {range:?} of {text:?}", finding.code);
        if let Some(suggestion) = &finding.suggestion {
            suggestion.apply(text);
        }
    }
    if let Some(expr) = parse(text, engine.limits()).expr {
        assert!(expr.clone() == expr, "a tree equals its copy");
        format(&expr);
    }
    diagnostics
}

fn codes(engine: &Engine, text: &str) -> Vec<&'static str> {
    let mut codes: Vec<_> =
        exercise(engine, text).iter().map(|finding| finding.code.as_str()).collect();
    codes.dedup();
    codes
}

/// Limits that let long formulas pass, so that the stages after the first check are tested too.
fn wide_open() -> Limits {
    Limits {
        max_bytes: 4 << 20,
        max_tokens: 1 << 20,
        max_nodes: 1 << 20,
        max_arguments: 20_000,
        ..Limits::DEFAULT
    }
}

fn open_corner() -> Engine {
    Engine::with_limits(corner().schema().clone(), wide_open())
}

#[test]
fn endless_formulas_are_refused_by_the_limit_they_break() {
    on_a_small_stack(|| {
        let engine = corner();
        let open = open_corner();
        let times = |text: &str, count: usize| text.repeat(count);
        for (name, text, closed_codes, open_codes) in [
            ("terms", times("1 + ", 100_000) + "1", "E701", ""),
            ("brackets", times("(", 100_000), "E701", "E704"),
            ("closed brackets", times("(", 5_000) + "1" + &times(")", 5_000), "E701", "E704"),
            ("open brackets", times("(", 40) + "1", "E101", "E101"),
            ("square brackets", times("[", 100_000), "E701", "E101"),
            ("minus signs", times("- ", 100_000) + "1", "E701", "E704"),
            ("double minus", times("-", 100_000), "E701", "E107"),
            ("nots", times("not ", 100_000) + "true", "E701", "E704"),
            ("calls", times("abs(", 1_000) + "1" + &times(")", 1_000), "E704", "E704"),
            ("cases", times("case when true then ", 99) + "1" + &times(" end", 99), "E704", "E704"),
            ("ifs", times("if(true, 1, ", 500) + "1" + &times(")", 500), "E704", "E704"),
            ("powers", times("1 ^ ", 1_000) + "1", "E704", "E704"),
            ("scopes", times("(", 500) + "aov" + &times(" where true)", 500), "E704", "E704"),
            ("lists", times("1 in (", 500) + "1" + &times(")", 500), "E704", "E704"),
            ("arguments", format!("max({}1)", times("1, ", 9_999)), "E701", ""),
            ("values", format!("1 in ({}1)", times("1,", 500)), "E705", ""),
            ("null tests", format!("1{}", times(" is null", 1_000)), "E106", "E106"),
            ("many null tests", format!("1{}", times(" is null", 50_000)), "E701", "E106"),
            ("ranges", format!("1{}", times(" between 0 and 2", 500)), "E106", "E106"),
            ("dots", format!("orders{}", times(".customer", 500)), "E201", "E201"),
            ("lets", times("let a = 1; ", 500) + "a", "E211", "E211"),
            ("conditions", format!("count(orders{})", times(" where true", 500)), "", ""),
            ("defaults", times("1 default ", 500) + "1", "", ""),
            ("comparisons", times("1 < ", 1_000) + "1", "E106", "E106"),
            ("holes", times("? + ", 500) + "?", "E210", "E210"),
            ("commas", times(",", 8_000), "E702", "E120"),
            ("percents", times("%", 8_000), "E702", "E104"),
            ("quotes", times("'", 7_999), "E101", "E101"),
            ("comments", times("/*", 4_000), "E102", "E102"),
            ("ats", times("@", 8_000), "E120", "E120"),
            ("wheres", times("1 where ", 1_000), "E109", "E109"),
        ] {
            let errors = |engine| {
                let mut codes = codes(engine, &text);
                codes.retain(|code| code.starts_with('E'));
                codes.join(" ")
            };
            assert_eq!(errors(&engine), closed_codes, "{name}");
            assert_eq!(errors(&open), open_codes, "{name}, limits raised");
        }
    });
}

#[test]
fn a_long_sum_is_computed_in_a_loop() {
    on_a_small_stack(|| {
        let engine = open_corner();

        for (text, expected) in [
            ("1 + ".repeat(100_000) + "1", "100001"),
            ("1 - ".repeat(100_000) + "1", "-99999"),
            (format!("max({}7)", "1, ".repeat(9_999)), "7"),
            ("true and ".repeat(20_000) + "false", "false"),
            ("null default ".repeat(20_000) + "3", "3"),
            (format!("if(7 in ({}7), 1, 2)", "1,".repeat(9_999)), "1"),
        ] {
            assert_eq!(answer(&engine, &text, Inputs::default()), expected, "{text:.60}");
        }
    });
}

/// An engine over a formula file with the corner shop's schema, and the diagnostics of the file.
fn loaded(metrics: &str) -> (Engine, Vec<Diagnostic>) {
    let loaded = load("chain.metrics", &mut |_| Ok(metrics.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    (engine, findings.into_iter().map(|(_, finding)| finding).collect())
}

#[test]
fn a_chain_that_doubles_at_each_step_is_computed_once_a_step() {
    on_a_small_stack(|| {
        let mut file = "metric m0 = 1\n".to_owned();
        for step in 1..=64 {
            writeln!(file, "metric m{step} = m{0} + m{0}", step - 1).ok();
        }
        let limits = Limits { max_steps: 10_000, ..Limits::DEFAULT };
        let all = load("chain.metrics", &mut |_| Ok(file.clone()));
        let (engine, findings) = Engine::from_loaded_with(&all, limits);

        assert_eq!(findings, []);
        assert_eq!(answer(&engine, "m64", Inputs::default()), "18446744073709551616");
    });
}

#[test]
fn a_chain_of_ten_thousand_metrics_is_refused_where_it_gets_too_deep() {
    on_a_small_stack(|| {
        for forward in [false, true] {
            let mut lines = vec!["metric m0 = 1\n".to_owned()];
            for step in 1..10_000 {
                lines.push(format!("metric m{step} = m{} + 1\n", step - 1));
            }
            if forward {
                lines.reverse();
            }

            let (engine, findings) = loaded(&lines.concat());

            let refused = |code| move |finding: &&Diagnostic| finding.code.as_str() == code;
            let deep: Vec<_> = findings.iter().filter(refused("E704")).collect();
            assert_eq!(deep.len(), 1, "the first that is too deep, the rest follow from it");
            assert!(deep[0].message.starts_with("257 levels deep"), "{}", deep[0].message);
            assert_eq!(answer(&engine, "m200", Inputs::default()), "201");
            assert_eq!(answer(&engine, "m9999", Inputs::default()), "E602");
        }
    });
}

#[test]
fn cycles_are_named_with_their_whole_path() {
    on_a_small_stack(|| {
        let mut long = String::new();
        for step in 0..1_000 {
            writeln!(long, "metric m{step} = m{} + 1", (step + 1) % 1_000).ok();
        }
        for (file, path) in [
            ("metric a = a + 1\n", "a → a"),
            ("metric a = b\nmetric b = a\n", "a → b → a"),
            ("metric a = b\nmetric b = c\nmetric c = a\n", "a → b → c → a"),
            (long.as_str(), "m998 → m999 → m0"),
        ] {
            let (_, findings) = loaded(file);
            let cycles: Vec<_> =
                findings.iter().filter(|finding| finding.code.as_str() == "E601").collect();

            assert_eq!(cycles.len(), 1, "{path}");
            assert!(cycles[0].message.ends_with(path), "{}", cycles[0].message);
        }
    });
}

#[test]
fn characters_of_every_width_work_at_every_place() {
    on_a_small_stack(|| {
        let engine = corner();
        let samples = [
            "sum(orders.total where status = 'completed') / count(orders) default 0",
            "let a = 15%; case when a > 1_000.50 USD then [Sales] else -2 ^ 2 end",
            "growth(aov, 30 days) // note",
            "count(orders where created_at in @2026-02 and country like 'D%') /* c */",
            "metric?, 1,000 == -- x",
        ];
        let characters = [
            "\0", "é", "\u{202e}", "\u{200b}", "\u{feff}", "ｓ", "ѕ", "😀", "e\u{301}", "\u{2028}",
            "\u{85}", "'", "[", "(", "/*", "@", "%",
        ];
        for sample in samples {
            for (at, _) in sample.char_indices() {
                let (before, after) = sample.split_at(at);
                for character in characters {
                    let text = format!("{before}{character}{after}");
                    exercise(&engine, &text);
                    exercise(&engine, &format!("{before}{character}"));
                }
            }
        }
    });
}

#[test]
fn formula_files_of_any_shape_are_read() {
    on_a_small_stack(|| {
        let million = 1_000_000;
        let example = format!("{{\"a\": {}1}}", "[".repeat(million));
        for (name, text, expected) in [
            ("a long line", format!("metric a = {}", "x".repeat(million)), "E701"),
            ("a long sum", format!("metric a = {}1", "1 + ".repeat(million / 4)), "E701"),
            ("a long comment", format!("// {}", "x".repeat(million)), ""),
            ("blank lines", "\n".repeat(1 << 20), ""),
            ("too much", "\n".repeat((1 << 20) + 1), "E803"),
            ("bad lines", "?\n".repeat(20_000), "E801"),
            ("the same metric", "metric a = 1\n".repeat(20_000), "E211"),
            ("quotes", "'".repeat(million), "E801"),
            ("brackets", format!("metric a = {}", "(".repeat(million)), "E701"),
            ("deep JSON", format!("metric a = 1\n    example {example} = 1\n"), "E804"),
            ("a null byte", "metric a\0 = 1\n".to_owned(), "E802"),
            ("a byte order mark", "\u{feff}metric a = 1\n".to_owned(), ""),
        ] {
            let all = load("x.metrics", &mut |_| Ok(text.clone()));
            let (engine, mut findings) = Engine::from_loaded(&all);
            findings.extend(engine.run_examples(&all).failed);
            let findings: Vec<_> = findings.into_iter().map(|(_, finding)| finding).collect();

            assert!(findings.len() <= 1_000, "{name}: {} findings", findings.len());
            let first = findings.first().map_or("", |finding| finding.code.as_str());
            assert_eq!(first, expected, "{name}");
            let text = all.files.first().map_or("", |file| file.text.as_str());
            render("x.metrics", text, &findings, Style::Plain);
        }
    });
}

#[test]
fn a_chain_of_amounts_in_two_currencies_takes_linear_time() {
    let file = "
source o event
    key id text
    date at datetime
    field c text
    field d text
    field p money by c
    field q money by d
";
    let loaded = load("chain.metrics", &mut |_| Ok(file.to_owned()));
    let (engine, findings) = Engine::from_loaded_with(&loaded, wide_open());
    assert_eq!(findings, []);
    let mut rows = engine.table("o", &["id", "at", "c", "d", "p", "q"]).expect("a source");
    rows.push(&["1", "2026-02-05", "USD", "EUR", "1", "2"]).expect("a row");
    let data = engine.data(vec![rows.finish()], Rates::new()).expect("rows");
    let text = format!("sum(o.q{})", " + p".repeat(20_000));
    let formula = engine.compile(&text).expect("a formula");
    let started = std::time::Instant::now();

    let answers = engine.evaluate(&[&formula], Inputs::data(&data), &Request::default());

    let took = started.elapsed();
    let answers = answers.expect("an answer");
    let reason = answers.first().and_then(|answer| answer.null_reason);
    assert_eq!(reason, Some(Reason::MixedCurrency));
    assert!(took < std::time::Duration::from_secs(5), "{took:?}");
}
