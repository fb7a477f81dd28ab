//! The database: one SQLite file, one writer that commits in groups, and several readers.
//!
//! Invariants: a write is answered only after the sync of its transaction; a failed write leaves
//! nothing behind; after a failure of the file nothing is acknowledged before a new connection has looked at it;
//! every transaction has one instant, [`Tx::now`]. Start at [`Db::read`] and [`Db::write`].

mod audit;
mod bounded;
mod error;
mod filtered;
mod folding;
pub mod listing;
mod migrations;
mod named;
mod open;
mod reader;
mod record;
mod statements;
mod stored;
mod task;
pub mod temporary;
mod tx;
mod word;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use audit::{Finding, audit};
pub use error::Error;
pub use filtered::Filtered;
pub use folding::{Earlier, Folding};
pub use named::Named;
pub use quotient_macros::Record;
pub use record::{Cells, Listable, Missing, Record, Table};
pub use stored::Stored;
pub use tx::Tx;
pub use word::Word;

use tokio::sync::watch;

use crate::clock::Clock;
use reader::Readers;
use statements::Statements;
use writer::Writer;

/// How a database is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// The file; it is made if it is not there.
    pub path: PathBuf,
    /// How many connections read beside the writer.
    pub reader_count: usize,
    /// How many writes may wait before the next one is refused.
    pub queue_len: usize,
    /// How long a write waits for another process that holds the file, in milliseconds.
    pub busy_timeout_ms: u64,
    /// Memory for pages of the connection that writes, in KiB.
    pub writer_cache_kib: u32,
    /// Whether statements are counted and their texts kept, as tests ask for.
    pub counts_statements: bool,
    /// Where transactions learn what time it is.
    pub clock: Clock,
    /// What is kept up with the rows.
    pub folding: Option<&'static dyn Folding>,
    /// A folder that goes with the last handle.
    pub folder: Option<Arc<tempfile::TempDir>>,
}

impl Options {
    /// The usual settings for a file.
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
            folder: None,
        }
    }
}

/// The handle that everything reads and writes through; cheap to clone.
#[derive(Debug, Clone)]
pub struct Db {
    path: Arc<Path>,
    readers: Readers,
    writer: Writer,
    statements: Statements,
    _folder: Option<Arc<tempfile::TempDir>>,
}

impl Db {
    /// Opens the file, brings its tables to this version's, and starts the writer.
    ///
    /// # Errors
    /// [`Error::Newer`] for a file of a later version; [`Error::Sqlite`] if it cannot be read.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let statements = Statements::default();
        migrations::run(&mut open::writing(options, None)?)?;
        let followed = options.counts_statements.then_some(&statements);
        let readers = Readers::open(options, followed)?;
        let writer = Writer::start(options, followed)?;
        Ok(Self {
            path: options.path.as_path().into(),
            readers,
            writer,
            statements,
            _folder: options.folder.clone(),
        })
    }

    /// Reads in one snapshot of the database.
    ///
    /// # Errors
    /// What `work` gives, or [`Error`] if the database cannot be read.
    pub async fn read<T, E>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (task, outcome) = task::task(work);
        outcome.after(self.readers.run(task).await)
    }

    /// Writes: all of `work` or nothing of it, answered after the sync. It runs to its end even if
    /// nobody waits for the answer any more.
    ///
    /// # Errors
    /// What `work` gives, [`Error::Overloaded`] if too many writes wait, [`Error::Busy`] if another
    /// process holds the file too long.
    pub async fn write<T, E>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (task, outcome) = task::task(work);
        outcome.after(self.writer.run(task).await)
    }

    /// Copies the database, as it is at one instant, into a new file, while it is being used.
    ///
    /// # Errors
    /// [`Error::Exists`] if the file is there; [`Error::Sqlite`] if it cannot be written.
    pub async fn backup(&self, target: PathBuf) -> Result<(), Error> {
        if target.exists() {
            return Err(Error::Exists(target));
        }
        self.read(move |tx| tx.copy_into(&target)).await
    }

    /// Finishes the writes that wait and closes the file; later writes are refused.
    pub async fn close(&self) {
        self.writer.close().await;
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many statements have run since the database was opened, if it counts them.
    pub fn statement_count(&self) -> u64 {
        self.statements.count()
    }

    /// The texts of these statements, each once.
    pub fn statement_texts(&self) -> BTreeSet<String> {
        self.statements.texts()
    }

    /// Tells each commit of a group: the number of groups so far.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.writer.commits()
    }

    /// How many writes wait for their turn.
    pub fn waiting_count(&self) -> usize {
        self.writer.waiting_count()
    }
}
