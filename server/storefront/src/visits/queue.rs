//! The queue of events to be written: those that arrive while one batch is being written form the
//! next batch.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use tokio::sync::oneshot;

use super::event::{NewEvent, Reason};
use super::event_keys::{EventKey, EventKeys};
use super::queries;
use crate::database::{Db, Error, Tx};

/// Limit: queued events. Beyond half of it they are dropped.
const MAX_LEN: usize = 8_192;

/// Limit: events per batch, which is one write.
const GROUP_LEN: usize = 128;

/// How often a batch is tried while the database has too many writes, and the pause in between.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Written, now or earlier.
    Written,
    /// There was no room in the queue.
    Dropped,
    Refused(Reason),
}

/// The queue. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Queue(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    db: Db,
    keys: Arc<EventKeys>,
    state: Mutex<State>,
    dropped: Counter,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<QueuedVisit>,
    is_writing: bool,
}

#[derive(Debug)]
struct QueuedVisit {
    event: NewEvent,
    answer: oneshot::Sender<Result<Outcome, Error>>,
}

impl Queue {
    /// Creates an empty queue; `dropped` counts the events for which there was no room.
    pub fn new(db: Db, dropped: Counter) -> Self {
        Self(Arc::new(Parts { db, keys: Arc::default(), state: Mutex::default(), dropped }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an event together with the queued ones, and returns after the commit.
    pub(super) async fn push(&self, event: NewEvent) -> Result<Outcome, Error> {
        let outcomes = self.push_all(vec![event]).await?;
        outcomes.first().copied().ok_or(Error::Panicked)
    }

    /// Writes events that arrived together; returns the outcome of each, after the commit of the last.
    pub(super) async fn push_all(&self, events: Vec<NewEvent>) -> Result<Vec<Outcome>, Error> {
        let mut outcomes = Vec::with_capacity(events.len());
        for answer in self.enqueue(events) {
            outcomes.push(match answer {
                Some(outcome) => outcome.await.unwrap_or(Err(Error::Panicked))?,
                None => Outcome::Dropped,
            });
        }
        Ok(outcomes)
    }

    /// Returns which of the ids were written in the last seven days.
    pub(super) async fn counted_keys(
        &self,
        keys: Vec<EventKey>,
    ) -> Result<BTreeSet<EventKey>, Error> {
        if keys.is_empty() {
            return Ok(BTreeSet::new());
        }
        let all = Arc::clone(&self.0.keys);
        self.0.db.read(move |tx| all.counted(tx, keys.into_iter())).await
    }

    /// Adds the events for which there is room; returns where the outcome of each arrives.
    fn enqueue(
        &self,
        events: Vec<NewEvent>,
    ) -> Vec<Option<oneshot::Receiver<Result<Outcome, Error>>>> {
        let mut state = self.state();
        let answers = events
            .into_iter()
            .map(|event| {
                if state.waiting.len() >= MAX_LEN / 2 {
                    self.0.dropped.inc();
                    return None;
                }
                let (answer, outcome) = oneshot::channel();
                state.waiting.push_back(QueuedVisit { event, answer });
                Some(outcome)
            })
            .collect();
        if !state.is_writing && !state.waiting.is_empty() {
            state.is_writing = true;
            // In its own task, since it serves others even if the caller goes away.
            tokio::spawn(self.clone().write_all());
        }
        answers
    }

    /// Returns the next batch; none ends the writing.
    fn next(&self) -> Option<Vec<QueuedVisit>> {
        let mut state = self.state();
        let len = state.waiting.len().min(GROUP_LEN);
        state.is_writing = len > 0;
        state.is_writing.then(|| state.waiting.drain(..len).collect())
    }

    async fn write_all(self) {
        while let Some(group) = self.next() {
            let (events, answers): (Vec<NewEvent>, Vec<_>) =
                group.into_iter().map(|waiting| (waiting.event, waiting.answer)).unzip();
            let mut outcomes = self.write(&Arc::from(events)).await.map(Vec::into_iter);
            for answer in answers {
                let outcome = match &mut outcomes {
                    Ok(outcomes) => outcomes.next().ok_or(Error::Panicked),
                    Err(_logged) => Err(Error::Overloaded),
                };
                // The caller may be gone; the event is written anyway.
                let _left = answer.send(outcome);
            }
        }
    }

    /// Writes a batch; drops it if the database has too many writes for a second.
    async fn write(&self, events: &Arc<[NewEvent]>) -> Result<Vec<Outcome>, Error> {
        for _try in 0..TRIES {
            let (group, keys) = (Arc::clone(events), Arc::clone(&self.0.keys));
            let write = move |tx: &Tx<'_>| {
                let counted = keys.counted(tx, group.iter().filter_map(|event| event.key))?;
                queries::write(tx, &group, counted)
            };
            match self.0.db.write(write).await {
                Err(Error::Overloaded) => tokio::time::sleep(PAUSE).await,
                Err(error) => {
                    tracing::warn!(%error, count = events.len(), "events of visitors were not written");
                    return Err(error);
                }
                Ok(outcomes) => return Ok(outcomes),
            }
        }
        self.0.dropped.inc_by(u64::try_from(events.len()).unwrap_or_default());
        Ok(vec![Outcome::Dropped; events.len()])
    }
}
