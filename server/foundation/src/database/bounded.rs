//! Reads that may take so long and no longer.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::InterruptHandle;
use tokio::task::JoinHandle;

use super::{Db, Error, Tx};

/// How long a statement has to stop before it is told again: it may have been told between two.
const AGAIN: Duration = Duration::from_millis(20);

/// What stops the statements of a read; none before it begins and after its end.
type Stop = Arc<Mutex<Option<InterruptHandle>>>;

impl Db {
    /// Reads as [`Db::read`] in a task of its own, so that others of the caller go on meanwhile, and no longer than a
    /// limit: then the statement that runs is stopped, and the connection serves others.
    ///
    /// # Errors
    /// What `work` gives; [`Error::Late`].
    pub async fn read_within<T, E>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (db, stop) = (self.clone(), Stop::default());
        let own = Arc::clone(&stop);
        let mut reading = tokio::spawn(async move {
            db.read(move |tx| {
                let _stoppable = Stoppable::begin(tx, own);
                work(tx)
            })
            .await
        });
        match tokio::time::timeout(limit, &mut reading).await {
            Ok(ended) => ended.unwrap_or_else(|_stopped| Err(Error::Panicked.into())),
            Err(_late) => {
                tell(&stop);
                tokio::spawn(end(reading, stop));
                Err(Error::Late.into())
            }
        }
    }
}

/// Stops the statements of a read until it has ended.
async fn end<T>(reading: JoinHandle<T>, stop: Stop) {
    while !reading.is_finished() {
        tokio::time::sleep(AGAIN).await;
        tell(&stop);
    }
}

/// Stops the statement that runs.
fn tell(stop: &Stop) {
    // Held while it is told, so that the connection serves nobody else yet.
    if let Some(running) = stop.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        running.interrupt();
    }
}

/// A read whose statements can be stopped while this lives.
struct Stoppable(Stop);

impl Stoppable {
    fn begin(tx: &Tx<'_>, stop: Stop) -> Self {
        *stop.lock().unwrap_or_else(PoisonError::into_inner) = Some(tx.get_interrupt_handle());
        Self(stop)
    }
}

impl Drop for Stoppable {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
