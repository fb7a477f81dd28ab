//! The CSV options in a source's line.

use super::{findings, load_text};
use crate::file::format;
use crate::schema::CsvForm;

fn source(rest: &str) -> String {
    format!("source orders entity from {rest}\n    key id text\n")
}

#[test]
fn a_source_says_how_its_file_is_written() {
    let form = |rest: &str| load_text(&source(rest)).schema.sources[0].form.clone();
    let nulls = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();

    assert_eq!(form("\"o.csv\""), CsvForm::default());
    assert_eq!(
        form("\"o.csv\" delimiter \";\" encoding windows-1252 null \"NULL\", \"-\""),
        CsvForm { delimiter: b';', encoding: Some("windows-1252"), nulls: nulls(&["NULL", "-"]) }
    );
    assert_eq!(
        form("\"o.csv\" null 'n/a' delimiter tab"),
        CsvForm { delimiter: b'\t', encoding: None, nulls: nulls(&["n/a"]) }
    );
}

#[test]
fn standard_input_has_no_folder() {
    let loaded = crate::file::load("shop/a.metrics", &mut |_| Ok(source("\"-\"")));
    assert_eq!(loaded.schema.sources[0].data.as_deref(), Some("-"));
}

#[test]
fn unreadable_parts_of_a_file_are_reported_at_their_place() {
    for (rest, expected) in [
        (
            "\"o.csv\" delimeter \";\"",
            "E802 [delimeter] `delimeter` is no property of a file | did you mean `delimiter`?",
        ),
        (
            "\"o.csv\" delimiter ;",
            "E802 [;] a quoted character or `tab` is expected, not `;` | for example: delimiter \";\"",
        ),
        (
            "\"o.csv\" delimiter \"\\t\"",
            "E802 [\"\\t\"] `\\t` cannot be a delimiter | for example: delimiter \";\", or delimiter tab",
        ),
        ("\"o.csv\" delimiter \"x\"", "`x` cannot be a delimiter"),
        ("\"o.csv\" encoding utf8", "`utf8` is no encoding | did you mean `utf-8`?"),
        ("\"o.csv\" encoding", "an encoding is missing | known: utf-8, utf-16"),
        (
            "\"o.csv\" null NULL",
            "a quoted text is expected, not `NULL` | for example: null \"NULL\"",
        ),
        ("\"o.csv\" null \"-\",", "a quoted text after the comma is missing"),
        ("\"o.csv\" null \"-\" null \"x\"", "`null` is given twice"),
    ] {
        let found = findings(&source(rest));
        assert!(found.len() == 1 && found[0].contains(expected), "{rest}: {found:#?}");
    }
}

#[test]
fn the_canonical_form_keeps_it_on_the_line() {
    let text = source("\"o.csv\"   delimiter\";\"  null \"NULL\" ,\"-\"");
    assert_eq!(format(&text, &|_| None), source("\"o.csv\" delimiter \";\" null \"NULL\", \"-\""));
}
