//! The readers: connections that wait in a pool, each used by one read at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::statements::Statements;
use super::{Error, Options, Tx, open};
use crate::clock::Clock;

/// The pool; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Readers {
    free: Arc<Mutex<Vec<Connection>>>,
    turns: Arc<Semaphore>,
    clock: Clock,
}

impl Readers {
    pub(super) fn open(options: &Options, followed: Option<&Statements>) -> Result<Self, Error> {
        let free: Vec<_> = (0..options.reader_count.max(1))
            .map(|_| open::reading(options, followed))
            .collect::<Result<_, Error>>()?;
        let turns = Arc::new(Semaphore::new(free.len()));
        Ok(Self { free: Arc::new(Mutex::new(free)), turns, clock: options.clock.clone() })
    }

    pub(super) async fn run<T, E>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let Ok(turn) = Arc::clone(&self.turns).acquire_owned().await else {
            return Err(Error::Overloaded.into());
        };
        let (free, now) = (Arc::clone(&self.free), self.clock.now());
        let running = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let taken = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(connection) = taken else { return Err(Error::Overloaded.into()) };
            let outcome =
                catch_unwind(AssertUnwindSafe(|| snapshot(&Tx::new(&connection, now), work)));
            if outcome.is_err() {
                // An error here means that no transaction is open, which is what is wanted.
                let _closed = connection.execute_batch("rollback");
            }
            free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            outcome.unwrap_or_else(|_panic| Err(Error::Panicked.into()))
        });
        running.await.unwrap_or_else(|_stopped| Err(Error::Panicked.into()))
    }
}

/// Runs a read in a transaction of its own, so that all of it sees one state.
fn snapshot<T, E: From<Error>>(
    tx: &Tx<'_>,
    work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    execute(tx, "begin")?;
    let outcome = work(tx);
    execute(tx, "commit")?;
    outcome
}

fn execute(tx: &Tx<'_>, sql: &str) -> Result<(), Error> {
    tx.prepare_cached(sql)?.execute([])?;
    Ok(())
}
