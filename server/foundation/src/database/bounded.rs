//! Long reads: on their own threads and connections, with a time limit and a short queue, so that they never occupy
//! those of the store.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use rusqlite::{Connection, InterruptHandle};
use tokio::sync::oneshot;

use super::reader::read_on;
use super::statements::Statements;
use super::task::{self, Task};
use super::{Db, Error, Options, Tx, open};

/// The number of threads.
const THREAD_COUNT: usize = 2;

/// Limit: long reads that wait for a thread; further ones are refused.
const MAX_WAITING: usize = 30;

/// How far the threads' priority is lowered on a busy processor, in steps of the system's scheduler: to a tenth of another
/// program's share. With the last step, 19, it would be a seventieth, and answers would come too late when all processors are
/// busy.
const NICENESS: i32 = 10;

/// The interval of interrupts: an interrupt between two statements has no effect.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The queue of the threads; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct LongReads(Sender<Job>);

struct Job {
    task: Task,
    ended: oneshot::Sender<Result<(), Error>>,
}

impl LongReads {
    /// Starts the threads. They end with the last handle of the queue.
    pub(super) fn start(options: &Options, recorder: Option<&Statements>) -> Result<Self, Error> {
        let (queue, jobs) = crossbeam_channel::bounded(MAX_WAITING);
        for _ in 0..THREAD_COUNT {
            let connection = open::reading(options, recorder)?;
            // In memory, sorting a million orders by region takes 80 MiB.
            connection.pragma_update(None, "temp_store", "file")?;
            let (own, jobs) = (options.clone(), jobs.clone());
            std::thread::Builder::new()
                .name("database-long-reader".to_owned())
                .spawn(move || serve(&connection, &own, &jobs))
                .map_err(|cause| Error::File { path: options.path.clone(), cause })?;
        }
        Ok(Self(queue))
    }
}

/// Runs jobs until the queue is closed.
fn serve(connection: &Connection, options: &Options, jobs: &Receiver<Job>) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "the priority of long reads cannot be lowered");
    }
    for Job { task, ended } in jobs {
        // The caller may be gone.
        let _left = ended.send(read_on(connection, options, task));
    }
}

impl Db {
    /// Reads like [`Db::read`], but on a thread for long reads, and with a time limit. When the limit is exceeded, or
    /// nobody waits any longer, the running statement is interrupted.
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
        let stop = Arc::new(Stop::default());
        let own = Arc::clone(&stop);
        let (task, outcome) = task::task(move |tx: &Tx<'_>| {
            let _running = own.begin(tx)?;
            work(tx)
        });
        let (ended, ending) = oneshot::channel();
        let queued = self.0.long_reads.0.try_send(Job { task, ended });
        queued.map_err(|_full| Error::Overloaded)?;
        let mut read = LongRead { ending: Some(ending), stop };
        match tokio::time::timeout(limit, read.ended()).await {
            Ok(ended) => outcome.after(ended),
            Err(_late) => Err(Error::Late.into()),
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Stop>>> = const { RefCell::new(None) };
}

/// Checks between the steps of a long read that somebody still waits for it: only its statements are interrupted.
///
/// # Errors
/// [`Error::Late`] if nobody does.
pub fn check_awaited() -> Result<(), Error> {
    let is_abandoned =
        |stop: &Arc<Stop>| stop.0.lock().unwrap_or_else(PoisonError::into_inner).is_abandoned;
    let is_late = CURRENT.with_borrow(|stop| stop.as_ref().is_some_and(is_abandoned));
    if is_late { Err(Error::Late) } else { Ok(()) }
}

/// The means to stop a read.
#[derive(Default)]
struct Stop(Mutex<Progress>);

#[derive(Default)]
struct Progress {
    is_abandoned: bool,
    /// Interrupts the running statement; none before the read and after it.
    running: Option<InterruptHandle>,
}

impl Stop {
    /// Makes the statements of a read interruptible, unless nobody waits for it.
    fn begin(self: Arc<Self>, tx: &Tx<'_>) -> Result<Running, Error> {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.is_abandoned {
            return Err(Error::Late);
        }
        progress.running = Some(tx.get_interrupt_handle());
        drop(progress);
        CURRENT.set(Some(Arc::clone(&self)));
        Ok(Running(self))
    }

    fn abandon(&self) {
        // The lock is held during the interrupt, so that the connection does not serve another read yet.
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        progress.is_abandoned = true;
        if let Some(running) = &progress.running {
            running.interrupt();
        }
    }
}

/// A read whose statements can be interrupted during the lifetime of this value.
struct Running(Arc<Stop>);

impl Drop for Running {
    fn drop(&mut self) {
        let Self(stop) = self;
        CURRENT.set(None);
        stop.0.lock().unwrap_or_else(PoisonError::into_inner).running = None;
    }
}

/// A read that somebody waits for; dropping it stops the read.
struct LongRead {
    ending: Option<oneshot::Receiver<Result<(), Error>>>,
    stop: Arc<Stop>,
}

impl LongRead {
    async fn ended(&mut self) -> Result<(), Error> {
        let Some(ending) = &mut self.ending else { return Err(Error::Panicked) };
        let ended = ending.await;
        self.ending = None;
        ended.unwrap_or(Err(Error::Panicked))
    }
}

impl Drop for LongRead {
    fn drop(&mut self) {
        if let Some(ending) = self.ending.take() {
            tokio::spawn(end(ending, Arc::clone(&self.stop)));
        }
    }
}

/// Stops a read, and waits until it has ended.
async fn end(mut ending: oneshot::Receiver<Result<(), Error>>, stop: Arc<Stop>) {
    stop.abandon();
    while tokio::time::timeout(RETRY_INTERVAL, &mut ending).await.is_err() {
        stop.abandon();
    }
}
