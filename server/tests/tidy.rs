//! The rules of the source tree: module dependencies, and where SQL, HTTP and other code may be.

#[path = "../../engine/tests/tidy/reading.rs"]
mod reading;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use reading::{code, empty_names, files, is_test, used};

/// The modules of each crate by row, lowest first: each uses only rows below its own. The dependencies of a crate are
/// in its `Cargo.toml`. ARCHITECTURE.md draws both.
const CRATES: &[(&str, &[&[&str]])] = &[
    (
        "foundation",
        &[
            &["clock", "describe", "digest"],
            &[
                "config",
                "context",
                "csv",
                "http_client",
                "ids",
                "metadata",
                "money",
                "proportion",
                "routing",
                "testing",
            ],
            &["database", "telemetry"],
            &["events", "http", "jobs", "mail", "privacy", "webhooks"],
            &["middleware", "openapi"],
            &["audit_log"],
            &["auth", "state"],
            &["resource"],
            &["api_keys", "users"],
        ],
    ),
    (
        "merchandising",
        &[&["pricing", "regions"], &["inventory", "taxes"], &["catalog", "shipping"]],
    ),
    (
        "sales",
        &[
            &["bundles", "comparable_amount", "customers", "plans", "promotions", "statuses"],
            &["credit"],
            &["payments"],
            &["cart"],
            &["orders"],
            &["fulfillment", "returns", "subscriptions"],
            &["checkout"],
            &["privacy"],
            &["webhooks"],
        ],
    ),
    ("flows", &[&["conditions"], &["definition"], &["sessions"], &["embed", "insight"]]),
    (
        "partners",
        &[
            &["commission", "error"],
            &["partners"],
            &["offers"],
            &["clicks"],
            &["conversions"],
            &["payouts"],
            &["statement"],
        ],
    ),
    (
        "storefront",
        &[
            &["admission", "caching", "error", "locale", "personal", "schedule", "slug"],
            &["link", "reviews", "sms", "visits"],
            &["markup"],
            &["membership", "oauth", "settings", "sites"],
            &["banners", "pages", "sections"],
        ],
    ),
    (
        "metrics",
        &[
            &["boards", "routes", "testing"],
            &["registry"],
            &["rollups"],
            &["compute"],
            &["alerts", "dashboards"],
            &["reports"],
            &["batch"],
        ],
    ),
];

/// The exceptions, which use a row that is not below their own: a domain's state holds what its routes share between
/// requests, and every router is created for the state. The caller is authenticated with the state, which holds
/// credentials.
const UPWARD: &[(&str, &str)] = &[("auth", "state"), ("state", "auth")];

/// Returns the source folders of all crates of the server.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = [
        "demo",
        "flows",
        "foundation",
        "merchandising",
        "metrics",
        "pages",
        "partners",
        "sales",
        "storefront",
    ];
    let mut folders: Vec<PathBuf> = names.iter().map(|name| root.join(name).join("src")).collect();
    folders.push(root.join("src"));
    folders
}

/// Returns all Rust files of the server.
fn sources() -> Vec<PathBuf> {
    crates().iter().flat_map(|folder| files(folder)).collect()
}

/// Returns the files of a module, which is a folder or a file.
fn of(folder: &Path, module: &str) -> Vec<PathBuf> {
    let file = folder.join(format!("{module}.rs"));
    if file.is_file() { vec![file] } else { files(&folder.join(module)) }
}

#[test]
fn modules_use_only_those_below_them() {
    let mut wrong = Vec::new();
    for (name, rows) in CRATES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).join("src");
        let row_of = |module: &str| rows.iter().position(|row| row.contains(&module));
        for module in rows.iter().copied().flatten() {
            let is_known = |other: &str| UPWARD.contains(&(module, other));
            for path in of(&folder, module).iter().filter(|path| !is_test(path)) {
                let text = code(path);
                let upward =
                    used(&text).into_iter().filter(|other| other != module && !is_known(other));
                let upward = upward
                    .filter(|other| row_of(other).is_some_and(|row| Some(row) >= row_of(module)));
                wrong.extend(upward.map(|other| format!("{} uses {other}", path.display())));
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_table_knows_every_module() {
    for (name, rows) in CRATES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).join("src");
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let module = entry.file_name().to_string_lossy().replace(".rs", "");
            let is_known = rows.iter().any(|row| row.contains(&&*module));
            assert!(is_known || matches!(&*module, "lib" | "state"), "{name}: {module} has no row");
        }
    }
}

#[test]
fn names_say_what_is_inside() {
    let empty: Vec<PathBuf> = crates().iter().flat_map(|folder| empty_names(folder)).collect();
    assert_eq!(empty, Vec::<PathBuf>::new());
}

/// Returns whether a part of a path below the sources has this name, with or without the extension.
fn lies_in(path: &Path, name: &str) -> bool {
    path.iter().any(|part| part == name || part.to_string_lossy() == format!("{name}.rs"))
}

#[test]
fn handlers_know_no_database_library_and_rules_and_statements_no_http() {
    let mut wrong = Vec::new();
    for path in sources().iter().filter(|path| !is_test(path)) {
        let text = code(path);
        let is_sql = lies_in(path, "queries") || lies_in(path, "database");
        let is_http = ["routes", "routing", "http", "middleware", "auth", "start", "state"]
            .iter()
            .any(|name| lies_in(path, name));
        // A page is a client of the API: it knows HTTP, and no rows.
        let is_page = path.starts_with(Path::new(env!("CARGO_MANIFEST_DIR")).join("pages"));
        if lies_in(path, "routes") && text.contains("rusqlite") {
            wrong.push(format!("{} names the database library", path.display()));
        }
        if is_sql && text.contains("axum::") {
            wrong.push(format!("{} names the HTTP library", path.display()));
        }
        let statements = ["prepare_cached(", ".sql(\"", "tx.insert(\"", "tx.put(\""];
        if is_page && (is_sql || text.contains("database::")) {
            wrong.push(format!("{} knows the database", path.display()));
        }
        if !is_sql && statements.iter().any(|statement| text.contains(statement)) {
            wrong.push(format!("{} has a statement", path.display()));
        }
        if !is_http && !is_page && text.contains("axum::extract") {
            wrong.push(format!("{} takes requests apart", path.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn migrations_are_numbered_without_gaps() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("foundation/migrations");
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
    let texts: Vec<(PathBuf, String)> =
        sources().into_iter().map(|path| (path.clone(), code(&path))).collect();
    let lists = texts.iter().flat_map(|(_, text)| text.split("routes!(").skip(1));
    let mounted: BTreeSet<&str> = lists
        .filter_map(|list| list.split(')').next())
        .flat_map(|list| list.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')))
        .collect();
    for (path, text) in &texts {
        for rest in text.split("#[crate::http::operation(").skip(1) {
            let name =
                rest.split("async fn ").nth(1).and_then(|rest| rest.split(['(', '<']).next());
            let name = name.unwrap_or_default();
            // What a macro declares and nothing mounts is dead code to the compiler.
            if name == "$name" {
                continue;
            }
            let path = path.display();
            assert!(mounted.contains(name), "{path}: {name} is described and not mounted");
        }
    }
}

/// Queries that a handler reads but does not describe would be found by nobody.
#[test]
fn every_query_is_described() {
    for path in sources().iter().filter(|path| !is_test(path)) {
        let text = code(path);
        for described in text.split("#[crate::http::operation(").skip(1) {
            let Some((attribute, rest)) = described.split_once("async fn ") else { continue };
            let arguments = rest.split(") ->").next().unwrap_or_default();
            for query in arguments.split(": Query<").skip(1) {
                let name = query.split('>').next().unwrap_or_default();
                let path = path.display();
                assert!(has_word(attribute, name), "{path}: {name} is not described");
            }
        }
    }
}

/// Returns whether a text contains a whole word.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|part| part == word)
}

/// Returns the names of the items that a text declares.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    let words = || {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.filter(|word| !word.is_empty())
    };
    let follows_a_keyword = |(before, name): (&str, _)| {
        ["struct", "enum", "trait", "type", "fn"].contains(&before).then_some(name)
    };
    words().zip(words().skip(1)).filter_map(follows_a_keyword)
}

#[test]
fn the_picture_of_a_question_shows_the_modules_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/question.md")).expect("the page");
    let picture = page.split("```mermaid").nth(1).and_then(|rest| rest.split("```").next());
    let lines = || picture.expect("a picture").lines().map(str::trim);
    let texts: BTreeMap<&str, String> = lines()
        .filter_map(|line| line.strip_suffix("\"]")?.split_once("[\""))
        .filter(|(_, path)| path.contains('/'))
        .map(|(name, path)| {
            let path = root.join(path);
            let paths = if path.is_dir() { files(&path) } else { vec![path] };
            let code: String =
                paths.iter().filter(|path| !is_test(path)).map(|path| code(path)).collect();
            assert!(!code.is_empty(), "there is no {name}");
            (name, code)
        })
        .collect();
    let arrows: Vec<(&str, &str, &str)> = lines()
        .filter_map(|line| {
            let (from, rest) = line.split_once(" -->|")?;
            let (item, to) = rest.split_once("| ")?;
            Some((from, item, to))
        })
        .collect();
    assert!(arrows.len() >= texts.len() - 1, "a module without an arrow");
    for (from, item, to) in arrows {
        let (user, owner) = (&texts[from], &texts[to]);
        assert!(declared(owner).any(|name| name == item), "{to} declares no {item}");
        assert!(has_word(user, item), "{from} does not use {item} of {to}");
    }
}

/// Names that a reader cannot guess: participles that do not describe the thing, and metaphors.
const DIALECT: [&str; 26] = [
    "Answered",
    "Asked",
    "Book",
    "Computed",
    "Desk",
    "Found",
    "Gathered",
    "Given",
    "Held",
    "Kept",
    "Known",
    "Left",
    "Over",
    "Player",
    "Sent",
    "Shelf",
    "Shown",
    "Standing",
    "Stretch",
    "Taken",
    "Tally",
    "Till",
    "Turn",
    "Turns",
    "Wanted",
    "Workbench",
];

#[test]
fn types_are_called_by_nouns_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let others = ["benches/src", "engine/src", "examples/src"];
    let others = others.iter().flat_map(|folder| files(&root.join(folder)));
    let wrong: Vec<String> = sources()
        .into_iter()
        .chain(others)
        .flat_map(|path| {
            let text = code(&path);
            let dialect = declared(&text).filter(|name| DIALECT.contains(name));
            dialect.map(|name| format!("{}: {name}", path.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
