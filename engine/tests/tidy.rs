//! Rules about files that reviewers should not have to repeat.

#![expect(clippy::expect_used, reason = "a file that cannot be read fails the test")]

use std::path::{Path, PathBuf};

/// Limit: the lines of a file.
const MAX_LINES: usize = 400;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 9] =
    ["utils", "helpers", "common", "misc", "core", "base", "manager", "service", "handler"];

/// The modules of the engine in layers: each may use those before it, and none after it.
const LAYERS: [&str; 15] = [
    "source",
    "calendar",
    "types",
    "number",
    "diagnostics",
    "schema",
    "format",
    "functions",
    "syntax",
    "file",
    "data",
    "check",
    "evaluate",
    "engine",
    "explain",
];

/// Every Rust file below these folders of the repository, with its text.
fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut files = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            waiting.extend(entries.flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a file");
            let name = path.strip_prefix(&root).expect("below the root").to_owned();
            files.push((name, text));
        }
    }
    files.sort();
    files
}

fn all() -> Vec<(PathBuf, String)> {
    sources(&["engine", "examples"])
}

/// The files that break a rule, which must be none.
fn assert_none(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n{}", broken.join("\n"));
}

#[test]
fn every_file_says_first_what_it_is_for() {
    let broken: Vec<_> = all()
        .iter()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path.display().to_string())
        .collect();

    assert_none("a file starts with `//!`", &broken);
}

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    let broken: Vec<_> = all()
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| format!("{}: {lines} lines", path.display()))
        .collect();

    assert_none("a file has at most 400 lines", &broken);
}

#[test]
fn files_and_folders_are_named_after_what_they_hold() {
    let says_nothing = |path: &PathBuf| {
        let parts = path.with_extension("");
        parts.iter().any(|part| EMPTY_NAMES.iter().any(|empty| part == *empty))
    };
    let broken: Vec<_> = all()
        .iter()
        .filter(|(path, _)| says_nothing(path))
        .map(|(path, _)| path.display().to_string())
        .collect();

    assert_none("a name says what is inside", &broken);
}

#[test]
fn only_the_parser_knows_the_parser_generator() {
    let broken: Vec<_> = sources(&["engine/src"])
        .iter()
        .filter(|(path, text)| !path.starts_with("engine/src/syntax") && has_word(text, "pest"))
        .map(|(path, _)| path.display().to_string())
        .collect();

    assert_none("only engine/src/syntax mentions pest", &broken);
}

#[test]
fn no_value_is_a_float() {
    let broken: Vec<_> = sources(&["engine/src"])
        .iter()
        .filter(|(_, text)| has_word(text, "f64") || has_word(text, "f32"))
        .map(|(path, _)| path.display().to_string())
        .collect();

    assert_none("numbers are decimals", &broken);
}

#[test]
fn modules_use_only_those_below_them() {
    let mut broken = Vec::new();
    for (path, text) in sources(&["engine/src"]) {
        let inside = path.strip_prefix("engine/src").expect("below engine/src");
        let own = inside.iter().next().and_then(|part| part.to_str()).expect("a name");
        if own == "lib.rs" || inside.iter().any(|part| part == "tests") {
            continue;
        }
        let Some(height) = LAYERS.iter().position(|layer| *layer == own) else {
            broken.push(format!("{own} is in no layer"));
            continue;
        };
        for used in LAYERS.iter().skip(height).skip(1) {
            if has_word(&text, &format!("crate::{used}")) {
                broken.push(format!("{}: crate::{used}", path.display()));
            }
        }
    }

    assert_none("nothing points back", &broken);
}

/// Whether the text has the word with no letter, digit or `_` on either side.
fn has_word(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = rest.strip_prefix(word).unwrap_or_default();
        !before.ends_with(joins) && !after.starts_with(joins)
    })
}
