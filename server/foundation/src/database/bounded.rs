//! Long reads: on connections of their own, with a time limit and a short queue, so that they never take those of the
//! store.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::InterruptHandle;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::reader::Readers;
use super::task;
use super::{Db, Error, Tx};

/// Limit: long reads that run or wait; further ones are refused.
const MAX_READS: usize = 32;

/// The interval of interrupts: an interrupt between two statements has no effect.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The connections of long reads, and the permits to wait for one.
#[derive(Debug, Clone)]
pub(super) struct LongReads {
    readers: Readers,
    places: Arc<Semaphore>,
}

impl LongReads {
    pub(super) fn new(readers: Readers) -> Self {
        Self { readers, places: Arc::new(Semaphore::new(MAX_READS)) }
    }
}

/// The handle that interrupts the statements of a read; none before its start and after its end.
type Stop = Arc<Mutex<Option<InterruptHandle>>>;

impl Db {
    /// Reads like [`Db::read`], but in a separate task, on a connection for long reads, and with a time limit. When it is
    /// exceeded, or nobody waits any longer, the running statement is interrupted.
    ///
    /// # Errors
    /// The error of `work`; [`Error::Late`]; [`Error::Overloaded`] if too many long reads wait.
    pub async fn read_within<T, E>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let LongReads { readers, places } = self.long_reads.clone();
        let place = places.try_acquire_owned().map_err(|_full| Error::Overloaded)?;
        let stop = Stop::default();
        let own = Arc::clone(&stop);
        let (task, outcome) = task::task(move |tx: &Tx<'_>| {
            let _stoppable = Stoppable::begin(tx, own);
            work(tx)
        });
        let reading = tokio::spawn(async move {
            let _place = place;
            readers.run(task).await
        });
        let mut read = LongRead { reading: Some(reading), stop };
        match tokio::time::timeout(limit, read.ended()).await {
            Ok(ended) => outcome.after(ended),
            Err(_late) => Err(Error::Late.into()),
        }
    }
}

/// A running read, which is interrupted when this is dropped.
struct LongRead {
    reading: Option<JoinHandle<Result<(), Error>>>,
    stop: Stop,
}

impl LongRead {
    async fn ended(&mut self) -> Result<(), Error> {
        let Some(reading) = &mut self.reading else { return Err(Error::Panicked) };
        let ended = reading.await;
        self.reading = None;
        ended.unwrap_or(Err(Error::Panicked))
    }
}

impl Drop for LongRead {
    fn drop(&mut self) {
        if let Some(reading) = self.reading.take() {
            tokio::spawn(end(reading, Arc::clone(&self.stop)));
        }
    }
}

/// Interrupts the statements of a read until it has ended.
async fn end<T>(reading: JoinHandle<T>, stop: Stop) {
    while !reading.is_finished() {
        interrupt(&stop);
        tokio::time::sleep(RETRY_INTERVAL).await;
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
