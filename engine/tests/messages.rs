//! The messages for an invalid formula: the place, the sentence and the help.

use crate::small_stack::{answer, corner};
use crate::stores::{data, engine};
use quotient::file::load;
use quotient::{Engine, Inputs};

/// The first finding as `code at place: message; help`.
fn said(engine: &Engine, text: &str) -> String {
    let findings = engine.validate(text).diagnostics;
    let Some(finding) = findings.first() else { return String::new() };
    let (code, place) = (finding.code, finding.span.slice(text));
    let help = finding.help.as_deref().unwrap_or_default();
    format!("{code} at `{place}`: {}; {help}", finding.message)
}

fn check(cases: &[(&str, &str)]) {
    let engine = corner();
    for (text, expected) in cases {
        let said = said(&engine, text);
        let is_said = said.starts_with(expected) && said.is_empty() == expected.is_empty();
        assert!(is_said, "{text}\nis said: {said}\nexpected: {expected}");
    }
}

#[test]
fn an_argument_is_given_once_and_under_a_name_of_the_signature() {
    check(&[
        ("round(2.345, 1, digits: 2)", "E207 at `digits`: `digits` is given twice"),
        ("round(2.345, digits: 1, digits: 2)", "E207 at `digits`: `digits` is given twice"),
        ("round(2.345, digits: 1, 2)", "E207 at `2`: `digits` is given twice"),
        ("convert(sales, USD, to: EUR)", "E207 at `to`: `to` is given twice"),
        ("convert(sales, USD, rate: today)", "E207 at `today`: `rate` of `convert` cannot be"),
        ("trailing(sales, 30 days, span: 1 day)", "E207 at `span`: `span` is given twice"),
        ("sum(y: orders.total)", "E207 at `y`: `sum` has no argument `y`"),
        ("count(y: orders)", "E207 at `y`: `count` has no argument `y`"),
        ("percentile(orders.total, wrong: 90%)", "E207 at `wrong`: `percentile` has no argument"),
        ("percentile(orders.total, x: 90%)", "E207 at `x`: `x` is given twice"),
        (
            "percentile(orders.total, 1 USD)",
            "E208 at `1 USD`: the position is a constant from 0% to",
        ),
        ("percentile(orders.total, 1 second)", "E208 at `1 second`: the position is a constant"),
        ("weighted_avg(orders.total, w: 1)", "E207 at `w`: `weighted_avg` has no argument `w`"),
    ]);
    let engine = corner();
    let data = data(&engine);
    for (named, plain) in [
        ("percentile(fraction: 90%, x: orders.total)", "percentile(orders.total, 90%)"),
        ("weighted_avg(weight: 1, x: orders.total)", "weighted_avg(orders.total, 1)"),
        ("convert(sales, to: USD, rate: 'order_day')", "convert(sales, USD)"),
    ] {
        let given = answer(&engine, named, Inputs::data(&data));
        assert_eq!(given, answer(&engine, plain, Inputs::data(&data)), "{named}");
    }
}

#[test]
fn syntax_of_other_languages_is_answered_with_the_equivalent() {
    let conditions = "sum(orders.total where status = 'completed', country = 'DE')";
    let joined = format!(
        "E207 at `{conditions}`: `sum` takes 1 argument, 2 are given; conditions are joined by `and`"
    );
    check(&[
        (conditions, &joined),
        (
            "count(orders where created_at.year = 2026)",
            "E201 at `created_at`: `created_at` is a field of `orders` and has no fields; \
             functions stand before their value, such as year(created_at)",
        ),
        ("sum(orders.status.upper)", "E201 at `status`: `status` is a field of `orders`"),
        (
            "if(status = 'completed', 1, 2)",
            "E203 at `status`: no metric or placeholder `status`; `orders` has a field of this name",
        ),
        ("growth(sales, by: last_month)", "E207 at `by`: `growth` has no argument `by`; call it: "),
        ("percentile(orders.total, p: 90%)", "E207 at `p`: `percentile` has no argument `p`; call"),
        ("sales per day", "E120 at `per`: `per` cannot stand here; it stands inside an aggregate"),
        ("(sales dated by created_at)", "E120 at `dated`: `dated` cannot stand here; it stands in"),
        (
            "count(orders where country is 'DE')",
            "E120 at `is`: `is` asks for null alone; values are compared by signs: = 'DE'",
        ),
        (
            "count(orders where country is not 'DE')",
            "E120 at `is`: `is` asks for null alone; values are compared by signs: != 'DE'",
        ),
        (
            "count(orders where country not in 'DE')",
            "E120 at `'DE'`: `in` takes values in parentheses; for example in ('DE')",
        ),
        (
            "count(orders where created_at in (@2026-01, @2026-02))",
            "E321 at `created_at in (@2026-01`: cannot compare a date and time with a period; a date \
             is looked for in one period, without parentheses: `in @2026-02`",
        ),
        (
            "count(orders where status = 'completed' or 'pending')",
            "E322 at `'pending'`: a condition is expected, this is text; for one of several values: \
             status in ('completed', 'pending')",
        ),
        (
            "count(orders where status = 'completed' or 'pending' or 'cancelled')",
            "E322 at `'pending'`",
        ),
        ("sales;", "E120 at `;`: `;` cannot stand here; it ends a `let` line"),
        (".5", "E120 at `.`: `.` cannot stand here; a point stands between digits"),
        ("1e5", "E120 at `1e5`: a number has no exponent; write 100000"),
        (
            "5  usd",
            "E121 at `5  usd`: an amount is a number, a blank and a currency code; write 5 USD",
        ),
        (
            "trailing(sales, 30  days)",
            "E121 at `30  days`: a span of time is a number, one blank and a unit; write 30 days",
        ),
        ("order_count * 2.5e-3", "E120 at `2.5e-3`: a number has no exponent; write 0.0025"),
        (
            "count(orders where created_at >= DATE '2026-02-01')",
            "E121 at `DATE '2026-02-01'`: a date begins with `@`; write @2026-02-01",
        ),
    ]);
}

#[test]
fn a_number_beside_amounts_in_several_currencies_is_not_the_only_one_reported() {
    let engine = engine("stores/platform/kpis.metrics");
    assert_eq!(
        said(&engine, "sum(payments.amount) > 3"),
        "E303 at `3`: cannot compare money (mixed) with a plain number; its amounts have several \
         currencies: narrow it to one by a condition, or convert it, and write 3 USD"
    );
    assert!(engine.compile("convert(sum(payments.amount), to: USD) > 3 USD").is_ok());
}

#[test]
fn equal_numbers_of_two_currencies_are_not_counted_as_one_amount() {
    let engine = engine("stores/platform/kpis.metrics");
    assert_eq!(
        said(&engine, "count_distinct(payments.amount)"),
        "E310 at `payments.amount`: equal numbers of two currencies are not one amount; narrow it \
         to one currency by a condition, or count the rows"
    );
    assert_eq!(said(&engine, "count_distinct(payments.amount where currency_code = 'EUR')"), "");
    assert_eq!(said(&engine, "count_distinct(payments.fee)"), "");
}

#[test]
fn a_clause_that_would_have_no_effect_is_refused() {
    let twice = "sum(orders.total dated by created_at dated by customer.first_order_at)";
    let both = "weighted_avg(orders.total dated by created_at, 1 dated by created_at)";
    check(&[
        (twice, "E207 at `customer.first_order_at`: `dated by` is given twice"),
        (both, "E207 at `created_at`: `dated by` is given twice"),
        (
            "avg(count(orders) per day dated by created_at)",
            "E207 at `created_at`: `dated by` belongs to an aggregate of rows; \
             put it into the aggregate inside `count(orders)`",
        ),
        (
            "weighted_avg(sales, order_count per day dated by created_at)",
            "E207 at `created_at`: `dated by` belongs to an aggregate of rows",
        ),
        ("percentile(orders.total, 0.9 where total > 1 USD)", "E207 at `total > 1 USD`"),
        (
            "avg(count(orders) per period)",
            "E207 at `period`: `per period` parts nothing: the whole period is one part; name what",
        ),
        ("avg(count(orders) per period, customer)", "E207 at `period`: `per period` parts nothing"),
        (
            "avg(count(orders) per day per month)",
            "E207 at `month`: `per` takes one unit of time, and there is `day` already; \
             leave out `month`, or ask for the formula by month",
        ),
        ("max(count(orders) per month, customer, Days)", "E207 at `Days`: `per` takes one unit"),
        ("weighted_avg(sales, order_count per day, week)", "E207 at `week`: `per` takes one unit"),
    ]);
    check(&[
        ("avg(count(orders) per day, customer)", ""),
        ("max(count(orders) per customer, month)", ""),
    ]);
}

#[test]
fn an_aggregate_of_a_source_in_a_row_of_it_is_refused() {
    check(&[
        (
            "count(orders where total > avg(orders.total))",
            "E404 at `avg(orders.total)`: in a row of `orders`, an aggregate of `orders` has only \
             that row; for all rows, name it before the formula: let all = avg(orders.total);",
        ),
        ("sum(orders.total / count(orders))", "E404 at `count(orders)`"),
        ("count(orders where total > weighted_avg(orders.total, 1))", "E404 at `weighted_avg"),
        ("count(customers where count(orders) > count(customers))", "E404 at `count(customers)`"),
        (
            "count(orders where total > aov)",
            "E404 at `aov`: in a row of `orders`, an aggregate of `orders` has only that row; for all \
             rows, name it before the formula: let all = aov;",
        ),
        ("max(orders.total - sales)", "E404 at `sales`"),
        ("count(customers where sales > 50 USD)", ""),
    ]);
    let engine = corner();
    let data = data(&engine);
    for (whole, expected) in [
        ("let all = avg(orders.total); count(orders where total > all)", "2"),
        ("let all = aov; count(orders where total > all)", "1"),
    ] {
        assert_eq!(answer(&engine, whole, Inputs::data(&data)), expected, "{whole}");
    }
}

#[test]
fn a_literal_zero_is_not_what_does_not_fit() {
    let place = "number does not go with money(USD): one unit is needed";
    check(&[
        ("clamp(sales, 0, 1000)", &format!("E208 at `1000`: {place}")),
        ("max(5 USD, 0, 3)", &format!("E208 at `3`: {place}")),
        ("max(0, 5 USD, 3)", &format!("E208 at `3`: {place}")),
        ("max(0 USD, 3)", &format!("E208 at `3`: {place}")),
        ("clamp(sales, 0, 1000 USD)", ""),
    ]);
}

#[test]
fn values_with_different_meanings_have_their_written_names() {
    check(&[
        (
            "if(true, order_count, 5%)",
            "E320 at `5%`: all branches must be of one kind: this is a percentage, not a count of \
             orders;",
        ),
        (
            "coalesce(order_count, 5%)",
            "E320 at `5%`: all values of `coalesce` must be of one kind: this is a percentage,",
        ),
        (
            "sales default order_count",
            "E320 at `order_count`: both sides of `default` must be of one kind: this is number,",
        ),
        (
            "safe_div(sales, sales, order_count)",
            "E320 at `order_count`: the quotient and `otherwise` must be of one kind:",
        ),
    ]);
}

#[test]
fn a_span_without_a_fixed_length_is_answered_with_the_usual_one() {
    check(&[
        (
            "1 day < 1 month",
            "E330 at `1 month`: a month has no fixed length; as a length take 30 days",
        ),
        (
            "1 day < 2 months",
            "E330 at `2 months`: a month has no fixed length; as a length take 60 d",
        ),
        (
            "1 day < 1.5 months",
            "E330 at `1.5 months`: a month has no fixed length; as a length take 45",
        ),
        (
            "1 day > -2 quarters",
            "E330 at `-2 quarters`: a quarter has no fixed length; as a length take -182",
        ),
        (
            "1 day < 3 years",
            "E330 at `3 years`: a year has no fixed length; as a length take 1095 days",
        ),
        (
            "1 day < 1 period",
            "E330 at `1 period`: a period has no fixed length; as a length take length(p",
        ),
        (
            "1 day < 2 periods",
            "E330 at `2 periods`: a period has no fixed length; as a length take (2 * length(period))",
        ),
    ]);
}

#[test]
fn nothing_is_compared_with_null() {
    check(&[
        ("sales = null", "E340 at `= null`"),
        ("null in (1, 2)", "E340 at `null`"),
        ("null in period", "E340 at `null`"),
        ("1 in (1, null)", "E340 at `null`"),
        ("null not between 1 and 2", "E340 at `null`"),
        ("sales between null and 2 USD", "E340 at `null`"),
        ("null like 'a%'", "E340 at `null`"),
    ]);
}

#[test]
fn growth_and_change_count_a_span_back() {
    check(&[
        (
            "growth(sales, -1 month)",
            "E502 at `-1 month`: `growth` compares with an earlier time, not with `-1 month`; a span \
             counts back: 1 month",
        ),
        ("change(sales, 0 days)", "E502 at `0 days`: `change` compares with an earlier time"),
        ("growth(sales, 1 month)", ""),
    ]);
}

#[test]
fn a_let_takes_no_name_that_every_formula_has() {
    check(&[
        ("let period = 1; period", "E211 at `period`: `period` is a name that every formula has"),
        ("let Last_Year = 52 weeks; growth(sales, last_year)", "E211 at `Last_Year`"),
        ("let [period_end] = 1; 2", "E211 at `[period_end]`"),
        ("let month = 1; month", ""),
    ]);
}

#[test]
fn unknown_names_without_a_similar_one_have_a_help_line_too() {
    check(&[
        (
            "qqq",
            "E203 at `qqq`: no metric or placeholder `qqq`; there are: sales, order_count, aov",
        ),
        ("qqq.x", "E203 at `qqq`: no source `qqq`; there are: orders, customers, inventory"),
        ("qqqqq(1)", "E202 at `qqqqq`: no function `qqqqq`; there are: "),
        (
            "sales()",
            "E202 at `sales`: no function `sales`; a metric stands without parentheses: sales",
        ),
        ("-true", "E306 at `-true`: a sign stands before a number, this is a condition; `not`"),
        ("-'a'", "E306 at `-'a'`: a sign stands before a number, this is text; take the sign away"),
        (
            "convert(5, to: USD)",
            "E208 at `5`: only money has a currency, this is a plain number; call",
        ),
        ("growth('a')", "E208 at `'a'`: `growth` needs a number, this is text; call it: growth("),
        (
            "avg('a' per day)",
            "E350 at `'a'`: `avg` needs numbers, this is text; `count`, `count_dis",
        ),
        (
            "sum(list('a'))",
            "E350 at `list('a')`: `sum` needs numbers, this is text; `count`, `count_",
        ),
    ]);
}

#[test]
fn a_help_line_is_mended_in_its_quotes_only() {
    let file = "source o event\n    key id text\n    date at datetime\n";
    let loaded = load("shop", &mut |_| Ok(file.to_owned()));
    let (engine, _) = Engine::from_loaded(&loaded);

    let said = said(&engine, "v + 1");
    assert!(said.contains("did you mean `count(o)`?"), "{said}");
}

#[test]
fn groups_of_a_formula_without_rows_are_refused_as_such() {
    let engine = corner();
    let data = data(&engine);
    let request = quotient::Request { group_by: vec!["country".to_owned()], ..Default::default() };
    for text in ["days_in(period)", "1 + 1"] {
        let formula = engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
        let found = engine.evaluate(&[&formula], Inputs::data(&data), &request).unwrap_err();

        let messages: Vec<_> = found.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, ["there are no rows here to group"], "{text}");
    }
}
