//! Commands that an earlier version answered incorrectly or explained badly, with the expected output.
//!
//! They come from systematic use of the command line; D1 to D18 number the defects. A store is named by one word.
//! Other tests cover the same behaviour in the engine; these run what people type. The defects of files, records and
//! output are in `hard_use_of_files`, those of flags and questions in `hard_use_of_questions`.

use crate::commands::{evaluate_words, run};

#[test]
fn d1_every_window_ends_where_the_data_does() {
    run(&[
        (
            "evaluate daily n g --from 2026-03-01 --to 2026-03-31 --now 2026-04-15T00:00:00Z",
            0,
            &["known until 2026-03-11T00:00:00", "n          10", "g        0.0%"],
        ),
        (
            "evaluate daily n g --from 2026-03-01 --to 2026-03-31 --now 2026-03-11T00:00:00Z",
            0,
            &["known until 2026-03-11T00:00:00", "0.0%"],
        ),
        (
            r#"evaluate daily --formula "trailing(n, 7 days)" --formula "n / days_in(period)" --formula "avg(n per day)" --from 2026-03-01 --to 2026-03-31 --now 2026-04-15T00:00:00Z --format csv"#,
            0,
            &["\n7,1,1,2026-03-11T00:00:00\n"],
        ),
        // The front edge: half of the period lies before the first covered day.
        (
            "evaluate shop order_count --from 2010-11-16 --to 2010-12-15",
            0,
            &["1,189", "note: orders is covered from 2010-12-01 on"],
        ),
        ("evaluate shop order_count --from 2010-12-01 --to 2010-12-15", 0, &["!note:"]),
    ]);
}

#[test]
fn d2_nothing_sees_what_has_not_happened() {
    run(&[
        (
            r#"evaluate daily n --formula "lifetime(n)" --formula "running(n)" --formula "trailing(n, 7 days)" --formula "mtd(n)" --formula "avg(n per day)" --from 2026-02-01 --to 2026-03-31 --by month --now 2026-01-11T00:00:00Z --format csv"#,
            0,
            &[
                "\n2026-02,,10,,7,10,,2026-01-11T00:00:00\n",
                "\n2026-03,,10,,7,10,,2026-01-11T00:00:00\n",
            ],
        ),
        (
            r#"evaluate daily n --formula "lifetime(n)" --formula "ytd(n)" --formula "trailing(n, 7 days)" --formula "wtd(n)" --from 2026-02-01 --to 2026-02-28 --now 2026-01-15T12:00:00Z --format csv"#,
            0,
            &["\n,14,14,7,3,2026-01-15T12:00:00\n"],
        ),
        (
            "evaluate daily --formula opening(n) --from 2026-02-01 --to 2026-02-28 --now 2026-01-15T12:00:00Z --format csv --null-reasons",
            0,
            &["\n,not_yet,2026-01-15T12:00:00\n"],
        ),
        // Months that have not begun add nothing to a running total.
        (
            r#"evaluate daily n --formula "running(n)" --by month --from 2026-02-01 --to 2026-04-30 --now 2026-02-15T00:00:00Z --format csv"#,
            0,
            &["\n2026-02,14,14,", "\n2026-03,,14,", "\n2026-04,,14,"],
        ),
        (
            r#"evaluate corner --formula "lifetime(sales)" --formula "growth(sales)" --from 2026-05 --to 2026-05 --now 2026-03-01T00:00:00Z --format csv --null-reasons"#,
            0,
            &["\n280,,,not_yet,2026-03-01T00:00:00\n"],
        ),
        (
            "evaluate daily n --from 2026-01-01 --to 2026-03-31 --by month --now 2026-02-15T00:00:00Z",
            0,
            &["known until 2026-02-15T00:00:00", "!2026-04-01"],
        ),
        (
            "evaluate daily n g --from 2026-03-01 --to 2026-03-31 --now 2026-02-15T00:00:00Z --format json",
            0,
            &["\"null_reason\": \"not_yet\"", "!division_by_zero"],
        ),
    ]);
}

#[test]
fn d3_rows_without_the_key_are_a_part_of_their_own() {
    run(&[
        (r#"evaluate gaps --formula "sum(rev per c)" --format csv"#, 0, &["\n75\n"]),
        (r#"evaluate gaps --formula "n - sum(n per c)" --format csv"#, 0, &["\n0\n"]),
        (r#"evaluate gaps --formula "sum(n per customer)" --format csv"#, 0, &["\n8\n"]),
        (
            r#"evaluate gaps --formula "sum(rev per c where c is not null)" --format csv"#,
            0,
            &["\n45\n"],
        ),
        ("evaluate gaps rev --group-by o.c --format csv", 0, &["\n,30\nx,20\n"]),
    ]);
}

/// A quotient has 28 digits, at most 28 of them after the point: decision 35, and page 7 of the manual.
#[test]
fn d4_a_quotient_has_28_decimal_places() {
    run(&[
        (
            r#"evaluate corner --formula "2 / 35" --format csv"#,
            0,
            &["\n0.0571428571428571428571428571\n"],
        ),
        (
            r#"evaluate corner --formula "0.00000000000000000001 / 3" --format csv"#,
            0,
            &["\n0.0000000000000000000033333333\n"],
        ),
        (
            r#"evaluate corner --formula "5 USD / 3 days * 1 day" --format csv"#,
            0,
            &["\n1.66666666666666666666666464\n"],
        ),
        (
            r#"evaluate corner --formula "5 USD / (5 USD / 3 days)" --format csv"#,
            0,
            &["\n259200.0000000000000000003152\n"],
        ),
        (r#"evaluate corner --formula "exp(-100)" --format csv"#, 0, &["\n0\n"]),
        (r#"evaluate corner --formula "0.9 ^ 99999999999" --format csv"#, 0, &["\n0\n"]),
        (
            r#"evaluate corner --formula "1 / exp(-100)" --format csv --null-reasons"#,
            0,
            &["\n,division_by_zero\n"],
        ),
        (r#"evaluate corner --formula "10 ^ -29" --format csv"#, 0, &["\n0\n"]),
    ]);
}

#[test]
fn d6_months_and_years_may_be_negative() {
    run(&[
        (
            r#"evaluate corner --formula "EDATE(@2026-03-31, -1)""#,
            1,
            &["here it is written add(@2026-03-31, -1 month)"],
        ),
        (
            r#"evaluate corner --formula "add(@2026-03-31, -1 month)" --format csv"#,
            0,
            &["\n2026-02-28\n"],
        ),
        (
            r#"evaluate corner --formula "@2024-02-29 + -1 year" --format csv"#,
            0,
            &["\n2023-02-28\n"],
        ),
        (
            r#"evaluate corner --formula "@2024-03-31 - 1 month" --format csv"#,
            0,
            &["\n2024-02-29\n"],
        ),
        (
            r#"evaluate corner --formula "shift(sales, -1 month)" --from 2026-03 --to 2026-03 --format csv"#,
            0,
            &["\n180\n"],
        ),
    ]);
}

#[test]
fn d7_no_rewrite_computes_something_else() {
    run(&[
        (
            r#"evaluate corner --formula "VAR(orders.total)""#,
            1,
            &["use stddev, or divide", "!try:"],
        ),
        (r#"evaluate corner --formula "VARIANCE(orders.total)""#, 1, &["use stddev", "!try:"]),
        (
            r#"evaluate corner --formula "ROUNDUP(sales, 0)""#,
            1,
            &["here it is written sign(sales) * ceil(abs(sales), 0)"],
        ),
        (
            r#"evaluate corner --formula "sales * 1,5""#,
            1,
            &["try: sales * 1.5", "!1_5", "!leave it out"],
        ),
        (r#"evaluate corner --formula "sales * 1.000,50""#, 1, &["try: sales * 1000.50"]),
        (
            r#"evaluate corner --formula "LAG(sales)""#,
            1,
            &["here it is written previous_bucket(sales)"],
        ),
        (r#"evaluate corner --formula "MODE(orders.total)""#, 0, &["$20.00"]),
        (r#"evaluate corner --formula "corr(orders.total, orders.total)""#, 1, &["!hour"]),
        (r#"evaluate corner --formula "5 USD + 5%""#, 1, &["5 USD * (1 + 5%)"]),
        (r#"evaluate corner --formula "IFERROR(1/0, 'n/a')""#, 1, &["!try:"]),
        (
            r#"evaluate corner --formula "COUNTIF(orders.total, '>50')""#,
            1,
            &["count(orders where total > 50 USD)"],
        ),
    ]);
}

#[test]
fn d8_suggestions_are_valid_formulas() {
    run(&[
        (
            r#"evaluate corner --formula "1 in (null, 1)""#,
            1,
            &["leave it out, and ask for it apart: 1 is null or", "!try:"],
        ),
        (
            r#"evaluate corner --formula "count(orders where country = ‘DE’)""#,
            1,
            &["try: count(orders where country = 'DE')"],
        ),
        (
            r#"evaluate corner --formula "sum(orders.total]""#,
            1,
            &["try: sum(orders.total)", "!total])"],
        ),
        (r#"evaluate corner --formula "sales + (""#, 1, &["!try:"]),
    ]);
}

/// A bucket that the request cuts is a period of its own: decision 34, and page 8 of the manual.
#[test]
fn d9_a_day_moves_to_a_day() {
    run(&[
        // Not also to 29 February.
        (
            r#"evaluate gaps --data o=stores/edges/leap.csv --formula "last_year(n)" --from 2021-02-28 --to 2021-02-28 --format csv"#,
            0,
            &["\n1\n"],
        ),
        (
            r#"evaluate daily --formula "last_month(n)" --from 2026-02-28 --to 2026-02-28 --format csv"#,
            0,
            &["\n1\n"],
        ),
        (
            r#"evaluate daily --formula "last_week(n)" --formula "previous(n)" --from 2026-02-18 --to 2026-02-24 --by week --format csv"#,
            0,
            &["\n2026-02-18,5,5\n2026-02-23,2,2\n"],
        ),
    ]);
}

#[test]
fn d11_and_d12_duplicate_names_are_refused() {
    run(&[
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/column-twice.csv",
            3,
            &["column-twice.csv:1", "`t`"],
        ),
        ("evaluate formulas/files/titles-twice.metrics --check", 1, &["E211", "x"]),
        (r#"evaluate formulas/files/titles-twice.metrics --formula "[X]""#, 1, &["E211"]),
        (r#"evaluate amounts --formula "[paid in all]" --format csv"#, 0, &["\n5\n"]),
    ]);
}

#[test]
fn d13_no_total_is_lost() {
    run(&[("evaluate amounts extreme --format csv", 0, &["\n0.0000000000000000000000000001\n"])]);
}

#[test]
fn d18_a_condition_that_leaves_one_currency_keeps_it() {
    run(&[
        (
            r#"evaluate amounts --formula "sum(payments.t where cur = 'USD')" --format csv"#,
            0,
            &["\n5\n"],
        ),
        (
            r#"evaluate amounts --formula "sum(payments.t where cur in ('USD'))" --format csv"#,
            0,
            &["\n5\n"],
        ),
        (
            r#"evaluate amounts --formula "sum(payments.t where not (cur != 'USD'))" --format csv"#,
            0,
            &["\n5\n"],
        ),
    ]);
}

/// Runs invalid formulas over the corner shop. Each has one diagnostic, which contains the text beside it.
fn explained(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (formula, shown) in rows {
        let outcome = evaluate_words(&["stores/corner/corner.metrics", "--formula", formula]);
        let count = outcome.stderr.matches("error[").count();
        if outcome.code != Some(1) || count != 1 || !outcome.stderr.contains(shown) {
            wrong.push(format!("{formula}: {count} findings, not {shown}\n{}", outcome.stderr));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn sql_syntax_is_answered_with_the_equivalent() {
    explained(&[
        ("COUNT(*)", "count(orders)"),
        ("COUNT(DISTINCT orders.country)", "try: count_distinct(orders.country)"),
        (
            "SUM(orders.total) FILTER (WHERE orders.country = 'DE')",
            "try: SUM(orders.total where orders.country = 'DE')",
        ),
        ("SELECT sum(orders.total)", "write the value alone"),
        ("sum(orders.total) FROM orders", "with its fields"),
        ("sum(orders.total) OVER (ORDER BY placed_at)", "running(x)"),
        ("sum(orders.total) GROUP BY country", "--group-by"),
        ("sum(orders.total) ORDER BY country", "--sort"),
        ("sales > 1 USD && sales < 5 USD", "try: sales > 1 USD and sales < 5 USD"),
        ("sales > 5 USD ? 1 : 0", "try: if(sales > 5 USD , 1 , 0)"),
        ("if sales > 5 USD then 1 else 0 end", "try: if(sales > 5 USD , 1 , 0 )"),
        (
            "case weekday(today()) when 1 then 2 else 3 end",
            "try: case when weekday(today()) = 1 then 2 else 3 end",
        ),
        ("NVL(sales, 0)", "`NVL` is SQL's function"),
        ("date_trunc('month', today())", "start_of(today(), month)"),
        ("CALCULATE(sum(orders.total), orders.country = 'DE')", "`CALCULATE` is DAX's function"),
        ("true || false", "`and` and `or`"),
    ]);
}

#[test]
fn dates_and_units_are_answered_with_how_they_are_written() {
    explained(&[
        (
            "count(orders where created_at > 2026-01-31)",
            "try: count(orders where created_at > @2026-01-31)",
        ),
        (
            "count(orders where created_at > '2026-01-31')",
            "try: count(orders where created_at > @2026-01-31)",
        ),
        ("2026-01-01", "try: @2026-01-01"),
        ("today() - 1", "1 day"),
        ("5USD", "write 5 USD"),
        ("5 usd", "write 5 USD"),
        ("5 €", "50 EUR"),
        ("max(5 USD, 3)", "try: max(5 USD, 3 USD)"),
        ("mod(7 USD, 2)", "try: mod(7 USD, 2 USD)"),
        ("5 USD default 3", "try: 5 USD default 3 USD"),
        ("5% of 3", "try: 5% * 3"),
        ("1.5,5", "max(1.5, 5)"),
    ]);
}

#[test]
fn names_are_answered_with_the_nearest_one() {
    explained(&[
        ("[Average order valu]", "try: aov"),
        ("sales.previous", "previous(sales)"),
        ("orders.country", "try: count_distinct(orders.country)"),
        ("max(1)", "max(orders.total)"),
        ("let where = 5; 1", "[where]"),
        ("日本", "in brackets"),
        ("Größe + 1", "in brackets"),
        ("count(orders where country = “DE”)", "try: count(orders where country = 'DE')"),
        ("count(orders where country = “it's”)", "\"it's\""),
        ("count(orders where country = ‘it’s’)", "'it’s'"),
        ("[Sale]", "try: sales"),
    ]);
    run(&[
        (r#"evaluate shop --formula "revenue""#, 1, &["did you mean `gross_revenue`?"]),
        (r#"evaluate shop --formula "customer""#, 1, &["customer", "help:"]),
        ("evaluate corner --formula 1\u{a0}+\u{a0}2 --format csv", 0, &["\n3\n"]),
    ]);
}
