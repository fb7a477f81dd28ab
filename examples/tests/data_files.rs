//! Rows, records and formulas as other programs give them: forms, broken lines, standard input.

use crate::commands::{Outcome, Scratch, evaluate_words, piped};

const SOURCE: &str = "
    key id text
    date at datetime
    field t number
    field until datetime
    field p percent

metric n = count(o)
metric total = sum(o.t)
metric open = count(o where until > @2100-01-01)
";

const HEADER: &str = "id,at,t,until,p\n";

fn file(form: &str) -> Scratch {
    Scratch::new("form.metrics", format!("source o event from \"-\"{form}{SOURCE}"))
}

/// Runs with rows on standard input, in a form.
fn over(form: &str, rows: impl AsRef<[u8]>, words: &[&str]) -> Outcome {
    let file = file(form);
    piped(&[&[file.name().as_str()], words].concat(), rows.as_ref())
}

/// The error for unreadable rows.
fn refused(rows: &str) -> String {
    let outcome = over("", format!("{HEADER}{rows}"), &["n"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(3), ""), "{rows}");
    outcome.stderr
}

#[test]
fn a_source_says_how_its_rows_are_written() {
    let words = ["n", "total", "--format", "csv"];
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let plain = "id,at,t,until,p\nÄ,2026-01-05 10:00:00,1.5,,\n";
    let semicolons = "id;at;t;until;p\na;2026-01-05 10:00:00;1.5;NULL;-\n";
    for (form, rows) in [
        ("", plain.as_bytes().to_vec()),
        ("", format!("\u{feff}{plain}").into_bytes()),
        ("", utf_16(&format!("\u{feff}{plain}"))),
        (" encoding utf-16le", utf_16(plain)),
        (" encoding latin1", b"id,at,t,until,p\n\xc4,2026-01-05 10:00:00,1.5,,\n".to_vec()),
        (" delimiter \";\" null \"NULL\", \"-\"", semicolons.as_bytes().to_vec()),
        (" delimiter tab", plain.replace(',', "\t").into_bytes()),
    ] {
        let outcome = over(form, &rows, &words);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{form}");
        assert_eq!(outcome.stdout, "n,total\n1,1.5\n", "{form}");
    }
}

#[test]
fn the_message_suggests_an_undeclared_format() {
    let semicolons = over("", "id;at;t;until;p\na;;;;\n", &["n"]);
    assert!(
        semicolons.stderr.contains("help: if these are several columns"),
        "{}",
        semicolons.stderr
    );
    assert!(semicolons.stderr.contains("delimiter \";\""), "{}", semicolons.stderr);

    let windows = over("", [HEADER.as_bytes(), b"Stra\xdfe,,,,\n"].concat(), &["n"]);
    assert_eq!(windows.code, Some(3));
    assert!(windows.stderr.contains("-:2: cell 1 is not UTF-8 text"), "{}", windows.stderr);
    assert!(windows.stderr.contains("encoding windows-1252"), "{}", windows.stderr);
}

#[test]
fn an_open_end_is_later_than_any_instant() {
    let rows = "a,2026-01-05 10:00:00,1,9999-12-31T23:59:59Z,\n\
                b,2026-01-05 10:00:00,1,9999-12-31 23:59:59,\n\
                c,2026-01-05 10:00:00,1,2026-02-01 00:00:00,\n";
    let outcome = over("", format!("{HEADER}{rows}"), &["open", "--format", "csv"]);

    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), "open\n2\n"));
}

#[test]
fn a_cell_that_cannot_be_read_is_answered_with_what_would_be() {
    for (rows, expected) in [
        ("a,,1e3,,", "-:2: column `t`: `1e3` is not a number: write it without an exponent: 1000"),
        ("a,, 5 ,,", "` 5 ` is not a number: remove the blanks: `5`"),
        ("a,,NaN,,", "`NaN` is not a number: if it means a missing value"),
        ("a,,NULL,,", "declare it: null \"NULL\""),
        ("a,,,,15%", "column `p`: `15%` is not a number: write a percentage as a fraction: 0.15"),
        ("a,,0.12345678901234567890123456789,,", "it has more than 28 digits"),
        ("a,\n", "-:2: 2 cells where the header has 5"),
        ("a,,,,\n\"b,,,,\nc,,,,\n", "-:3: an opening quote in this row is never closed"),
        ("a,,\"x\n\n\",,\n", "-:2: column `t`: `x"),
        ("a,,1,,\nb,,1,,\n\na,,2,,\n", "-:5: the key `a` is already used in line 2"),
    ] {
        let said = refused(rows);
        assert!(said.contains(expected), "{rows}: {said}");
    }
}

#[test]
fn rows_without_a_date_are_counted_in_a_note() {
    let dated = "a,2026-01-05 10:00:00,1,,\n";
    for (rows, note) in [
        ("", ""),
        ("b,,2,,\n", "note: 1 row of o has no date and belongs to no period\n"),
        ("b,,2,,\nc,,3,,\n", "note: 2 rows of o have no date and belong to no period\n"),
    ] {
        let outcome = over("", format!("{HEADER}{dated}{rows}"), &["total", "--format", "csv"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), "total\n1\n"));
        assert_eq!(outcome.stderr, note);
    }
}

#[test]
fn standard_input_holds_formulas_rows_or_a_record_and_one_of_them_at_a_time() {
    let formulas = piped(&["-", "--formula", "a * 2", "--format", "csv"], b"metric a = 4\n");
    assert_eq!((formulas.code, formulas.stdout.as_str()), (Some(0), "a * 2\n8\n"));
    let wrong = piped(&["-", "--check"], b"metric a = 1 ==\n");
    assert!(wrong.stderr.contains("--> -:1:"), "{}", wrong.stderr);

    let file = file("");
    let record = piped(&[&file.name(), "n", "--context", "-", "--format", "csv"], b"{\"n\": 3}");
    assert_eq!((record.code, record.stdout.as_str()), (Some(0), "n\n3\n"));

    let twice = piped(&["-", "--data", "o=-", "n"], format!("source o event{SOURCE}").as_bytes());
    assert_eq!(twice.code, Some(2));
    assert!(twice.stderr.contains("can be read only once"), "{}", twice.stderr);
    let written = piped(&["-", "--fmt", "--write"], b"metric  a = 4\n");
    assert_eq!(written.code, Some(2));
    assert!(written.stderr.contains("cannot be changed"), "{}", written.stderr);
    let large = piped(&["-", "--fmt"], "// é\n".repeat(200_000).as_bytes());
    assert_eq!(large.code, Some(2));
    assert!(large.stderr.contains("cannot read `-`: it is larger than"), "{}", large.stderr);
}

#[test]
fn a_record_is_warned_of_what_has_no_effect_or_too_much() {
    let file = Scratch::new(
        "record.metrics",
        "input p percent\ninput n number\nmetric kept \"What is kept\" = n * (1 - p)\n",
    );
    for (json, warnings) in [
        (r#"{"n": 10, "p": 0.15}"#, vec![]),
        (r#"{"n": 10, "p": "15%"}"#, vec![]),
        (r#"{"n": 10, "p": 15}"#, vec!["W502]: `p` is 1500 %", "15 % is 0.15"]),
        (r#"{"n": 10, "p": 0, "typo_n": 2}"#, vec!["W501]: `typo_n` is not a known name"]),
        (r#"{"n": 10, "n": 20, "p": 0}"#, vec!["W501]: `n` is given twice", "this value is used"]),
        (r#"{"What is kept": 1, "n": 1, "p": 0}"#, vec!["it is the title of `kept`"]),
    ] {
        let record = Scratch::new("record.json", json);
        let outcome = evaluate_words(&[&file.name(), "kept", "--context", &record.name()]);
        assert_eq!(outcome.code, Some(0), "{json}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.is_empty(), warnings.is_empty(), "{json}: {}", outcome.stderr);
        for warning in warnings {
            assert!(outcome.stderr.contains(warning), "{json}: {}", outcome.stderr);
        }
    }
}

#[test]
fn files_with_other_names_than_csv_are_called_by_their_format() {
    let file = Scratch::new("o.metrics", "source o event\n    key id text\n    date at datetime\n");
    for (path, what) in [
        ("x.parquet", "a Parquet file"),
        ("x.ndjson.gz", "JSON"),
        ("X.XLSX", "a spreadsheet"),
        ("postgres://localhost/shop", "an address"),
    ] {
        let data = format!("o={path}");
        let outcome = evaluate_words(&[&file.name(), "--data", &data, "--formula", "count(o)"]);

        assert_eq!(outcome.code, Some(3), "{path}: {}", outcome.stderr);
        let sentence = format!("`{path}` is {what}, and rows are read from CSV files only");
        assert!(outcome.stderr.contains(&sentence), "{path}: {}", outcome.stderr);
    }
}
