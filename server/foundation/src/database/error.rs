//! What can go wrong with the database itself.

use std::path::PathBuf;

use thiserror::Error;

/// A failure of the database, apart from what a domain decides.
#[derive(Debug, Error)]
pub enum Error {
    /// Another process holds the file longer than a write waits.
    #[error("the database is busy")]
    Busy,
    /// More writes wait than the queue takes, or the server is stopping.
    #[error("too many writes are waiting")]
    Overloaded,
    /// A read took longer than it may.
    #[error("a read took too long")]
    Late,
    /// The disk has no room.
    #[error("the disk is full")]
    Full,
    /// After a failure the file was found to be damaged.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// A row of this key is there already.
    #[error("a row with this key exists")]
    Duplicate(#[source] rusqlite::Error),
    /// The file was written by a later version.
    #[error("the database has schema {found}, and this program knows {known}: use a newer program")]
    Newer {
        /// The file's schema version.
        found: i64,
        /// The last version this program knows.
        known: i64,
    },
    /// A file that must not be there is there.
    #[error("`{0}` exists already")]
    Exists(PathBuf),
    /// The file cannot be made or opened.
    #[error("`{path}` cannot be opened")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// A closure of a transaction panicked; its writes were undone.
    #[error("a transaction failed unexpectedly")]
    Panicked,
    /// Anything else SQLite reports.
    #[error("the database failed")]
    Sqlite(#[source] rusqlite::Error),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};

        let extended = error.sqlite_error().map(|cause| cause.extended_code);
        if extended == Some(SQLITE_CONSTRAINT_UNIQUE)
            || extended == Some(SQLITE_CONSTRAINT_PRIMARYKEY)
        {
            return Self::Duplicate(error);
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Sqlite(error),
        }
    }
}
