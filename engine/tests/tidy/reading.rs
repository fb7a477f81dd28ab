//! Reading a crate's sources, for the tests of its structure.

use std::path::{Path, PathBuf};

/// Names that say nothing about the content.
const EMPTY_NAMES: [&str; 10] =
    ["utils", "util", "helpers", "common", "misc", "core", "base", "manager", "service", "handler"];

/// Every Rust file below a folder, in order of path.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
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
pub(crate) fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules of the crate that a text names: `crate::types::…`, `crate::{check, data}`.
pub(crate) fn used(text: &str) -> Vec<&str> {
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

/// Whether a file is of tests.
pub(crate) fn is_test(path: &Path) -> bool {
    let parts = path.iter().map(|part| part.to_string_lossy());
    parts
        .into_iter()
        .any(|part| matches!(&*part, "tests" | "tests.rs" | "testing.rs" | "temporary.rs"))
}

/// The files of a crate with an empty name in their path.
pub(crate) fn empty_names(sources: &Path) -> Vec<PathBuf> {
    let is_empty = |path: &PathBuf| {
        let below = path.strip_prefix(sources).unwrap_or(path);
        let mut parts = below.iter().map(|part| part.to_string_lossy().replace(".rs", ""));
        parts.any(|part| EMPTY_NAMES.contains(&part.as_str()))
    };
    files(sources).into_iter().filter(is_empty).collect()
}
