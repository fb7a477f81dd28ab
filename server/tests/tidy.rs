//! What reviewers should not have to say: who may use whom, where SQL and HTTP may be written, what lies where.

#[path = "../../engine/tests/tidy/reading.rs"]
mod reading;

use std::path::{Path, PathBuf};

use reading::{code, empty_names, files, is_test, used};

/// Modules by row, the lowest first: each uses rows below its own. ARCHITECTURE.md draws them.
const ROWS: &[&[&str]] = &[
    &["clock", "config", "ids", "metadata", "money", "proportion", "request_id", "sent"],
    &["database", "statuses", "telemetry"],
    &["events", "http", "jobs"],
    &["middleware", "openapi"],
    &["trail"],
    &["state"],
    &["auth"],
    &["resource"],
    &["api_keys", "credit", "customers", "metrics", "pricing", "regions", "users"],
    &["inventory", "taxes"],
    &["catalog", "promotions", "shipping"],
    &["payments"],
    &["cart"],
    &["orders"],
    &["fulfillment", "returns"],
    &["checkout", "demo"],
    &["check", "chores", "first_start", "routes"],
    &["start"],
];

/// What uses a row above its own all the same. The state holds what these keep from one request to the next; every
/// router is made for the state, so they use it as well.
const UPWARD: &[(&str, &str)] =
    &[("state", "auth"), ("state", "catalog"), ("state", "metrics"), ("state", "payments")];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn row_of(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// The files of a module, be it a folder or a file.
fn of(module: &str) -> Vec<PathBuf> {
    let file = sources().join(format!("{module}.rs"));
    if file.is_file() { vec![file] } else { files(&sources().join(module)) }
}

#[test]
fn modules_use_only_those_below_them() {
    let mut wrong = Vec::new();
    for module in ROWS.iter().copied().flatten() {
        let own = row_of(module);
        let is_known = |other: &str| UPWARD.contains(&(module, other));
        for path in of(module).iter().filter(|path| !is_test(path)) {
            let text = code(path);
            let upward =
                used(&text).into_iter().filter(|other| other != module && !is_known(other));
            let upward = upward.filter(|other| row_of(other).is_some_and(|of| Some(of) >= own));
            wrong.extend(upward.map(|other| format!("{} uses {other}", path.display())));
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_table_knows_every_module() {
    for entry in std::fs::read_dir(sources()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().replace(".rs", "");
        assert!(matches!(&*name, "lib" | "main") || row_of(&name).is_some(), "{name} has no row");
    }
}

#[test]
fn names_say_what_is_inside() {
    assert_eq!(empty_names(&sources()), Vec::<PathBuf>::new());
}

/// Whether a part of a path below the sources is this, with or without its ending.
fn lies_in(path: &Path, name: &str) -> bool {
    path.iter().any(|part| part == name || part.to_string_lossy() == format!("{name}.rs"))
}

#[test]
fn handlers_know_no_database_library_and_rules_and_statements_no_http() {
    let mut wrong = Vec::new();
    for path in files(&sources()).iter().filter(|path| !is_test(path)) {
        let text = code(path);
        let is_sql = lies_in(path, "queries") || lies_in(path, "database");
        let is_http = ["routes", "http", "middleware", "auth", "start", "state", "openapi"]
            .iter()
            .any(|name| lies_in(path, name));
        if lies_in(path, "routes") && text.contains("rusqlite") {
            wrong.push(format!("{} names the database library", path.display()));
        }
        if is_sql && text.contains("axum::") {
            wrong.push(format!("{} names the HTTP library", path.display()));
        }
        if !is_sql && text.contains("prepare_cached(") {
            wrong.push(format!("{} prepares a statement", path.display()));
        }
        if !is_http && text.contains("axum::extract") {
            wrong.push(format!("{} takes requests apart", path.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn migrations_are_numbered_without_gaps() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for (index, name) in names.iter().enumerate() {
        assert!(name.starts_with(&format!("{:04}_", index + 1)), "{name}");
    }
}

#[test]
fn every_described_handler_is_mounted() {
    for path in files(&sources()) {
        let text = code(&path);
        for rest in text.split("#[utoipa::path(").skip(1) {
            let name =
                rest.split("async fn ").nth(1).and_then(|rest| rest.split(['(', '<']).next());
            let name = name.unwrap_or_default();
            let mounted = files(&sources()).iter().any(|other| {
                let text = code(other);
                text.split("routes!(").skip(1).any(|list| {
                    let list = list.split(')').next().unwrap_or_default();
                    list.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                        .any(|word| word == name)
                })
            });
            assert!(mounted, "{}: {name} is described and not mounted", path.display());
        }
    }
}
