//! What reviewers should not have to say: the modules' order, their front pages, their names.

use std::path::{Path, PathBuf};

/// Modules by row, the lowest first: each uses rows below its own. ARCHITECTURE.md draws them.
const ROWS: [&[&str]; 11] = [
    &["calendar", "source"],
    &["types", "diagnostics"],
    &["schema", "number"],
    &["syntax", "format"],
    &["functions"],
    &["check", "data"],
    &["plan", "file"],
    &["evaluate"],
    &["cache", "graph", "sql", "states"],
    &["engine"],
    &["explain", "registry", "suggest"],
];

/// Names that say nothing of what is inside.
const EMPTY_NAMES: [&str; 9] =
    ["utils", "util", "helpers", "common", "misc", "core", "base", "manager", "service"];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file below a folder, in order of path.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The code of a file, without comments.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn row_of(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// The modules of the crate that a text names: `crate::types::…`, `crate::{check, data}`.
fn used(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for rest in text.split("crate::").skip(1) {
        let names = rest.strip_prefix('{').and_then(|list| list.split_once('}'));
        let names = names.map_or(rest, |(list, _)| list);
        let is_list = rest.starts_with('{');
        let words = names.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let words = words.filter(|word| !word.is_empty());
        found.extend(words.take(if is_list { usize::MAX } else { 1 }));
    }
    found
}

fn is_test(path: &Path) -> bool {
    let parts = path.iter().map(|part| part.to_string_lossy());
    parts.into_iter().any(|part| matches!(&*part, "tests" | "tests.rs" | "testing.rs"))
}

#[test]
fn modules_use_only_those_below_them() {
    let mut wrong = Vec::new();
    for row in ROWS {
        for module in row {
            let own = row_of(module);
            let folder = sources().join(module);
            assert!(folder.is_dir(), "{module} is in the table and not in the tree");
            for path in files(&folder).iter().filter(|path| !is_test(path)) {
                let text = code(path);
                let upward = used(&text).into_iter().filter(|other| other != module);
                let upward = upward.filter(|other| row_of(other).is_some_and(|of| Some(of) >= own));
                wrong.extend(upward.map(|other| format!("{} uses {other}", path.display())));
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_table_knows_every_module() {
    for entry in std::fs::read_dir(sources()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(!entry.path().is_dir() || row_of(&name).is_some(), "{name} has no row");
    }
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in ["engine/src", "engine/tests", "examples/src", "examples/tests", "benches"] {
        for path in files(&workspace.join(folder)) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(text.starts_with("//!"), "{} has no front page", path.display());
        }
    }
}

#[test]
fn names_say_what_is_inside() {
    for path in files(&sources()) {
        let parts = path.iter().map(|part| part.to_string_lossy().replace(".rs", ""));
        let below = parts.skip_while(|part| part != "src");
        for part in below {
            assert!(!EMPTY_NAMES.contains(&part.as_str()), "{}", path.display());
        }
    }
}
