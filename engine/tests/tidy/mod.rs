//! What reviewers should not have to check: the order of modules, their front pages, their names.

mod reading;

use std::path::{Path, PathBuf};

use reading::{code, empty_names, files, is_test, used};

/// Modules by row, the lowest first: each uses only rows below its own. ARCHITECTURE.md draws them.
const ROWS: [&[&str]; 11] = [
    &["calendar", "source"],
    &["types", "diagnostics"],
    &["schema", "number"],
    &["syntax", "format"],
    &["functions"],
    &["check", "data"],
    &["plan", "file"],
    &["evaluate"],
    &["cache", "graph", "rollup", "sql"],
    &["engine"],
    &["explain", "registry", "suggest"],
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("src")
}

fn row_of(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
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
fn every_file_opens_with_its_purpose() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in
        ["engine/src", "engine/tests", "examples/src", "examples/tests", "benches", "server"]
    {
        for path in files(&workspace.join(folder)) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(text.starts_with("//!"), "{} has no front page", path.display());
        }
    }
}

#[test]
fn names_say_what_is_inside() {
    assert_eq!(empty_names(&sources()), Vec::<PathBuf>::new());
}
