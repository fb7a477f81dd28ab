//! Calls as users write them, and the suggested rewrites.

use super::{Rewrite, rewrite};
use crate::functions::spreadsheet::arguments::call_of;

fn of(call: &str) -> Rewrite {
    let (name, arguments) = call_of(call).unwrap();
    rewrite(name, &arguments).unwrap()
}

#[test]
fn complete_rewrites_replace_the_call() {
    for (call, text) in [
        ("IFERROR(net_sales / order_count, 0)", "net_sales / order_count default 0"),
        ("IfError(a > 1, b)", "(a > 1) default b"),
        ("IFNA(x, 0%)", "x default 0%"),
        ("DIVIDE(a - b, c)", "(a - b) / c"),
        ("DIVIDE(a, sum(b + c), 0)", "a / sum(b + c) default 0"),
        ("ISNULL(a + b)", "(a + b) is null"),
        ("ISNULL(a, 0)", "a default 0"),
        ("GREATEST(a, b, c)", "max(a, b, c)"),
        ("LEAST(a, b)", "min(a, b)"),
        ("IIF(a > 1, 'x', 'y')", "if(a > 1, 'x', 'y')"),
        ("STDEV(orders.total)", "stddev(orders.total)"),
        ("STDEVP(orders.total)", "stddev_pop(orders.total)"),
        ("VAR(items.quantity)", "variance(items.quantity)"),
        ("VAR_POP(items.quantity)", "variance_pop(items.quantity)"),
        ("avgWeighted(items.price, items.quantity)", "weighted_avg(items.price, items.quantity)"),
        ("MOVINGAVERAGE(sales, 3)", "moving_avg(sales, 3)"),
        ("LEN(status)", "length(status)"),
        ("CEILING(x)", "ceil(x)"),
        ("CEILING(x, 5)", "ceil(x / 5) * 5"),
        ("TRUNCATE(x, 2)", "trunc(x, 2)"),
        ("SUMPRODUCT(items.unit_price, items.quantity)", "sum(items.unit_price * items.quantity)"),
        ("SUBSTRING(name, 2)", "mid(name, 2, length(name))"),
        ("COUNTA(orders.promo_code)", "count(orders.promo_code)"),
        ("TOTALYTD(net_sales, dates)", "ytd(net_sales)"),
        ("GETDATE()", "now()"),
    ] {
        let rewrite = of(call);

        assert_eq!((rewrite.text.as_str(), rewrite.complete), (text, true), "{call}");
        assert!(!rewrite.aggregate, "{call}");
    }
}

#[test]
fn conditional_aggregates_get_a_where() {
    for (call, text) in [
        (
            "SUMIF(orders.status, \"completed\", orders.total)",
            "sum(orders.total where status = 'completed')",
        ),
        ("COUNTIF(orders.status, 'x')", "count(orders where status = 'x')"),
        ("COUNTIF(orders.total, \">=100\")", "count(orders where total >= 100)"),
        ("SUMIF(orders.total, '<>0')", "sum(orders.total where total != 0)"),
        ("COUNTIF(orders.promo_code, '<>')", "count(orders where promo_code is not null)"),
        ("COUNTIF(orders.sku, 'A*')", "count(orders where sku like 'A%')"),
        (
            "COUNTIF(orders.created_at, '<2026-01-31')",
            "count(orders where created_at < @2026-01-31)",
        ),
        ("COUNTIF(orders.total, \">\"&aov)", "count(orders where total > aov)"),
        ("COUNTIF(orders.name, \"O'Neill\")", "count(orders where name = 'O''Neill')"),
        (
            "SUMIFS(items.price, items.order.status, 'completed', items.quantity, '>1')",
            "sum(items.price where order.status = 'completed' and quantity > 1)",
        ),
        (
            "COUNTIFS(orders.status, 'completed', orders.country, 'DE')",
            "count(orders where status = 'completed' and country = 'DE')",
        ),
        ("AVERAGEIF(orders.total, '>0')", "avg(orders.total where total > 0)"),
        ("sumIf(orders.total, orders.total > 5 USD)", "sum(orders.total where total > 5 USD)"),
        ("countIf(orders.total > 5 USD)", "count(orders where total > 5 USD)"),
        ("MAXIFS(orders.total, orders.country, 'DE')", "max(orders.total where country = 'DE')"),
    ] {
        let rewrite = of(call);

        assert_eq!((rewrite.text.as_str(), rewrite.complete), (text, true), "{call}");
        assert!(rewrite.aggregate, "{call}");
    }
}

#[test]
fn dates_are_put_in_order() {
    for (call, text) in [
        ("DATEADD(day, 5, created_at)", "add(created_at, 5 days)"),
        ("DATEADD(mm, -1, created_at)", "add(created_at, -1 month)"),
        ("EDATE(created_at, 3)", "add(created_at, 3 months)"),
        ("EOMONTH(created_at, 0)", "add(end_of(created_at, month), -1 day)"),
        ("EOMONTH(d, -1)", "add(end_of(add(d, -1 month), month), -1 day)"),
        ("DATEDIFF(day, a, b)", "days_between(a, b)"),
        ("DATEDIFF(a, b, DAY)", "days_between(a, b)"),
        ("DATEDIF(a, b, \"d\")", "days_between(a, b)"),
        ("DATEDIFF(b, a)", "days_between(a, b)"),
        ("DATE_TRUNC('month', created_at)", "start_of(created_at, month)"),
        ("DATE_TRUNC(created_at, WEEK)", "start_of(created_at, week)"),
        ("DATE_PART('year', created_at)", "year(created_at)"),
    ] {
        let rewrite = of(call);

        assert_eq!((rewrite.text.as_str(), rewrite.complete), (text, true), "{call}");
    }
}

#[test]
fn measures_become_windows_and_conditions() {
    for (call, text) in [
        (
            "CALCULATE(SUM(orders.total), orders.status = 'completed')",
            "sum(orders.total where status = 'completed')",
        ),
        ("CALCULATE(net_sales, country = 'DE')", "(net_sales where country = 'DE')"),
        (
            "CALCULATE(net_sales, country = 'DE' or country = 'FR', device = 'app')",
            "(net_sales where (country = 'DE' or country = 'FR') and device = 'app')",
        ),
        ("CALCULATE(net_sales, SAMEPERIODLASTYEAR(dates))", "last_year(net_sales)"),
        ("CALCULATE(net_sales, DATEADD(dates, -1, MONTH))", "shift(net_sales, -1 month)"),
        ("CALCULATE(net_sales, ALL(country))", "total(net_sales)"),
        ("CALCULATE(net_sales)", "net_sales"),
    ] {
        let rewrite = of(call);

        assert_eq!((rewrite.text.as_str(), rewrite.complete), (text, true), "{call}");
    }
}

#[test]
fn branches_become_a_case() {
    for (call, text) in [
        ("ROUNDUP(x, 2)", "sign(x) * ceil(abs(x), 2)"),
        ("LAG(sales)", "previous_bucket(sales)"),
        ("LAG(sales, 2, 0)", "previous_bucket(sales, 2) default 0"),
        ("IFS(a > 1, 'x', a > 0, 'y')", "case when a > 1 then 'x' when a > 0 then 'y' end"),
        ("SWITCH(a, 1, 'x', 'z')", "case when a = 1 then 'x' else 'z' end"),
        ("SWITCH(TRUE(), a > 1, 'x', 'z')", "case when a > 1 then 'x' else 'z' end"),
        ("LET(n, count(orders), net_sales / n)", "let n = count(orders); net_sales / n"),
    ] {
        let rewrite = of(call);

        assert_eq!((rewrite.text.as_str(), rewrite.complete), (text, true), "{call}");
    }
    assert!(of("LET(n, 1, n)").only_whole);
}

#[test]
fn a_rewrite_with_something_left_to_say_is_incomplete() {
    for (call, text) in [
        ("IFERROR(a)", "a default …"),
        ("SUMIF(status)", "sum(status where …)"),
        ("COUNTIF(status, 'x')", "count(… where status = 'x')"),
        ("SUMIF(orders.status, 'x', items.price)", "sum(items.price where orders.status = 'x')"),
        ("VLOOKUP(key, orders, 3)", "link.field"),
        ("SAMEPERIODLASTYEAR(dates)", "last_year(…)"),
        ("DATEADD(day, n, created_at)", "add(created_at, … days)"),
        ("DATEADD(dates, -1, MONTH)", "shift(…, -1 month)"),
        ("EOMONTH(d)", "add(end_of(…, month), -1 day)"),
        ("IFS()", "case when … then … else … end"),
        ("GREATEST()", "max(…)"),
    ] {
        let rewrite = of(call);

        assert_eq!((rewrite.text.as_str(), rewrite.complete), (text, false), "{call}");
    }
}

#[test]
fn a_rewrite_within_a_formula_keeps_its_meaning() {
    assert_eq!(of("IFERROR(a, 0)").embedded(), "(a default 0)");
    assert_eq!(of("COUNTIF(orders.status, 'x')").embedded(), "count(orders where status = 'x')");
}

#[test]
fn names_that_nobody_knows_have_no_rewrite() {
    assert_eq!(rewrite("SMU", &["orders.total"]), None);
    assert_eq!(rewrite("sum", &["orders.total"]), None);
}
