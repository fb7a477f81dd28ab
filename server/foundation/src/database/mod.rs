//! The database: one SQLite file, one writer that commits in groups, several readers, and a few for long reads.
//!
//! Invariants: a write is acknowledged only after its transaction is synced; a failed write leaves no changes; after a
//! failure of the file nothing is acknowledged before a new connection has checked it; every transaction has one
//! instant, [`Tx::now`]. Start at [`Db::read`] and [`Db::write`].

mod audit;
mod bounded;
mod checkpoint;
mod error;
mod folding;
pub(crate) mod functions;
mod like;
mod link;
pub mod listing;
mod migrations;
mod named;
mod open;
mod reader;
mod readiness;
mod record;
mod run_to_end;
mod sql;
mod statements;
mod stored;
mod task;
pub mod temporary;
pub mod text_index;
mod tx;
mod word;
mod write;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use audit::{Finding, audit};
pub use bounded::check_awaited;
pub use error::Error;
pub use folding::{Earlier, Folding};
pub use like::Pattern;
pub use link::{Link, first_missing, first_missing_of_new};
pub use listing::Filtered;
pub use migrations::MIGRATIONS;
pub use named::{FromRow, Named};
pub use quotient_macros::{FromRow, Record, Word};
pub use record::{Cells, Listable, Missing, Record, Table};
pub use stored::Stored;
pub use tx::Tx;
pub use word::Word;

use tokio::sync::watch;

use crate::clock::Clock;
use crate::config::SubscriptionSettings;
use bounded::LongReads;
use reader::Readers;
use readiness::LastCheck;
use statements::Statements;
use writer::Writer;

#[derive(Debug, Clone)]
pub struct Options {
    /// The file; created if it does not exist.
    pub path: PathBuf,
    pub reader_count: usize,
    /// The number of writes that may wait before further ones are refused.
    pub queue_len: usize,
    /// How long a write waits for a lock of another process, in milliseconds.
    pub busy_timeout_ms: u64,
    /// The page cache of the write connection, in KiB.
    pub writer_cache_kib: u32,
    /// Whether to count statements and record their texts, for tests.
    pub counts_statements: bool,
    pub clock: Clock,
    /// Derived data that is updated with the rows.
    pub folding: Option<&'static dyn Folding>,
    /// The settings that rules about subscriptions use in transactions.
    pub subscriptions: Arc<SubscriptionSettings>,
    /// A folder to delete with the last handle.
    pub folder: Option<Arc<tempfile::TempDir>>,
}

impl Options {
    pub fn new(path: impl Into<PathBuf>, clock: Clock) -> Self {
        Self {
            path: path.into(),
            reader_count: 4,
            queue_len: 1_024,
            busy_timeout_ms: 5_000,
            writer_cache_kib: 4_096,
            counts_statements: false,
            clock,
            folding: None,
            subscriptions: Arc::default(),
            folder: None,
        }
    }
}

/// The handle for reading and writing; cheap to clone.
#[derive(Debug, Clone)]
pub struct Db(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    path: PathBuf,
    readers: Readers,
    long_reads: LongReads,
    writer: Writer,
    last_check: LastCheck,
    statements: Statements,
    _folder: Option<Arc<tempfile::TempDir>>,
}

impl Db {
    /// Opens the file, migrates its schema, and starts the writer.
    ///
    /// # Errors
    /// [`Error::Newer`] for a file of a newer version; [`Error::Sqlite`] if it cannot be read.
    pub fn open(options: &Options) -> Result<Self, Error> {
        open::check_private(&options.path)?;
        let statements = Statements::default();
        let mut writing = open::writing(options)?;
        migrations::run(&mut writing)?;
        let recorder = options.counts_statements.then_some(&statements);
        let readers = Readers::open(options, recorder)?;
        let long_reads = LongReads::start(options, recorder)?;
        let writer = Writer::start(options, writing, recorder)?;
        Ok(Self(Arc::new(Parts {
            path: options.path.clone(),
            readers,
            long_reads,
            writer,
            last_check: LastCheck::default(),
            statements,
            _folder: options.folder.clone(),
        })))
    }

    /// Like [`Db::open`], for a file that must exist with this program's schema: it is not migrated.
    ///
    /// # Errors
    /// As [`Db::open`]; [`Error::File`] if there is no such file; [`Error::Older`] for a file of an older version.
    pub fn open_existing(options: &Options) -> Result<Self, Error> {
        open::check_present(&options.path)?;
        migrations::check(&open::reading(options, None)?)?;
        Self::open(options)
    }

    /// Reads in one snapshot of the database.
    pub async fn read<T, E>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (task, outcome) = task::task(work);
        outcome.after(self.0.readers.run(task).await)
    }

    /// Runs a write, entirely or not at all, and returns after the sync. It runs to its end even if the caller no
    /// longer waits for it.
    ///
    /// # Errors
    /// The error of `work`, [`Error::Overloaded`] if too many writes wait, [`Error::Busy`] if another process locks the
    /// file for too long.
    pub async fn write<T, E>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (task, outcome) = task::task(work);
        outcome.after(self.0.writer.run(task).await)
    }

    /// Copies a snapshot of the database into a new file, while it is in use.
    ///
    /// # Errors
    /// [`Error::Exists`] if the file exists; [`Error::Sqlite`] if it cannot be written.
    pub async fn backup(&self, target: PathBuf) -> Result<(), Error> {
        self.read(move |tx| open::copy(tx, &target)).await
    }

    /// Like [`Db::backup`], for a file that this process does not serve, whatever its schema: it is not changed.
    ///
    /// # Errors
    /// As [`Db::backup`]; [`Error::File`] if there is no such file.
    pub fn copy(options: &Options, target: &Path) -> Result<(), Error> {
        open::check_present(&options.path)?;
        open::check_private(&options.path)?;
        open::copy(&open::reading(options, None)?, target)
    }

    /// Finishes the waiting writes and closes the file; later writes are refused.
    pub async fn close(&self) {
        self.0.writer.close().await;
    }

    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the number of statements run since the database was opened, if they are counted.
    pub fn statement_count(&self) -> u64 {
        self.0.statements.count()
    }

    pub fn statement_texts(&self) -> BTreeSet<String> {
        self.0.statements.texts()
    }

    /// Returns a receiver that is notified of each group commit, with the number of groups so far.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.0.writer.commits.clone()
    }

    pub fn waiting_count(&self) -> usize {
        self.0.writer.waiting_count()
    }
}
