//! Subscribers: functions in this process that follow the outbox.

use std::time::Duration;

use super::queries::{self, Event};
use crate::clock::Timestamp;
use crate::database::{Db, Error, Tx};

/// Limit: events delivered to a subscriber in one transaction.
const BATCH_LEN: u32 = 200;
/// How long the dispatcher waits for further commits after one, in milliseconds.
const GATHER_MS: u64 = 20;

/// All events.
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

/// All subscribers of the server.
#[derive(Debug, Clone)]
pub struct Subscribers {
    db: Db,
    list: &'static [Subscriber],
}

impl Subscribers {
    /// Creates the subscribers of a database.
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

    /// Delivers the pending events to each subscriber; returns how many events were delivered.
    ///
    /// # Errors
    /// [`Error`] of the first subscriber that failed; earlier deliveries stay committed.
    pub async fn catch_up(&self) -> Result<usize, Error> {
        let mut count = 0_usize;
        for subscriber in self.list {
            loop {
                let pending_count = self.db.read(|tx| pending(tx, subscriber)).await?;
                if pending_count == 0 {
                    break;
                }
                let handled = self.db.write(|tx| deliver(tx, subscriber)).await?;
                count = count.saturating_add(handled);
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
            }
            if commits.changed().await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(GATHER_MS)).await;
        }
    }

    /// Deletes some of the events before an instant that every subscriber has handled; returns how many.
    pub async fn prune(&self, before: Timestamp) -> Result<usize, Error> {
        self.db.write(move |tx| queries::prune(tx, before)).await
    }
}

fn pending(tx: &Tx<'_>, subscriber: &Subscriber) -> Result<usize, Error> {
    let seq = queries::cursor(tx, subscriber.name)?;
    Ok(queries::after(tx, seq, 1)?.len())
}

fn deliver(tx: &Tx<'_>, subscriber: &Subscriber) -> Result<usize, Error> {
    let seq = queries::cursor(tx, subscriber.name)?;
    let events = queries::after(tx, seq, BATCH_LEN)?;
    let Some(last) = events.last() else { return Ok(0) };
    for event in &events {
        if subscriber.events == EVERY || subscriber.events.contains(&event.name.as_str()) {
            (subscriber.handle)(tx, event)?;
        }
    }
    queries::advance(tx, subscriber.name, last.seq)?;
    Ok(events.len())
}
