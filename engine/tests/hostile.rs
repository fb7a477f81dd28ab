//! Input made to hurt: each is refused with its code or answered with its value, on a small stack.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "what is not refused as it must be fails the test"
)]

mod requests;
mod stores;

use quotient::data::Record;
use quotient::diagnostics::Diagnostic;
use quotient::diagnostics::render::{Style, render};
use quotient::file::load;
use quotient::syntax::{Limits, format, parse};
use quotient::{Engine, Inputs};
use requests::request;
use stores::{data, engine};

/// Limit: the stack of a case, as a thread of a server has it.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// Runs on a small stack. An overflow ends the whole test program, which fails it too.
fn on_a_small_stack(case: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(case);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

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

/// The answer over the corner shop, or the codes that refuse it.
fn answer(engine: &Engine, text: &str, inputs: Inputs<'_>) -> String {
    let request = request("2026-02-01", "2026-02-28", "2026-03-15T00:00:00Z");
    let shown = |found: Vec<Diagnostic>| {
        let codes: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
        codes.join(" ")
    };
    let formula = match engine.compile(text) {
        Ok(formula) => formula,
        Err(found) => return shown(found),
    };
    match engine.evaluate(&[&formula], inputs, &request) {
        Ok(answers) => {
            let answer = answers.first().expect("one answer");
            match answer.null_reason {
                Some(reason) => format!("null ({})", reason.name()),
                None => quotient::format::exact(&answer.value),
            }
        }
        Err(found) => shown(found),
    }
}

fn corner() -> Engine {
    engine("stores/corner/corner.metrics")
}

/// Limits that let long formulas in, so that what comes after the first check is tried too.
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
            ("length('') / 0 seconds", "null (division_by_zero)"),
        ] {
            let given = answer(&engine, text, Inputs::data(&data));
            assert_eq!(given, expected, "{text:.60}");
        }
    });
}

#[test]
fn text_that_doubles_meets_the_byte_budget() {
    on_a_small_stack(|| {
        let engine = corner();
        let mut text = "let a0 = 'xxxxxxxxxxxxxxxx'; ".to_owned();
        for step in 1..=40 {
            text += &format!("let a{step} = a{0} & a{0}; ", step - 1);
        }
        let long = "let a = 'xxxxxxxxxxxxxxxx'; ".to_owned();

        for (text, expected) in [
            (format!("{text} a40"), "null (overflow)"),
            (format!("{text} length(a40)"), "null (overflow)"),
            (format!("{long} replace(a, 'x', a)"), "?"),
            (
                format!(
                    "{long} let b = replace(a, 'x', a); let c = replace(b, 'x', b); let d = replace(c, 'x', c); let e = replace(d, 'x', d); let f = replace(e, 'x', e); length(f)"
                ),
                "null (overflow)",
            ),
            ("contains(replace('', '', 'x'), '')".to_owned(), "?"),
        ] {
            let given = answer(&engine, &text, Inputs::default());
            println!("{text:.60} gives {given:.60} ({expected})");
        }
    });
}

/// An engine over a formula file of the corner shop's schema, and what is found in it.
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
            file += &format!("metric m{step} = m{0} + m{0}\n", step - 1);
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
            let mut lines = vec!["metric m0 = count(orders)\n".to_owned()];
            for step in 1..10_000 {
                lines.push(format!("metric m{step} = m{} + 1\n", step - 1));
            }
            if forward {
                lines.reverse();
            }
            let shop = "source orders event\n    key id text\n    date at date\n";
            let (engine, findings) = loaded(&format!("{shop}{}", lines.concat()));
            let codes: Vec<_> = findings.iter().map(|finding| finding.code.as_str()).collect();
            println!("{} {:?} {:?}", codes.len(), &codes[..2], findings.first());
            println!("{}", answer(&engine, "m100", Inputs::default()));
            println!("{}", answer(&engine, "m9999", Inputs::default()));
        }
    });
}

#[test]
fn circles_are_named_with_their_whole_path() {
    on_a_small_stack(|| {
        let mut long = String::new();
        for step in 0..1_000 {
            long += &format!("metric m{step} = m{} + 1\n", (step + 1) % 1_000);
        }
        for file in [
            "metric a = a + 1\n",
            "metric a = b\nmetric b = a\n",
            "metric a = b\nmetric b = c\nmetric c = b + a\n",
            &long,
        ] {
            let (_, findings) = loaded(file);
            println!(
                "{} {:?}",
                findings.len(),
                findings
                    .iter()
                    .map(|f| (f.code.as_str(), f.message.chars().take(100).collect::<String>()))
                    .take(4)
                    .collect::<Vec<_>>()
            );
        }
    });
}

#[test]
fn characters_of_every_width_stand_at_every_place() {
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
fn context_records_are_read_exactly_or_refused() {
    on_a_small_stack(|| {
        let engine = corner();
        let long = format!(r#"{{"sales": {}}}"#, "9".repeat(10_000));
        let deep = format!(r#"{{"sales": {}}}"#, "[".repeat(100_000));
        let deep_closed = format!(r#"{{"sales": {}{}}}"#, "[".repeat(120), "]".repeat(120));
        let wide = format!(r#"{{{}"sales": 1}}"#, r#""a": 1, "#.repeat(10_000));
        for (json, expected) in [
            (r#"{"sales": 1, "sales": 2}"#, "?"),
            (r#"{"sales": 1, "SALES": 2}"#, "`SALES` is given twice"),
            (r#"{"sales": 1e400}"#, "?"),
            (r#"{"sales": 1e-400}"#, "?"),
            (r#"{"sales": -0}"#, "?"),
            (r#"{"sales": -0.0}"#, "?"),
            (r#"{"sales": 1.0}"#, "?"),
            (r#"{"sales": 1e3}"#, "?"),
            (r#"{"sales": 9223372036854775808}"#, "?"),
            (r#"{"sales": "1e3"}"#, "?"),
            (r#"{"sales": "NaN"}"#, "?"),
            (r#"{"sales": NaN}"#, "?"),
            (r#"{"sales": Infinity}"#, "?"),
            (r#"{"sales": {"amount": "5", "currency": "usd"}}"#, "?"),
            (r#"{"sales": {"amount": 5, "currency": "XXQ"}}"#, "?"),
            (r#"{"sales": {"amount": 5, "currency": "EUR"}}"#, "?"),
            (r#"{"sales": [1]}"#, "?"),
            (r#"{"sales": true}"#, "?"),
            (r#"{"sales": "\ud800"}"#, "?"),
            (r#"{"sales": 1} x"#, "?"),
            (r#"{"__proto__": 1, "sales": 2}"#, "?"),
            ("\u{feff}{\"sales\": 1}", "?"),
            ("[1]", "?"),
            ("", "?"),
            (&long, "?"),
            (&deep, "?"),
            (&deep_closed, "?"),
            (&wide, "?"),
        ] {
            let given = match Record::from_json(json) {
                Ok(record) => answer(&engine, "sales", Inputs::record(&record)),
                Err(error) => error.to_string(),
            };
            println!("{json:.60} gives {given:.100} ({expected})");
        }
    });
}

#[test]
fn formula_files_of_any_shape_are_read() {
    on_a_small_stack(|| {
        let million = 1 << 20;
        for (name, text) in [
            ("a long line", format!("metric a = {}", "x".repeat(million))),
            ("a long sum", format!("metric a = {}1", "1 + ".repeat(million / 4))),
            ("a long comment", format!("// {}", "x".repeat(million))),
            ("blank lines", "\n".repeat(million)),
            ("bad lines", "?\n".repeat(20_000)),
            ("metrics", "metric a = 1\n".repeat(20_000)),
            ("quotes", "'".repeat(million)),
            ("brackets", format!("metric a = {}", "(".repeat(million))),
            (
                "deep example",
                format!("metric a = 1\n    example {{\"a\": {}1}} = 1\n", "[".repeat(100_000)),
            ),
            ("a null byte", "metric a\0 = 1\n".to_owned()),
            ("a mark", "\u{feff}metric a = 1\n".to_owned()),
        ] {
            let started = std::time::Instant::now();
            let all = load("x.metrics", &mut |_| Ok(text.clone()));
            let (engine, findings) = Engine::from_loaded(&all);
            let failed = engine.run_examples(&all).failed;
            println!(
                "{name}: {} {:?} {} {:?}",
                findings.len(),
                findings.first().map(|(_, f)| (
                    f.code.as_str(),
                    &f.message.chars().take(80).collect::<String>()
                )
                    .1
                    .clone()),
                failed.len(),
                started.elapsed()
            );
            let findings: Vec<_> = findings.into_iter().map(|(_, finding)| finding).collect();
            let text = all.files.first().map_or("", |file| file.text.as_str());
            render("x.metrics", text, &findings, Style::Plain);
            println!("{:?}", started.elapsed());
        }
    });
}
