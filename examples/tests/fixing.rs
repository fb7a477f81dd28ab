//! `--fix`: what it fixes, what it leaves to the author, and what it writes.

use crate::commands::{Scratch, evaluate};

const STORE: &str = "store
    currency USD

source orders event
    key id text
    date created_at datetime
    field country text
    field status text in ('pending', 'completed', 'cancelled')
    field total money
    field totals money

";

fn text(file: &Scratch) -> String {
    std::fs::read_to_string(file.name()).unwrap_or_default()
}

/// The metrics of a file after `--fix`, and its exit code.
fn fixed(metrics: &str) -> (String, Option<i32>) {
    let file = Scratch::new("fixed.metrics", format!("{STORE}{metrics}"));
    let outcome = evaluate(&format!("{} --fix", file.name()));
    (text(&file).replace(STORE, ""), outcome.code)
}

#[test]
fn unambiguous_diagnostics_are_fixed() {
    for (wrong, right) in [
        ("metric a = 1 == 2\n", "metric a = 1 = 2\n"),
        ("metric a = 10 % 3\n", "metric a = mod(10, 3)\n"),
        ("metric a = cuont(orders)\n", "metric a = count(orders)\n"),
        ("metric a = sum(orders.total) > 1000\n", "metric a = sum(orders.total) > 1000 USD\n"),
        (
            "metric a = count(orders where status == 'complete')\n",
            "metric a = count(orders where status = 'completed')\n",
        ),
        (
            "metric a = count(orders where country = 'a' or country = 'b' and country = 'c')\n",
            "metric a = count(orders where country = 'a' or (country = 'b' and country = 'c'))\n",
        ),
        (
            "metric sales = sum(orders.total)\nmetric a = IFERROR(slaes / count(orders), 0)\n",
            "metric sales = sum(orders.total)\nmetric a = sales / count(orders) default 0\n",
        ),
        (
            "metric a = count(orders)\n    example { \"ordesr\": [] } = 0\n",
            "metric a = count(orders)\n    example { \"orders\": [] } = 0\n",
        ),
    ] {
        assert_eq!(fixed(wrong), (right.to_owned(), Some(0)), "{wrong}");
    }
}

#[test]
fn diagnostics_with_several_fixes_are_left_alone() {
    for wrong in [
        // A sign before a power, a bracket that is missing somewhere, a sum of unlike things.
        "metric a = -2 ^ 2\n",
        "metric a = count(orders + 1\n",
        "metric a = sum(orders.total) + count(orders)\n",
        "metric a = orders.total\n",
        "metric a = 0 < count(orders) < 5\n",
        // Two fields are as near.
        "metric a = sum(orders.totl)\n",
        "metric a = nothing_like_it\n",
    ] {
        assert_eq!(fixed(wrong), (wrong.to_owned(), Some(1)), "{wrong}");
    }
}

#[test]
fn two_names_that_would_both_fit_are_named() {
    let file = Scratch::new("near.metrics", format!("{STORE}metric a = sum(orders.totl)\n"));
    let outcome = evaluate(&format!("{} --fix", file.name()));

    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("`total` and `totals` would both fit"), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("\n1 error\n"), "{}", outcome.stderr);
}

#[test]
fn a_fix_that_leaves_as_many_diagnostics_is_not_made() {
    let wrong =
        "input price number\nmetric a = price\n    example { \"prise\": 2, \"price\": 1 } = 1\n";

    assert_eq!(fixed(wrong), (wrong.to_owned(), Some(0)));
}

#[test]
fn a_dry_run_prints_the_same_and_writes_nothing() {
    let wrong = format!("{STORE}metric a = 1 == 2\nmetric b = count(orders)\n");
    let file = Scratch::new("dry.metrics", &wrong);
    let name = file.name();

    let dry = evaluate(&format!("{name} --fix --dry-run"));
    assert_eq!((dry.code, text(&file)), (Some(0), wrong));
    let change = format!(
        "{name}:12:14: E110 one `=` is enough to compare\n\
         - metric a = 1 == 2\n\
         + metric a = 1 = 2\n"
    );
    assert_eq!(dry.stdout, format!("{change}1 would be fixed, 0 left\n"));
    let real = evaluate(&format!("{name} --fix"));
    assert_eq!(real.stdout, format!("{change}1 fixed, 0 left\n"));
    let again = evaluate(&format!("{name} --fix"));
    assert_eq!(again.stdout, "0 fixed, 0 left\n");
}

#[test]
fn an_imported_file_is_fixed_too() {
    let base = Scratch::new("base.metrics", "metric base = 1 == 1\n");
    let file = Scratch::new("top.metrics", format!("use \"{}\"\nmetric a = 2\n", base.name()));

    let outcome = evaluate(&format!("{} --fix", file.name()));

    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(text(&base), "metric base = 1 = 1\n");
}
