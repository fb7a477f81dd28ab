//! The writer: one thread, one connection, and a queue. Waiting writes share one transaction and one sync, and are
//! acknowledged together after the commit. Each can be undone alone.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot, watch};

use super::statements::Statements;
use super::task::Task;
use super::{Earlier, Error, Options, Tx, open};
use crate::clock::{Clock, Timestamp};
use crate::context::Context;

/// Limit: writes in one group.
const GROUP_LEN: usize = 128;
/// Limit: a group accepts no further write after this time, so that the first one does not wait long.
const GROUP_MS: u64 = 5;
/// Limit: while the file fails, the interval between checks.
const CHECK_EVERY_MS: u64 = 250;

/// The handle of the writer's thread; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
    pub(super) commits: watch::Receiver<u64>,
}

enum Message {
    Write(Write),
    Close(oneshot::Sender<()>),
}

/// One write: the task, and the channel for its result.
struct Write {
    task: Option<Task>,
    context: Context,
    response: oneshot::Sender<Result<(), Error>>,
}

impl Write {
    /// Runs the task; returns whether to keep its changes.
    fn run(&mut self, tx: &Tx<'_>) -> bool {
        let Some(task) = self.task.take() else { return false };
        let tx = tx.serving(self.context.request_id());
        catch_unwind(AssertUnwindSafe(|| task(&tx))).unwrap_or(false)
    }

    /// Reports that the write is committed, or why it failed.
    fn answer(self, failure: Option<Error>) {
        // The caller may be gone; the write is committed anyway.
        let _left = self.response.send(failure.map_or(Ok(()), Err));
    }
}

impl Writer {
    pub(super) fn start(
        options: &Options,
        mut connection: Connection,
        recorder: Option<&Statements>,
    ) -> Result<Self, Error> {
        recorder.map_or(Ok(()), |statements| statements.follow(&mut connection))?;
        let (queue, receiver) = mpsc::channel(options.queue_len.max(1));
        let (committed, commits) = watch::channel(0);
        if let Some(folding) = options.folding {
            let tx = Tx::new(&connection, options.clock.now(), &options.subscriptions);
            // This reads, and writes only after another program wrote orders: it does not wait for a lock of the file.
            tx.sql("begin").run([])?;
            folding.opened(&tx)?;
            tx.sql("commit").run([])?;
        }
        let thread = Thread {
            connection,
            earlier: RefCell::default(),
            options: options.clone(),
            queue: receiver,
            committed,
            clock: options.clock.clone(),
            last: Timestamp::from_millis(0),
            doubt: None,
        };
        std::thread::Builder::new()
            .name("database-writer".to_owned())
            .spawn(move || thread.run())
            .map_err(|cause| Error::File { path: options.path.clone(), cause })?;
        Ok(Self { queue, commits })
    }

    pub(super) async fn run(&self, task: Task) -> Result<(), Error> {
        let (response, answer) = oneshot::channel();
        let write = Write { task: Some(task), context: Context::current(), response };
        self.queue.try_send(Message::Write(write)).map_err(|_full| Error::Overloaded)?;
        answer.await.unwrap_or(Err(Error::Panicked))
    }

    pub(super) async fn close(&self) {
        let (closed, answer) = oneshot::channel();
        if self.queue.send(Message::Close(closed)).await.is_ok() {
            // An error means that the thread has already ended.
            let _ended = answer.await;
        }
    }

    pub(super) fn waiting_count(&self) -> usize {
        self.queue.max_capacity().saturating_sub(self.queue.capacity())
    }
}

struct Thread {
    connection: Connection,
    /// The connection that reads the state before a group.
    earlier: RefCell<Option<Connection>>,
    options: Options,
    queue: mpsc::Receiver<Message>,
    committed: watch::Sender<u64>,
    clock: Clock,
    last: Timestamp,
    doubt: Option<Doubt>,
}

/// The file failed, and nothing is acknowledged before a new connection has checked it.
#[derive(Debug, Clone, Copy)]
struct Doubt {
    /// When the file was last checked, and failed again.
    checked: Option<Instant>,
}

impl Thread {
    fn run(mut self) {
        let mut closing = None;
        while closing.is_none() {
            match self.queue.blocking_recv() {
                Some(Message::Write(first)) => closing = self.group(first),
                Some(Message::Close(closed)) => closing = Some(closed),
                None => break,
            }
        }
        self.queue.close();
        while let Ok(message) = self.queue.try_recv() {
            if let Message::Write(write) = message {
                write.answer(Some(Error::Overloaded));
            }
        }
        // Readers may close later and cannot do this: the file itself contains all writes when nobody serves it.
        if let Err(error) = open::settle(&self.connection) {
            tracing::warn!(%error, "the write-ahead log could not be removed");
        }
        if let Err((_connection, error)) = self.connection.close() {
            tracing::warn!(%error, "the database did not close cleanly");
        }
        if let Some(closed) = closing {
            // The caller may be gone.
            let _left = closed.send(());
        }
    }

    /// Runs the first write and those that wait behind it; returns the channel of a close request that arrived meanwhile.
    fn group(&mut self, first: Write) -> Option<oneshot::Sender<()>> {
        if let Err(error) = self.restore() {
            first.answer(Some(error));
            return None;
        }
        // Invariant: the instants of transactions never decrease, whatever the system clock does.
        self.last = self.clock.now().max(self.last);
        let tx = Tx::new(&self.connection, self.last, &self.options.subscriptions);
        if let Err(error) = tx.sql("begin immediate").run([]) {
            self.note(&error);
            first.answer(Some(error));
            return None;
        }
        let (done, closing, is_whole) = fill(&tx, first, &mut self.queue);
        let outcome = if is_whole { self.end(&tx) } else { Err(Error::Overloaded) };
        let Err(failure) = outcome else {
            self.committed.send_modify(|count| *count = count.wrapping_add(1));
            for write in done {
                write.answer(None);
            }
            return closing;
        };
        if is_whole {
            self.note(&failure);
        } else {
            // SQLite rolled back in the middle of a write, for a reason that the write has received.
            self.doubt = Some(Doubt { checked: None });
        }
        // An error means that no transaction is open, as intended.
        let _closed = self.connection.execute_batch("rollback");
        let mut failure = Some(failure);
        for write in done {
            // The first caller receives the cause; the others receive a general failure.
            write.answer(Some(failure.take().unwrap_or(Error::Overloaded)));
        }
        closing
    }

    /// Updates the derived data of the rows, and commits both together.
    fn end(&self, tx: &Tx<'_>) -> Result<(), Error> {
        if let Some(folding) = self.options.folding {
            folding.fold(tx, &Earlier { connection: &self.earlier, options: &self.options })?;
        }
        tx.sql("commit").run([])
    }

    /// Records that the file failed. A full disk or a locked file leaves the file in order.
    fn note(&mut self, error: &Error) {
        if matches!(error, Error::Busy) {
            return;
        }
        tracing::error!(?error, "a commit failed");
        if !matches!(error, Error::Full) {
            self.doubt = Some(Doubt { checked: None });
        }
    }

    /// After a failure, the state of the connection is not trusted: a new one checks the file first.
    fn restore(&mut self) -> Result<(), Error> {
        let Some(doubt) = self.doubt else { return Ok(()) };
        let pause = Duration::from_millis(CHECK_EVERY_MS);
        if doubt.checked.is_some_and(|checked| checked.elapsed() < pause) {
            return Err(Error::Overloaded);
        }
        let restored = open::writing(&self.options)
            .and_then(|connection| open::check(&connection).map(|()| connection));
        match restored {
            Ok(connection) => {
                self.connection = connection;
                self.earlier = RefCell::default();
                self.doubt = None;
                tracing::warn!("the database was reopened and is consistent");
                Ok(())
            }
            Err(error) => {
                tracing::error!(?error, "the database failed its check; writes are refused");
                self.doubt = Some(Doubt { checked: Some(Instant::now()) });
                Err(error)
            }
        }
    }
}

/// Runs a write and those that wait, up to the limits of a group; returns them, the channel of a close request that
/// arrived meanwhile, and whether the transaction is still open.
fn fill(
    tx: &Tx<'_>,
    first: Write,
    queue: &mut mpsc::Receiver<Message>,
) -> (VecDeque<Write>, Option<oneshot::Sender<()>>, bool) {
    let (mut done, mut closing, mut next) = (VecDeque::new(), None, Some(first));
    let started = Instant::now();
    while let Some(mut write) = next.take() {
        let scope = if done.is_empty() { Scope::Transaction } else { Scope::Savepoint };
        let is_whole = scope.run(tx, &mut write);
        done.push_back(write);
        if !is_whole {
            return (done, closing, false);
        }
        if done.len() >= GROUP_LEN || started.elapsed() >= Duration::from_millis(GROUP_MS) {
            break;
        }
        match queue.try_recv() {
            Ok(Message::Write(write)) => next = Some(write),
            Ok(Message::Close(closed)) => closing = Some(closed),
            Err(_empty) => {}
        }
    }
    (done, closing, true)
}

/// What is rolled back if a write fails.
#[derive(Clone, Copy)]
enum Scope {
    /// The transaction, for its first write. SQLite copies each page that a savepoint may have to restore, and more than
    /// 64 KiB to a file; a transaction needs no copies.
    Transaction,
    /// A savepoint, for the other writes of a group.
    Savepoint,
}

impl Scope {
    /// Runs one write. Returns `false` if SQLite rolled back the whole transaction, as it may when the disk is full.
    fn run(self, tx: &Tx<'_>, write: &mut Write) -> bool {
        if self.begin(tx).is_err() {
            return false;
        }
        let changed = tx.total_changes();
        if write.run(tx) {
            tx.forget_despite();
            if tx.total_changes() != changed && write.context.mark(tx).is_err() {
                return false;
            }
            return self.end(tx).is_ok() && !tx.is_autocommit();
        }
        if tx.is_autocommit() || self.undo(tx).is_err() {
            return false;
        }
        if let Err(error) = tx.do_despite(write.context.request_id()) {
            tracing::error!(%error, "the record of a failed write could not be written");
            if tx.is_autocommit() || self.undo(tx).is_err() {
                return false;
            }
        }
        self.end(tx).is_ok() && !tx.is_autocommit()
    }

    fn begin(self, tx: &Tx<'_>) -> Result<(), Error> {
        match self {
            Self::Transaction => Ok(()),
            Self::Savepoint => tx.sql("savepoint one").run([]),
        }
    }

    /// Rolls back, so that the next write can begin.
    fn undo(self, tx: &Tx<'_>) -> Result<(), Error> {
        match self {
            Self::Transaction => {
                tx.sql("rollback").run([])?;
                tx.sql("begin immediate").run([])
            }
            Self::Savepoint => tx.sql("rollback to one").run([]),
        }
    }

    fn end(self, tx: &Tx<'_>) -> Result<(), Error> {
        match self {
            Self::Transaction => Ok(()),
            Self::Savepoint => tx.sql("release one").run([]),
        }
    }
}
