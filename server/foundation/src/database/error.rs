//! Errors of the database itself.

use std::path::PathBuf;

use rusqlite::ErrorCode;
use thiserror::Error;

/// A failure of the database, as opposed to a refusal by a domain.
#[derive(Debug, Error)]
pub enum Error {
    /// Another process locks the file for longer than a write waits.
    #[error("the database is busy")]
    Busy,
    /// The queue of writes is full, or the server is stopping.
    #[error("too many writes are waiting")]
    Overloaded,
    #[error("a read took too long")]
    Late,
    #[error("the disk is full")]
    Full,
    /// The file was found to be damaged after a failure.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    #[error("a row with this key exists")]
    Duplicate(#[source] rusqlite::Error),
    /// The file was written by a newer version.
    #[error("the database has schema {found}, and this program knows {known}: use a newer program")]
    Newer { found: i64, known: i64 },
    /// The file was written by an older version.
    #[error(
        "the database has schema {found}, and this program looks at {known}: the server migrates it when it starts"
    )]
    Older { found: i64, known: i64 },
    #[error("the file is a database of another program")]
    Foreign,
    /// A file that must not exist exists.
    #[error("`{0}` exists already")]
    Exists(PathBuf),
    #[error("`{path}` cannot be opened")]
    File {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("`{0}` is open to every user of this machine: close it with `chmod o= {0}`")]
    Exposed(PathBuf),
    /// The closure of a transaction panicked; its writes were rolled back.
    #[error("a transaction failed unexpectedly")]
    Panicked,
    /// Any other SQLite error.
    #[error("the database failed")]
    Sqlite(#[source] rusqlite::Error),
}

impl Error {
    /// Returns `taken` in place of a duplicate key.
    pub fn or_taken<E: From<Self>>(self, taken: impl FnOnce() -> E) -> E {
        if matches!(self, Self::Duplicate(_)) { taken() } else { self.into() }
    }

    /// Returns whether the same transaction may succeed later: the failure is not one of the data that it reads or writes.
    pub fn is_temporary(&self) -> bool {
        let Self::Sqlite(error) = self else {
            return !matches!(self, Self::Duplicate(_) | Self::Panicked);
        };
        let of_data = [
            ErrorCode::ConstraintViolation,
            ErrorCode::TooBig,
            ErrorCode::TypeMismatch,
            ErrorCode::Unknown,
        ];
        error.sqlite_error_code().is_some_and(|code| !of_data.contains(&code))
    }
}

/// A value that cannot be stored as JSON.
impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        rusqlite::Error::ToSqlConversionFailure(Box::new(error)).into()
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
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
            // Only reads with a time limit are interrupted.
            Some(ErrorCode::OperationInterrupted) => Self::Late,
            _ => Self::Sqlite(error),
        }
    }
}
