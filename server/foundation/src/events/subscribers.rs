//! Subscribers: functions in this process that follow the outbox.

use std::time::Duration;

use super::queries::{self, Event};
use crate::clock::Timestamp;
use crate::database::{Db, Error, Tx};

/// Limit: events delivered to a subscriber in one transaction.
const BATCH_LEN: u32 = 200;
/// How long the dispatcher waits for further commits after one.
const GATHER: Duration = Duration::from_millis(20);
/// How long it waits after a failure.
const RETRY: Duration = Duration::from_secs(1);

pub const EVERY: &[&str] = &["*"];

/// A function that follows the outbox.
#[derive(Debug, Clone, Copy)]
pub struct Subscriber {
    /// The name under which its position is stored; never reused for another purpose.
    pub name: &'static str,
    /// The events to handle, or [`EVERY`]; others are skipped.
    pub events: &'static [&'static str],
    /// Handles an event, in the transaction that advances the position.
    pub handle: fn(&Tx<'_>, &Event) -> Result<(), Error>,
}

impl Subscriber {
    /// Handles those of some events that it follows; if one fails, none has an effect.
    fn handle_all(&self, tx: &Tx<'_>, events: &[Event]) -> Result<Result<(), Error>, Error> {
        let is_followed =
            |event: &&Event| self.events == EVERY || self.events.contains(&event.name.as_str());
        let mut followed = events.iter().filter(is_followed).peekable();
        if followed.peek().is_none() {
            return Ok(Ok(()));
        }
        tx.attempt(|tx| followed.try_for_each(|event| (self.handle)(tx, event)))
    }
}

#[derive(Debug, Clone)]
pub struct Subscribers {
    db: Db,
    list: &'static [Subscriber],
}

impl Subscribers {
    pub fn new(db: Db, list: &'static [Subscriber]) -> Self {
        Self { db, list }
    }

    /// Starts new subscribers at the end of the outbox, and forgets former ones; must be called before the first delivery.
    pub async fn prepare(&self) -> Result<(), Error> {
        let list = self.list;
        self.db
            .write(move |tx| {
                let names: Vec<&str> = list.iter().map(|subscriber| subscriber.name).collect();
                queries::keep_only(tx, &names)?;
                list.iter().try_for_each(|subscriber| queries::begin(tx, subscriber.name))
            })
            .await
    }

    /// Delivers the pending events to each subscriber; returns how many were delivered.
    ///
    /// # Errors
    /// [`Error`] of the first subscriber that fails, after all others have caught up.
    pub async fn catch_up(&self) -> Result<usize, Error> {
        let list = self.list;
        let mut count = 0_usize;
        while self.db.read(move |tx| is_behind(tx, list)).await? {
            match self.db.write(move |tx| deliver(tx, list)).await? {
                Delivered { count: 0, failure: Some(error) } => return Err(error),
                delivered => count = count.saturating_add(delivered.count),
            }
        }
        Ok(count)
    }

    /// Follows the outbox until the server stops.
    pub async fn follow(self) {
        let mut commits = self.db.commits();
        loop {
            if let Err(error) = self.catch_up().await {
                tracing::warn!(%error, "a subscriber failed and will be retried");
                tokio::time::sleep(RETRY).await;
                continue;
            }
            if commits.changed().await.is_err() {
                return;
            }
            tokio::time::sleep(GATHER).await;
        }
    }

    /// Deletes some of the events before an instant that every subscriber has handled; returns how many.
    pub async fn prune(&self, before: Timestamp) -> Result<usize, Error> {
        self.db.write(move |tx| queries::prune(tx, before)).await
    }
}

/// Returns whether there are events that one of some subscribers has not handled.
fn is_behind(tx: &Tx<'_>, subscribers: &[Subscriber]) -> Result<bool, Error> {
    let behind = queries::behind(tx)?;
    let is_one =
        |subscriber: &Subscriber| behind.values().any(|names| names.contains(subscriber.name));
    Ok(subscribers.iter().any(is_one))
}

#[derive(Debug, Default)]
struct Delivered {
    count: usize,
    /// Why the first subscriber that failed did so.
    failure: Option<Error>,
}

/// Delivers the next events to each subscriber that has not handled them yet, in one transaction. A subscriber that
/// fails keeps its position.
fn deliver(tx: &Tx<'_>, subscribers: &[Subscriber]) -> Result<Delivered, Error> {
    let mut delivered = Delivered::default();
    for (seq, names) in queries::behind(tx)? {
        let events = queries::after(tx, seq, BATCH_LEN)?;
        let Some(last) = events.last() else { continue };
        let mut up_to_date = Vec::new();
        for subscriber in subscribers.iter().filter(|subscriber| names.contains(subscriber.name)) {
            match subscriber.handle_all(tx, &events)? {
                Ok(()) => up_to_date.push(subscriber.name),
                Err(error) => delivered.failure = delivered.failure.or(Some(error)),
            }
        }
        queries::advance(tx, &up_to_date, last.seq)?;
        delivered.count =
            delivered.count.saturating_add(events.len().saturating_mul(up_to_date.len()));
    }
    Ok(delivered)
}
