//! A transaction as a domain sees it: the connection, and one instant.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::rc::Rc;

use rusqlite::Connection;

use super::Error;
use crate::clock::Timestamp;

/// A running transaction, or one write of a group; what is done through it is kept or undone together.
#[derive(Debug)]
pub struct Tx<'c> {
    connection: &'c Connection,
    now: Timestamp,
    /// The request that it serves; empty outside of one.
    request_id: Rc<str>,
    despite: Rc<RefCell<Vec<Despite>>>,
}

type Work = dyn FnOnce(&Tx<'_>) -> Result<(), Error>;

/// What is written although the write that asked for it fails.
struct Despite(Box<Work>);

impl fmt::Debug for Despite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Despite")
    }
}

impl<'c> Tx<'c> {
    pub(super) fn new(connection: &'c Connection, now: Timestamp) -> Self {
        Self { connection, now, request_id: "".into(), despite: Rc::default() }
    }

    /// The transaction's instant: the same for all that it does, and never before an earlier one's.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The same transaction at another instant, for stores whose history is written afterwards.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Tx<'c> {
        Tx { now, ..self.serving(&self.request_id) }
    }

    /// The request that is served, by its id; empty outside of one.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Keeps work for the case that this write fails: then it is done in the place of the write, as of a refusal that
    /// is to be remembered. A read does none of it.
    pub fn despite(&self, work: impl FnOnce(&Tx<'_>) -> Result<(), Error> + 'static) {
        self.despite.borrow_mut().push(Despite(Box::new(work)));
    }

    /// The same transaction on behalf of a request.
    pub(super) fn serving(&self, request_id: &str) -> Tx<'c> {
        let despite = Rc::clone(&self.despite);
        Tx { connection: self.connection, now: self.now, request_id: request_id.into(), despite }
    }

    /// Forgets what was to be done if the write failed.
    pub(super) fn forget_despite(&self) {
        self.despite.borrow_mut().clear();
    }

    /// Does what was to be done if the write failed, as it now has.
    pub(super) fn do_despite(&self, request_id: &str) -> Result<(), Error> {
        let kept = std::mem::take(&mut *self.despite.borrow_mut());
        let tx = self.serving(request_id);
        kept.into_iter().try_for_each(|Despite(work)| work(&tx))
    }

    pub(super) fn copy_into(&self, target: &Path) -> Result<(), Error> {
        let mut copy = super::open::new_file(target)?;
        let backup = rusqlite::backup::Backup::new(self.connection, &mut copy)?;
        backup.run_to_completion(i32::MAX, std::time::Duration::ZERO, None)?;
        Ok(())
    }
}

impl Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}
