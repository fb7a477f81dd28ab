//! Flags and questions that an earlier version ignored, refused or did not know, with the expected output.
//!
//! Like `hard_use`, which has the other defects.

use crate::commands::run;

#[test]
fn d10_a_flag_without_an_effect_is_refused() {
    run(&[
        ("evaluate corner --explain aov --group-by country", 2, &["cannot be used with"]),
        ("evaluate corner --decompose aov --by month", 2, &["cannot be used with"]),
        ("evaluate corner --diff aov --group-by country", 2, &["cannot be used with"]),
        ("evaluate corner --explain aov --format csv", 2, &["answers in rows"]),
        ("evaluate corner --check --format json", 0, &["\"errors\": 0", "!all is well"]),
        ("evaluate corner --formula 1 --explain aov", 2, &["cannot be used with"]),
        (
            r#"evaluate corner aov --where "country = 'DE'" --from 2026-02 --to 2026-02"#,
            0,
            &["$100.00"],
        ),
        (
            r#"evaluate corner --explain aov --where "country = 'DE'" --from 2026-02 --to 2026-02"#,
            0,
            &["$100.00"],
        ),
    ]);
}

#[test]
fn refusals_use_the_words_of_the_command_line() {
    run(&[
        ("evaluate corner sales --from feb", 2, &["expected a day or a month", "2011-10"]),
        ("evaluate corner sales --group-by status", 2, &["did you mean `orders.status`?"]),
        ("evaluate corner sales --group-by orders.status --format csv", 0, &["pending,80"]),
        ("evaluate corner sales --group-by country --sort nope", 2, &["sorted by sales, country"]),
        ("evaluate corner avo", 2, &["did you mean `aov`?"]),
        // Names are looked up before files are read.
        ("evaluate corner avo --data orders=nowhere.csv", 2, &["did you mean `aov`?", "!nowhere"]),
        (
            "evaluate corner sales --group-by contry --data orders=nowhere.csv",
            2,
            &["did you mean `country`?", "!nowhere"],
        ),
    ]);
}

#[test]
fn a_question_is_narrowed_and_grouped() {
    run(&[
        (
            r#"evaluate shop aov --where "country = :country" --param country=Germany --from 2011-11 --to 2011-11 --format csv"#,
            0,
            &["aov\n"],
        ),
        (
            r#"evaluate corner order_count --group-by "if(orders.total > 50 USD, 'big', 'small') as size" --format csv"#,
            0,
            &["size,order_count\nbig,3\nsmall,1\n"],
        ),
        (
            r#"evaluate corner order_count --group-by "weekday(orders.created_at) as weekday" --from 2026-02 --to 2026-02 --format csv"#,
            0,
            &["weekday,order_count\n2,1\n6,1\n"],
        ),
        (
            r#"evaluate corner sales aov --group-by country --top "1 by sales with others" --totals --from 2026-02 --to 2026-02 --format csv"#,
            0,
            &["country,sales,aov\nDE,100,100\n(others),80,80\n(total),180,90\n"],
        ),
        (
            r#"evaluate corner sales --group-by country --having "aov > 90 USD" --from 2026-02 --to 2026-02 --format csv"#,
            0,
            &["country,sales\nDE,100\n"],
        ),
        (
            r#"evaluate corner sales --group-by country --sort "country desc" --from 2026-02 --to 2026-02 --format csv"#,
            0,
            &["country,sales\nFR,80\nDE,100\n"],
        ),
        // A parameter has the type of the value it is compared with.
        (
            r#"evaluate corner aov --where "orders.total > :least" --param "least=50 USD" --from 2026-02 --to 2026-02 --format csv"#,
            0,
            &["aov\n90\n"],
        ),
        (
            r#"evaluate corner aov --where "orders.total > :least" --param least=abc"#,
            1,
            &["E321", "the value of `:least` is `abc`"],
        ),
        // Several expressions at once, with a comma in one of them, and subtotals.
        (
            r#"evaluate corner sales --group-by "hour(orders.created_at) as hour, country" --totals --from 2026-02 --to 2026-02 --format csv"#,
            0,
            &["hour,country,sales\n9,DE,100\n9,(all),100\n", "\n18,(all),80\n(total),,180\n"],
        ),
        (
            r#"evaluate corner order_count --group-by "case when orders.total > 90 USD then 'dear' when orders.total > 50 USD then 'usual' else 'cheap' end as band" --sort "order_count desc, band" --from 2026-01 --to 2026-02 --format csv"#,
            0,
            &["band,order_count\nusual,2\ncheap,1\ndear,1\n"],
        ),
        (
            "evaluate corner sales --group-by country --by month --pivot --totals --from 2026-01 --to 2026-02 --format csv",
            0,
            &["country,2026-01,2026-02\nDE,40,100\nFR,60,80\n(total),100,180\n"],
        ),
    ]);
}

#[test]
fn buckets_are_compared_and_rates_have_intervals() {
    run(&[
        (
            r#"evaluate corner --formula "previous_bucket(sales)" --formula "moving_avg(sales, 2)" --formula "running_share(sales)" --formula "rank(sales, by: period)" --by month --from 2026-01 --to 2026-03 --format csv"#,
            0,
            &[
                "\n2026-01,,100,0.3571428571428571428571428571,2\n",
                "\n2026-02,100,140,1,1\n2026-03,180,90,1,3\n",
            ],
        ),
        (
            r#"evaluate corner --formula "variance(orders.total / 1 USD)" --formula "mode(orders.country)" --formula "min(orders.country)" --formula "weighted_avg(orders.total, 3)" --from 2026-02 --to 2026-02 --format csv"#,
            0,
            &["\n1733.333333333333333333333333,DE,DE,66.66666666666666666666666667\n"],
        ),
        // Three of ten, by Wilson; and by how much 56 of 70 exceeds 48 of 80.
        (
            r#"evaluate corner --formula "round(wilson_low(3, 10), 4)" --formula "round(wilson_high(3, 10), 4)" --formula "round(difference_low(56, 70, 48, 80), 4)" --formula "round(difference_high(56, 70, 48, 80), 4)" --format csv"#,
            0,
            &["\n0.1078,0.6032,0.0524,0.3339\n"],
        ),
    ]);
}

#[test]
fn periods_lists_and_diagnostics_exist_for_people_and_programs() {
    run(&[
        (
            "evaluate corner sales --last 30d --now 2026-03-02T00:00:00Z --format csv",
            0,
            &["sales,as_of\n180,2026-03-02T00:00:00\n"],
        ),
        ("evaluate corner sales --from 2026-02 --to 2026-02 --format csv", 0, &["\n180\n"]),
        ("evaluate corner --list", 0, &["aov", "country"]),
        ("evaluate corner --list aov", 0, &["money(USD)  country", "!order_count"]),
        (
            r#"evaluate corner --formula "salse == 3" --format json"#,
            1,
            &[r#""code": "E110""#, r#""fixable": true"#, r#""errors": 2"#],
        ),
        (
            "evaluate formulas/files/fixable.metrics --fix --dry-run",
            0,
            &["2 would be fixed, 0 left"],
        ),
        (
            "evaluate corner sales --by month --from 2026-01 --to 2026-02 --format markdown",
            0,
            &["| --- | --: |"],
        ),
    ]);
}
