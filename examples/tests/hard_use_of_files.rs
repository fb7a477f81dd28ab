//! Files and records that an earlier version read incorrectly or refused badly, with the expected output.
//!
//! Like `hard_use`, which has the other defects.

use crate::commands::run;

#[test]
fn d14_a_row_without_a_date_is_noted() {
    run(&[
        (
            "evaluate amounts received --format csv",
            0,
            &["received\n20\n", "note: 1 row of undated has no date and belongs to no period"],
        ),
        (
            r#"evaluate amounts --formula "lifetime(received)" --formula "sum(customers.spent)" --format csv"#,
            0,
            &["\n20,20\n", "note: 1 row of undated"],
        ),
        ("evaluate corner sales", 0, &["!no date"]),
    ]);
}

#[test]
fn d15_json_describes_each_answer() {
    run(&[
        (
            "evaluate corner sales --from 2026-02 --to 2026-02 --format json",
            0,
            &[
                r#""value": "180""#,
                r#""type": "money(USD)""#,
                r#""unit": "USD""#,
                r#""from": "2026-02-01""#,
                r#""to": "2026-02-28""#,
                r#""partial": false"#,
                r#""as_of": "2026-03-01T00:00:00Z""#,
                r#""exact": true"#,
            ],
        ),
        (r#"evaluate corner --formula "list(1,2)" --format ndjson"#, 0, &[r#""value":["1","2"]"#]),
        (r#"evaluate corner --formula "2^0.5" --format ndjson"#, 0, &[r#""exact":false"#]),
        (
            r#"evaluate corner --formula "1 / 0" --format ndjson"#,
            0,
            &[r#""null_reason":"division_by_zero""#, r#""start":0,"end":5,"text":"1 / 0""#],
        ),
        (
            r#"evaluate corner --formula "sales / 1 day" --format ndjson"#,
            0,
            &[r#""unit":"USD per second""#],
        ),
        (
            "evaluate shop --decompose aov --from 2011-11-01 --to 2011-11-30 --format json",
            0,
            &[r#""value": "-21.03""#, r#""change": "-21.02499814118496802838145""#],
        ),
        ("evaluate --help", 0, &["exact text"]),
    ]);
}

#[test]
fn d16_csv_has_reasons_and_raw_text_on_request() {
    run(&[
        (
            r#"evaluate corner --formula "1 / 0" --format csv --null-reasons"#,
            0,
            &["1 / 0,1 / 0_null_reason\n,division_by_zero\n"],
        ),
        (
            r#"evaluate corner --formula "@2024-03-31 - 1 month" --format csv"#,
            0,
            &["'@2024-03-31 - 1 month\n2024-02-29\n"],
        ),
        (
            r#"evaluate corner --formula "@2024-03-31 - 1 month" --format csv --unguarded"#,
            0,
            &["!'@2024", "@2024-03-31 - 1 month\n2024-02-29\n"],
        ),
        ("evaluate --help", 0, &["apostrophe"]),
    ]);
}

#[test]
fn d17_a_hash_shows_nothing_of_a_zero() {
    run(&[
        (r#"evaluate corner --formula "text(0, '#')" --format csv"#, 0, &["'#')\"\n\"\"\n"]),
        (r#"evaluate corner --formula "text(0, '0')" --format csv"#, 0, &["\n0\n"]),
    ]);
}

#[test]
fn types_of_unusual_units_are_readable() {
    run(&[
        (r#"evaluate corner --formula "1 / 1 USD" --format ndjson"#, 0, &["per money(USD)", "!^"]),
        (r#"evaluate corner --formula "2 days * 3 hours" --format ndjson"#, 0, &["duration^2"]),
    ]);
}

#[test]
fn an_error_in_an_example_is_reported_at_the_example() {
    run(&[
        (
            "evaluate formulas/files/example-value.metrics --check",
            1,
            &["E504", "example-value.metrics:5:24", "used here"],
        ),
        (
            "evaluate formulas/files/example-record.metrics --check",
            1,
            &["example-record.metrics:5:", "1 error"],
        ),
    ]);
}

#[test]
fn cells_that_cannot_be_read_are_answered_with_what_can() {
    run(&[
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/digits.csv",
            3,
            &["digits.csv:2", "more than 28 digits"],
        ),
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/exponent.csv",
            3,
            &["exponent.csv:2", "without an exponent: 1000"],
        ),
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/nan.csv",
            3,
            &["nan.csv:2", "declare it: null \"NaN\""],
        ),
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/null.csv",
            3,
            &["null.csv:2", "declare it: null \"NULL\""],
        ),
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/blanks.csv",
            3,
            &["blanks.csv:2", "remove the blanks: `5`"],
        ),
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/unclosed.csv",
            3,
            &["unclosed.csv:2: an opening quote in this row is never closed"],
        ),
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/key-twice.csv",
            3,
            &["key-twice.csv:4: the key `a` is already used in line 2"],
        ),
        (
            "evaluate amounts extreme --data extremes=stores/edges/broken/open-end.csv --format csv",
            0,
            &["extreme"],
        ),
    ]);
}

#[test]
fn a_record_is_warned_of() {
    run(&[
        (
            "evaluate amounts part --context stores/edges/records/percent.json",
            0,
            &["W502", "`p` is 1500 %", "15 % is 0.15"],
        ),
        (
            "evaluate amounts part --context stores/edges/records/typo.json",
            0,
            &["W501", "`typo_n` is not a known name"],
        ),
        (
            "evaluate amounts part --context stores/edges/records/twice.json",
            0,
            &["W501", "`p` is given twice", "this value is used"],
        ),
        (
            "evaluate amounts part --context stores/edges/records/title.json",
            0,
            &["W501", "it is the title of `paid`"],
        ),
    ]);
}
