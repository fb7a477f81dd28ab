//! Reads with a time limit.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::InterruptHandle;
use tokio::task::JoinHandle;

use super::{Db, Error, Tx};

/// The interval of interrupts: an interrupt between two statements has no effect.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The handle that interrupts the statements of a read; none before its start and after its end.
type Stop = Arc<Mutex<Option<InterruptHandle>>>;

impl Db {
    /// Reads like [`Db::read`] in a separate task, so that the caller's other futures proceed, with a time limit. When
    /// it is exceeded, the running statement is interrupted, and the connection becomes available.
    ///
    /// # Errors
    /// The error of `work`; [`Error::Late`].
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
                interrupt(&stop);
                tokio::spawn(end(reading, stop));
                Err(Error::Late.into())
            }
        }
    }
}

/// Interrupts the statements of a read until it has ended.
async fn end<T>(reading: JoinHandle<T>, stop: Stop) {
    while !reading.is_finished() {
        tokio::time::sleep(RETRY_INTERVAL).await;
        interrupt(&stop);
    }
}

/// Interrupts the running statement.
fn interrupt(stop: &Stop) {
    // The lock is held during the interrupt, so that the connection does not serve another read yet.
    if let Some(running) = stop.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        running.interrupt();
    }
}

/// Makes the statements of a read interruptible while it lives.
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
