//! Transactions as domains use them: the connection, and one instant.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use rusqlite::Connection;

use super::{Error, open};
use crate::clock::Timestamp;
use crate::config::SubscriptionSettings;

/// A running transaction, or one write of a group; its changes are committed or rolled back together.
#[derive(Debug)]
pub struct Tx<'c> {
    connection: &'c Connection,
    now: Timestamp,
    subscriptions: Arc<SubscriptionSettings>,
    /// The id of the request; empty outside of requests.
    request_id: Rc<str>,
    despite: Rc<RefCell<Vec<Despite>>>,
}

type Work = dyn FnOnce(&Tx<'_>) -> Result<(), Error>;

/// Work to run if the write that scheduled it fails.
struct Despite(Box<Work>);

impl fmt::Debug for Despite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Despite")
    }
}

impl<'c> Tx<'c> {
    pub(super) fn new(
        connection: &'c Connection,
        now: Timestamp,
        subscriptions: &Arc<SubscriptionSettings>,
    ) -> Self {
        let subscriptions = Arc::clone(subscriptions);
        Self { connection, now, subscriptions, request_id: "".into(), despite: Rc::default() }
    }

    /// Returns the transaction's instant: the same for all its work, and never before that of an earlier transaction.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    pub fn subscription_settings(&self) -> &SubscriptionSettings {
        &self.subscriptions
    }

    /// Returns the same transaction at another instant, to write history afterwards.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Tx<'c> {
        Tx { now, ..self.serving(&self.request_id) }
    }

    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Schedules work to run if this write fails, in place of the write, for example to record a rejection.
    /// Reads ignore it.
    pub fn despite(&self, work: impl FnOnce(&Tx<'_>) -> Result<(), Error> + 'static) {
        self.despite.borrow_mut().push(Despite(Box::new(work)));
    }

    /// Runs a part of the transaction that may fail: in this case its changes are undone, and the rest remains.
    pub fn attempt<T, E>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, E>,
    ) -> Result<Result<T, E>, Error> {
        self.connection.execute_batch("savepoint attempt")?;
        let outcome = work(self);
        if outcome.is_err() {
            self.connection.execute_batch("rollback to attempt")?;
        }
        self.connection.execute_batch("release attempt")?;
        Ok(outcome)
    }

    /// Runs a part of the transaction that erases personal data: the file keeps no remains of what it deletes or replaces.
    pub fn overwriting<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.pragma_update(None, "secure_delete", "on").map_err(Error::from)?;
        let outcome = work(self);
        self.pragma_update(None, "secure_delete", open::SECURE_DELETE).map_err(Error::from)?;
        outcome
    }

    pub(super) fn serving(&self, request_id: &str) -> Tx<'c> {
        let despite = Rc::clone(&self.despite);
        let subscriptions = Arc::clone(&self.subscriptions);
        let (connection, now) = (self.connection, self.now);
        Tx { connection, now, subscriptions, request_id: request_id.into(), despite }
    }

    /// Drops the scheduled work of a successful write.
    pub(super) fn forget_despite(&self) {
        self.despite.borrow_mut().clear();
    }

    /// Runs the scheduled work of a failed write.
    pub(super) fn do_despite(&self, request_id: &str) -> Result<(), Error> {
        let scheduled = std::mem::take(&mut *self.despite.borrow_mut());
        let tx = self.serving(request_id);
        scheduled.into_iter().try_for_each(|Despite(work)| work(&tx))
    }
}

impl Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}
