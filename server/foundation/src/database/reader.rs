//! The readers: a pool of connections, each used by one read at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::{Notify, Semaphore};

use super::statements::Statements;
use super::task::Task;
use super::{Error, Options, Tx, open};
use crate::context::Context;

/// The pool; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Readers {
    free: Arc<Mutex<Vec<Connection>>>,
    returned: Arc<Notify>,
    /// For the reads of staff, which may be expensive: half of the connections.
    patient_turns: Arc<Semaphore>,
    options: Options,
}

impl Readers {
    pub(super) fn open(options: &Options, recorder: Option<&Statements>) -> Result<Self, Error> {
        let free: Vec<_> = (0..options.reader_count.max(1))
            .map(|_| open::reading(options, recorder))
            .collect::<Result<_, Error>>()?;
        let patient_turns = Arc::new(Semaphore::new(free.len().div_euclid(2).max(1)));
        let (free, returned) = (Arc::new(Mutex::new(free)), Arc::default());
        Ok(Self { free, returned, patient_turns, options: options.clone() })
    }

    pub(super) async fn run(&self, task: Task) -> Result<(), Error> {
        let _patient_turn = if Context::is_patient() {
            Some(self.patient_turns.acquire().await.map_err(|_closed| Error::Overloaded)?)
        } else {
            None
        };
        let connection = self.take().await;
        // The read runs on this thread: a task that moves to another thread waits behind all others, before and
        // after, and the switches take longer than most reads. There is a connection for each thread, see `main`.
        let outcome = read_on(&connection, &self.options, task);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        self.returned.notify_one();
        outcome
    }

    /// Waits for a free connection. Whoever comes first takes it, even if others have waited longer: under load the
    /// thread may get to a task that waits only after thousands of others, and the connection would be unused until then.
    async fn take(&self) -> Connection {
        loop {
            if let Some(free) = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop() {
                return free;
            }
            self.returned.notified().await;
        }
    }
}

/// Runs a task in one snapshot of a connection, which stays usable if the task panics.
pub(super) fn read_on(connection: &Connection, options: &Options, task: Task) -> Result<(), Error> {
    let read = |tx: &Tx<'_>| {
        task(tx);
        Ok(())
    };
    let tx = Tx::new(connection, options.clock.now(), &options.subscriptions);
    let outcome = catch_unwind(AssertUnwindSafe(|| snapshot(&tx, read)));
    if outcome.is_err() {
        // An error here means that no transaction is open, as intended.
        let _closed = connection.execute_batch("rollback");
    }
    outcome.unwrap_or(Err(Error::Panicked))
}

/// Runs a read in a transaction, so that it sees one state.
pub(super) fn snapshot<T, E: From<Error>>(
    tx: &Tx<'_>,
    work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    tx.sql("begin").run([])?;
    let outcome = work(tx);
    tx.sql("commit").run([])?;
    outcome
}
