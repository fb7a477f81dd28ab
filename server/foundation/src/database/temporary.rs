//! Databases of tests: each in its own folder, which is deleted with the last handle.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use tempfile::TempDir;

use super::{Error, Options, migrations, open};
use crate::clock::Clock;

/// The file system of Linux that is in memory.
const MEMORY: &str = "/dev/shm";
/// Limit: memory is used where as much of it is free. A container may have 64 MB.
const FREE_BYTES: u64 = 1 << 30;

/// Creates a folder for the files of one test; in memory where possible, since a commit to a disk takes milliseconds.
pub fn folder() -> std::io::Result<TempDir> {
    let free = rustix::fs::statvfs(MEMORY).map_or(0, |it| it.f_bavail.saturating_mul(it.f_frsize));
    let within = if free < FREE_BYTES { std::env::temp_dir() } else { PathBuf::from(MEMORY) };
    tempfile::Builder::new().prefix("quotient-").tempdir_in(within)
}

/// Returns a folder for one test, and the path of a database in it.
#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "only tests call it")]
pub fn place() -> (Arc<TempDir>, PathBuf) {
    let folder = folder().expect("a folder");
    let path = folder.path().join("store.db");
    (Arc::new(folder), path)
}

/// A new database. Running the migrations takes longer than most tests, so each process runs them once.
#[expect(clippy::expect_used, reason = "only tests use it")]
static NEW: LazyLock<Vec<u8>> = LazyLock::new(|| migrated().expect("a database"));

fn migrated() -> Result<Vec<u8>, Error> {
    let (folder, path) = place();
    let mut connection = open::writing(&Options::new(path, Clock::system()))?;
    migrations::run(&mut connection)?;
    let path = folder.path().join("copy.db");
    open::copy(&connection, &path)?;
    std::fs::read(&path).map_err(|cause| Error::File { path, cause })
}

/// Writes a database that only its owner can read, as the server requires.
#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "only tests call it")]
pub fn write(path: &Path, content: &[u8]) {
    open::private_file(path).expect("a file");
    std::fs::write(path, content).expect("a file");
}

/// Returns the options of a new database with one reader and counted statements.
pub fn options(clock: &Clock) -> Options {
    let (folder, path) = place();
    write(&path, &NEW);
    Options {
        counts_statements: true,
        reader_count: 1,
        folder: Some(folder),
        ..Options::new(path, clock.clone())
    }
}
