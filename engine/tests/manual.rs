//! The pages of `fixtures/manual` are true: every formula in them gives the result printed below it.
//!
//! `INSTA_UPDATE=always` rewrites the results in place; read the difference before keeping it.
#![expect(clippy::expect_used, reason = "a page that cannot be read fails the test")]

use std::path::PathBuf;

use crate::pages::{Page, run};
use crate::stores::fixtures;

/// The numbered pages in order of reading.
fn files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(fixtures().join("manual")).expect("a folder");
    let mut files: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.retain(|path| name(path) != "README.md");
    files.sort();
    files
}

fn name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[expect(clippy::disallowed_methods, reason = "the switch that snapshot tests share")]
fn is_updating() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always")
}

#[test]
fn every_page_gives_the_results_it_prints() {
    let mut complaints = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a page");
        let Page { text: rewritten, findings } = run(&name(&path), &text);
        let (stale, wrong): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| finding.is_stale);
        complaints.extend(wrong);
        if is_updating() && rewritten != text {
            std::fs::write(&path, rewritten).expect("a page that can be written");
        } else {
            complaints.extend(stale);
        }
    }
    let complaints: Vec<String> =
        complaints.into_iter().map(|finding| finding.to_string()).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn the_table_of_contents_lists_every_page_in_order() {
    let contents =
        std::fs::read_to_string(fixtures().join("manual/README.md")).expect("a table of contents");
    let list = contents.split("\n## ").next().unwrap_or_default();

    let files: Vec<String> = files().iter().map(|path| name(path)).collect();

    assert_eq!(linked(list), files);
}

/// The pages that a text links to.
fn linked(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    links.map(|(link, _)| link).filter(|link| !link.contains('/')).collect()
}

/// Limit: the words of the first reading, formulas and results included. People read 230 to 250 in a minute.
const MOST_WORDS_OF_FIRST_READING: usize = 7_000;

#[test]
fn the_first_reading_takes_half_an_hour() {
    let folder = fixtures().join("manual");
    let contents = std::fs::read_to_string(folder.join("README.md")).expect("a table of contents");
    let section = contents.split("\n## ").find(|section| section.starts_with("Half an hour"));

    let pages = linked(section.expect("a section"));
    let words = |page: &&str| {
        let text = std::fs::read_to_string(folder.join(page)).expect(page);
        text.split_whitespace().count()
    };
    let count: usize = pages.iter().map(words).sum();

    assert!(pages.len() >= 6, "{pages:?}");
    assert!(count <= MOST_WORDS_OF_FIRST_READING, "{count} words");
}

#[test]
fn a_page_that_says_something_else_is_refused_with_its_line() {
    let page = "Store: [corner](../stores/corner/corner.metrics), February 2026.\n\n\
                ```formula\ncount(orders)\n```\n```result\ntype: count(orders) · value: 4\n```\n";

    let Page { text, findings } = run("page.md", page);

    assert_eq!(text, page.replace("value: 4", "value: 3"));
    let shown: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["fixtures/manual/page.md:6: the page and the engine differ\n\
          - type: count(orders) · value: 4\n\
          + type: count(orders) · value: 3\n"]
    );
}

#[test]
fn a_page_that_cannot_be_run_is_refused() {
    let store = "Store: [corner](../stores/corner/corner.metrics), February 2026.\n";
    for (body, complaint) in [
        ("Prose only.\n", "1: nothing on this page is executed"),
        ("```forumla\n1\n```\n", "2: a block of kind `forumla` is not known"),
        ("```result\n1\n```\n", "2: a `result` without a formula before it"),
        ("```formula\n1\n", "2: the block is never closed"),
        ("*By moon.*\n\nText.\n", "2: `by moon` fits no request"),
        ("*By day.*\n\nText.\n", "4: a request without its formula"),
        ("```context\n{\n```\n", "2: the context is not a JSON object"),
    ] {
        let Page { findings, .. } = run("page.md", &format!("{store}{body}"));

        let first = findings.first().map(ToString::to_string).unwrap_or_default();
        let complaint = format!("fixtures/manual/page.md:{complaint}");
        assert!(first.starts_with(&complaint), "{body}: {first}");
    }
}
