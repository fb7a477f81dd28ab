//! A transaction as a domain sees it: the connection, and one instant.

use std::ops::Deref;
use std::path::Path;

use rusqlite::Connection;

use super::Error;
use crate::clock::Timestamp;

/// A running transaction, or one write of a group; what is done through it is kept or undone together.
#[derive(Debug)]
pub struct Tx<'c> {
    connection: &'c Connection,
    now: Timestamp,
}

impl<'c> Tx<'c> {
    pub(super) fn new(connection: &'c Connection, now: Timestamp) -> Self {
        Self { connection, now }
    }

    /// The transaction's instant: the same for all that it does, and never before an earlier one's.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The same transaction at another instant, for stores whose history is written afterwards.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Tx<'c> {
        Tx { connection: self.connection, now }
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
