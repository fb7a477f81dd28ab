//! Databases of tests: each in a new file of its own below the system's temporary folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::Options;
use crate::clock::Clock;
use crate::state::database_options;

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A path that no other test has, and where nothing is.
pub(crate) fn path() -> PathBuf {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("quotient-test-{}-{number}.db", std::process::id());
    let path = std::env::temp_dir().join(name);
    remove(&path);
    path
}

/// Removes a database and what lies beside it.
pub(crate) fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _absent = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}

/// The settings of a new database, with one reader; its statements are counted.
pub(crate) fn options(clock: &Clock) -> Options {
    Options { counts_statements: true, reader_count: 1, ..database_options(path(), clock.clone()) }
}
