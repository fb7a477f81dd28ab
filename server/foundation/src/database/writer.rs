//! The writer: one thread, one connection, and a queue. Writes that wait share one transaction and one
//! sync, each in a savepoint of its own, and are answered together after the commit.

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
use crate::request_id;

/// Limit: writes in one group.
const GROUP_LEN: usize = 128;
/// Limit: a group takes no further write after this long, so that the first one is not kept waiting.
const GROUP_MS: u64 = 5;
/// Limit: while the file fails, it is looked at no more often than this.
const CHECK_EVERY_MS: u64 = 250;

/// The handle of the writer's thread; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
    commits: watch::Receiver<u64>,
}

enum Message {
    Write(Write),
    Close(oneshot::Sender<()>),
}

/// One write: what is to be done, and who waits for it.
struct Write {
    task: Option<Task>,
    /// The request that it serves.
    request_id: String,
    waiting: oneshot::Sender<Result<(), Error>>,
}

impl Write {
    /// Does the work; gives whether it is to be kept.
    fn run(&mut self, tx: &Tx<'_>) -> bool {
        let Some(task) = self.task.take() else { return false };
        let tx = tx.serving(&self.request_id);
        catch_unwind(AssertUnwindSafe(|| task(&tx))).unwrap_or(false)
    }

    /// Tells who waits that the write is over, or why it could not be kept.
    fn answer(self, failure: Option<Error>) {
        // Nobody may be waiting any more; the write stands all the same.
        let _left = self.waiting.send(failure.map_or(Ok(()), Err));
    }
}

impl Writer {
    pub(super) fn start(options: &Options, followed: Option<&Statements>) -> Result<Self, Error> {
        let (queue, waiting) = mpsc::channel(options.queue_len.max(1));
        let (committed, commits) = watch::channel(0);
        let connection = open::writing(options, followed)?;
        if let Some(folding) = options.folding {
            let tx = Tx::new(&connection, options.clock.now());
            // It reads, and writes only what another program left behind: whoever holds the file is not waited for.
            execute(&tx, "begin")?;
            folding.opened(&tx)?;
            execute(&tx, "commit")?;
        }
        let thread = Thread {
            connection,
            earlier: RefCell::default(),
            options: options.clone(),
            followed: followed.cloned(),
            waiting,
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
        let (waiting, answer) = oneshot::channel();
        let write = Write { task: Some(task), request_id: request_id::current(), waiting };
        self.queue.try_send(Message::Write(write)).map_err(|_full| Error::Overloaded)?;
        answer.await.unwrap_or(Err(Error::Panicked))
    }

    pub(super) async fn close(&self) {
        let (closed, answer) = oneshot::channel();
        if self.queue.send(Message::Close(closed)).await.is_ok() {
            // An error means that the thread has ended already.
            let _ended = answer.await;
        }
    }

    pub(super) fn commits(&self) -> watch::Receiver<u64> {
        self.commits.clone()
    }

    pub(super) fn waiting_count(&self) -> usize {
        self.queue.max_capacity().saturating_sub(self.queue.capacity())
    }
}

struct Thread {
    connection: Connection,
    /// What reads the state of before a group.
    earlier: RefCell<Option<Connection>>,
    options: Options,
    followed: Option<Statements>,
    waiting: mpsc::Receiver<Message>,
    committed: watch::Sender<u64>,
    clock: Clock,
    last: Timestamp,
    doubt: Option<Doubt>,
}

/// That the file failed, and nothing is acknowledged before a new connection has found it sound.
#[derive(Debug, Clone, Copy)]
struct Doubt {
    /// When the file was last looked at, and failed again.
    checked: Option<Instant>,
}

impl Thread {
    fn run(mut self) {
        let mut closing = None;
        while closing.is_none() {
            match self.waiting.blocking_recv() {
                Some(Message::Write(first)) => closing = self.group(first),
                Some(Message::Close(closed)) => closing = Some(closed),
                None => break,
            }
        }
        self.waiting.close();
        while let Ok(message) = self.waiting.try_recv() {
            if let Message::Write(write) = message {
                write.answer(Some(Error::Overloaded));
            }
        }
        // Readers may close later, and cannot do it: what was written lies in the file itself when nobody serves it.
        if let Err(error) = open::settle(&self.connection) {
            tracing::warn!(%error, "the journal stays beside the database");
        }
        if let Err((_connection, error)) = self.connection.close() {
            tracing::warn!(%error, "the database did not close cleanly");
        }
        if let Some(closed) = closing {
            // Nobody may be waiting for the end.
            let _left = closed.send(());
        }
    }

    /// Runs the first write and those that wait behind it; gives who asked to close meanwhile.
    fn group(&mut self, first: Write) -> Option<oneshot::Sender<()>> {
        if let Err(error) = self.restore() {
            first.answer(Some(error));
            return None;
        }
        // Invariant: the instants of transactions never go back, whatever the machine's clock does.
        self.last = self.clock.now().max(self.last);
        let tx = Tx::new(&self.connection, self.last);
        if let Err(error) = execute(&tx, "begin immediate") {
            self.note(&error);
            first.answer(Some(error));
            return None;
        }
        let (done, closing, is_whole) = fill(&tx, first, &mut self.waiting);
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
            // What SQLite gave up in the middle of a write has failed for the reason that the write was told.
            self.doubt = Some(Doubt { checked: None });
        }
        // An error means that no transaction is open, which is what is wanted.
        let _closed = self.connection.execute_batch("rollback");
        let mut failure = Some(failure);
        for write in done {
            // The first who waits learns the cause; for the others it is the same failure.
            write.answer(Some(failure.take().unwrap_or(Error::Overloaded)));
        }
        closing
    }

    /// Brings what is kept up with the rows to their new state, and commits both together.
    fn end(&self, tx: &Tx<'_>) -> Result<(), Error> {
        if let Some(folding) = self.options.folding {
            folding.fold(tx, &Earlier { kept: &self.earlier, options: &self.options })?;
        }
        execute(tx, "commit")
    }

    /// Writes down that the file failed. A disk that is full, or a file that is held, has failed in good order.
    fn note(&mut self, error: &Error) {
        if matches!(error, Error::Busy) {
            return;
        }
        tracing::error!(?error, "a commit failed");
        if !matches!(error, Error::Full) {
            self.doubt = Some(Doubt { checked: None });
        }
    }

    /// After a failure, nothing that the connection remembers is trusted: a new one looks at the file first.
    fn restore(&mut self) -> Result<(), Error> {
        let Some(doubt) = self.doubt else { return Ok(()) };
        let pause = Duration::from_millis(CHECK_EVERY_MS);
        if doubt.checked.is_some_and(|checked| checked.elapsed() < pause) {
            return Err(Error::Overloaded);
        }
        let restored = open::writing(&self.options, self.followed.as_ref())
            .and_then(|connection| open::check(&connection).map(|()| connection));
        match restored {
            Ok(connection) => {
                self.connection = connection;
                self.earlier = RefCell::default();
                self.doubt = None;
                tracing::warn!("the database was opened again and found sound");
                Ok(())
            }
            Err(error) => {
                tracing::error!(?error, "the database is not to be trusted");
                self.doubt = Some(Doubt { checked: Some(Instant::now()) });
                Err(error)
            }
        }
    }
}

/// Runs a write and those that wait, as many as fit into a group; gives them, who asked to close meanwhile, and whether
/// the transaction still stands.
fn fill(
    tx: &Tx<'_>,
    first: Write,
    waiting: &mut mpsc::Receiver<Message>,
) -> (VecDeque<Write>, Option<oneshot::Sender<()>>, bool) {
    let (mut done, mut closing, mut next) = (VecDeque::new(), None, Some(first));
    let started = Instant::now();
    while let Some(mut write) = next.take() {
        let is_whole = savepoint(tx, &mut write);
        done.push_back(write);
        if !is_whole {
            return (done, closing, false);
        }
        if done.len() >= GROUP_LEN || started.elapsed() >= Duration::from_millis(GROUP_MS) {
            break;
        }
        match waiting.try_recv() {
            Ok(Message::Write(write)) => next = Some(write),
            Ok(Message::Close(closed)) => closing = Some(closed),
            Err(_empty) => {}
        }
    }
    (done, closing, true)
}

/// Runs one write in its savepoint. `false` if SQLite gave up the whole transaction, as it may when
/// the disk is full.
fn savepoint(tx: &Tx<'_>, write: &mut Write) -> bool {
    if execute(tx, "savepoint one").is_err() {
        return false;
    }
    if write.run(tx) {
        tx.forget_despite();
        return execute(tx, "release one").is_ok() && !tx.is_autocommit();
    }
    if tx.is_autocommit() {
        return false;
    }
    if execute(tx, "rollback to one").is_err() {
        return false;
    }
    if let Err(error) = tx.do_despite(&write.request_id) {
        tracing::error!(%error, "what a refused write was to leave could not be written");
        if tx.is_autocommit() || execute(tx, "rollback to one").is_err() {
            return false;
        }
    }
    execute(tx, "release one").is_ok() && !tx.is_autocommit()
}

fn execute(tx: &Tx<'_>, sql: &str) -> Result<(), Error> {
    tx.prepare_cached(sql)?.execute([])?;
    Ok(())
}

impl std::fmt::Debug for Message {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Write(_) => "Write",
            Self::Close(_) => "Close",
        })
    }
}
