//! Habits of other languages and of word processors: what they mean here, and what is suggested instead.

mod requests;
mod small_stack;
mod stores;

use quotient::{Engine, Inputs};
use small_stack::{answer, corner, on_a_small_stack};
use stores::data;

/// Returns the formula with its first suggestion applied; `None` if there is none.
fn suggested(engine: &Engine, text: &str) -> Option<String> {
    let findings = engine.compile(text).err()?;
    let suggestion = findings.iter().find_map(|finding| finding.suggestion.as_ref())?;
    Some(suggestion.apply(text))
}

fn help(engine: &Engine, text: &str) -> String {
    let findings = engine.compile(text).err().unwrap_or_default();
    findings.into_iter().find_map(|finding| finding.help).unwrap_or_default()
}

#[test]
fn a_suggestion_is_shown_only_if_it_mends_the_formula() {
    let engine = corner();
    for (text, expected) in [
        ("sales * 1,5", Some("sales * 1.5")),
        ("sales * 1,000", Some("sales * 1_000")),
        ("sales * 1.000,50", Some("sales * 1000.50")),
        ("count(orders where country = ‘DE’)", Some("count(orders where country = 'DE')")),
        ("1 in (null, 1)", None),
        ("sales + (", None),
        ("IFERROR(1 / 0, 'n/a')", None),
        ("CORREL(orders.total, orders.total)", None),
        ("LAG(sales)", Some("previous_bucket(sales)")),
        ("LAG(sales, 2, 0)", Some("previous_bucket(sales, 2) default 0")),
        ("VAR_POP(orders.total / 1 USD)", Some("variance_pop(orders.total / 1 USD)")),
        ("STDEVP(orders.total)", Some("stddev_pop(orders.total)")),
        ("ROUNDUP(-2.5, 0)", Some("sign(-2.5) * ceil(abs(-2.5), 0)")),
    ] {
        assert_eq!(suggested(&engine, text).as_deref(), expected, "{text}");
    }
    assert!(help(&engine, "CORREL(orders.total, orders.total)").contains("two columns"));
    // The square of money has no meaning.
    assert_eq!(suggested(&engine, "VAR(orders.total)"), None);
    assert!(help(&engine, "variance(orders.total)").contains("stddev"));
}

#[test]
fn blanks_of_other_programs_and_negative_steps_are_read() {
    on_a_small_stack(|| {
        let engine = corner();
        let data = data(&engine);
        for (text, expected) in [
            ("1\u{a0}+\u{2009}2", "3"),
            ("add(@2026-03-31, -1 month)", "2026-02-28"),
            ("@2024-02-29 + -1 year", "2023-02-28"),
            ("sign(-2.5) * ceil(abs(-2.5), 0)", "-3"),
        ] {
            assert_eq!(answer(&engine, text, Inputs::data(&data)), expected, "{text}");
        }
        assert_eq!(
            suggested(&engine, "EDATE(@2026-03-31, -1)").as_deref(),
            Some("add(@2026-03-31, -1 month)")
        );
    });
}

/// Each with what its help or its suggestion must hold.
const MISREAD: [(&str, &str); 36] = [
    ("COUNT(*)", "count(orders)"),
    ("COUNT(DISTINCT orders.country)", "count_distinct(orders.country)"),
    (
        "SUM(orders.total) FILTER (WHERE orders.country = 'DE')",
        "SUM(orders.total where orders.country = 'DE')",
    ),
    ("SELECT sum(orders.total)", "write the value alone"),
    ("sum(orders.total) FROM orders", "with its fields"),
    ("sum(orders.total) OVER (ORDER BY placed_at)", "running(x)"),
    ("sum(orders.total) GROUP BY country", "--group-by"),
    ("sum(orders.total) ORDER BY country", "--sort"),
    ("sales > 1 && sales < 5", "sales > 1 and sales < 5"),
    ("true || false", "`and` and `or`"),
    ("sales > 5 EUR ? 1 : 0", "if(sales > 5 EUR , 1 , 0)"),
    ("if sales > 5 EUR then 1 else 0 end", "if(sales > 5 EUR , 1 , 0 )"),
    (
        "case weekday(today()) when 1 then 2 else 3 end",
        "case when weekday(today()) = 1 then 2 else 3 end",
    ),
    ("count(orders where created_at > 2026-01-31)", "count(orders where created_at > @2026-01-31)"),
    (
        "count(orders where created_at > '2026-01-31')",
        "count(orders where created_at > @2026-01-31)",
    ),
    ("2026-01-01", "@2026-01-01"),
    ("today() - 1", "today() - 1 days"),
    ("5USD", "5 USD"),
    ("5 usd", "5 USD"),
    ("5 €", "50 EUR"),
    ("max(5 USD, 3)", "max(5 USD, 3 USD)"),
    ("mod(7 USD, 2)", "mod(7 USD, 2 USD)"),
    ("5 USD default 3", "5 USD default 3 USD"),
    ("sales.previous", "previous(sales)"),
    ("orders.country", "first(orders.country)"),
    ("max(1)", "max(orders.total)"),
    ("let where = 5; 1", "[where]"),
    ("5% of 3", "5% * 3"),
    ("日本", "in brackets"),
    ("Größe + 1", "in brackets"),
    ("1.5,5", "max(1.5, 5)"),
    ("count(orders where country = “it's”)", "\"it's\""),
    ("count(orders where country = ‘it’s’)", "'it’s'"),
    ("NVL(sales, 0)", "sales default 0"),
    ("date_trunc('month', today())", "start_of(today(), month)"),
    ("[Sale]", "sales"),
];

#[test]
fn no_branch_of_another_case_and_no_looser_operator_is_rewritten() {
    let engine = corner();
    for text in [
        "case true when true then case when false then 1 else 2 end end",
        "case true when true or false then 1 else 2 end",
        "100 / 5% of 20",
    ] {
        assert_eq!(suggested(&engine, text), None, "{text}");
    }
    assert!(help(&engine, "today() * 2").contains("numbers, money and durations"));
}

#[test]
fn what_other_languages_write_is_answered_with_what_is_written_here() {
    let engine = corner();
    let mut wrong = Vec::new();
    for (text, expected) in MISREAD {
        let count = engine.compile(text).err().map_or(0, |findings| findings.len());
        let suggested = suggested(&engine, text).unwrap_or_default();
        let help = help(&engine, text);
        if count != 1 || !help.contains(expected) && suggested != expected {
            wrong.push(format!("{text}: {count} findings, {help} / {suggested}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
