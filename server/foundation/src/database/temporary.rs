//! Databases of tests: each in a folder of its own, which goes with the last handle.

use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;

use super::Options;
use crate::clock::Clock;

/// A folder that no other test has, and the path of a database in it.
#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "only tests call it")]
pub fn place() -> (Arc<TempDir>, PathBuf) {
    let folder = tempfile::Builder::new().prefix("quotient-").tempdir().expect("a folder");
    let path = folder.path().join("store.db");
    (Arc::new(folder), path)
}

/// The settings of a new database, with one reader; its statements are counted.
pub fn options(clock: &Clock) -> Options {
    let (folder, path) = place();
    Options {
        counts_statements: true,
        reader_count: 1,
        folder: Some(folder),
        ..Options::new(path, clock.clone())
    }
}
