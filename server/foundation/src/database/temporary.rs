//! Databases of tests: each in its own folder, which is deleted with the last handle.

use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;

use super::Options;
use crate::clock::Clock;

/// Returns a folder for one test, and the path of a database in it.
#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "only tests call it")]
pub fn place() -> (Arc<TempDir>, PathBuf) {
    let folder = tempfile::Builder::new().prefix("quotient-").tempdir().expect("a folder");
    let path = folder.path().join("store.db");
    (Arc::new(folder), path)
}

/// Returns the options of a new database with one reader and counted statements.
pub fn options(clock: &Clock) -> Options {
    let (folder, path) = place();
    Options {
        counts_statements: true,
        reader_count: 1,
        folder: Some(folder),
        ..Options::new(path, clock.clone())
    }
}
