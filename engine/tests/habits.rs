//! Habits from other languages and from word processors: what they mean here, and what is suggested
//! instead.

use crate::small_stack::{answer, corner, on_a_small_stack};
use crate::stores::data;
use quotient::file::load;
use quotient::{Engine, Inputs};

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
        ("sales * 1,000", Some("sales * 1_000")),
        ("IFERROR(1 / 0, 'n/a')", None),
        ("sum(orders.total]", Some("sum(orders.total)")),
        ("sum{orders.total}", Some("sum(orders.total}")),
        ("sales]", None),
        ("sales == 5 USD", Some("sales = 5 USD")),
        ("1 ==", None),
        ("percentile(orders.total, 90)", Some("percentile(orders.total, 90%)")),
        ("percentile(orders.total, 101%)", None),
        (
            "count(orders where status = 'completed' or 'pending' or 'cancelled')",
            Some("count(orders where status in ('completed', 'pending') or 'cancelled')"),
        ),
        ("count(orders where country is 'DE')", Some("count(orders where country = 'DE')")),
        ("count(orders where country in 'DE')", Some("count(orders where country in ('DE'))")),
        ("count(ordrs)", Some("count(orders)")),
        ("COUNTIF(orders.total, '>50')", Some("count(orders where total > 50 USD)")),
        ("5 USD + 5%", Some("5 USD * (1 + 5%)")),
        ("sales + sales - 5%", Some("(sales + sales) * (1 - 5%)")),
        ("sales + order_count * 2", Some("sales / (order_count * 2)")),
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
    assert_eq!(help(&engine, "sales == 5 USD"), "sales = 5 USD");
    assert_ne!(help(&engine, "1 =="), "1 =");
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
fn a_ratio_is_divided_by_the_count_of_the_same_rows_or_by_none() {
    let file = "
source orders event
    key id text
    date at datetime
    field total money
    field status text
metric mean_count = avg(count(orders) per day)
metric order_count = count(orders where status != 'test')
metric paid_count = count(orders where status = 'paid')
";
    let loaded = load("shop", &mut |_| Ok(file.to_owned()));
    let (engine, _) = Engine::from_loaded(&loaded);
    let warned = |text: &str| {
        let finding = engine.validate(text).diagnostics.pop().expect("a warning");
        finding.suggestion.map(|suggestion| suggestion.apply(text))
    };

    let paid = warned("sum(orders.total where status = 'paid') / count(orders)");
    assert_eq!(paid.as_deref(), Some("sum(orders.total where status = 'paid') / paid_count"));
    assert_eq!(warned("sum(orders.total where status = 'open') / count(orders)"), None);
}
