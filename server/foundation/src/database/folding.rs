//! Derived data that is updated with the rows: notified once per group of writes, in its transaction.

use std::cell::RefCell;
use std::fmt;

use rusqlite::Connection;

use super::{Error, Options, Tx, open};

/// Updates derived data of the store's rows, such as totals that are expensive to compute.
pub trait Folding: fmt::Debug + Sync {
    /// Called when the file is opened: writes by other programs in between were not notified.
    fn opened(&self, tx: &Tx<'_>) -> Result<(), Error>;

    /// Called before a group of writes is committed. Its own writes are committed with them; if it fails, so does the group.
    fn fold(&self, tx: &Tx<'_>, earlier: &Earlier<'_>) -> Result<(), Error>;
}

/// The rows before the group of writes.
#[derive(Debug)]
pub struct Earlier<'e> {
    /// The connection, opened on first use.
    pub(super) connection: &'e RefCell<Option<Connection>>,
    pub(super) options: &'e Options,
}

impl Earlier<'_> {
    /// Reads in the state before the group of writes: there is only one writer, so this is the last committed state.
    pub fn read<T>(&self, work: impl FnOnce(&Tx<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let mut cached = self.connection.borrow_mut();
        let connection = match cached.take() {
            Some(connection) => connection,
            None => open::reading(self.options, None)?,
        };
        let outcome = {
            let tx = Tx::new(&connection, self.options.clock.now(), &self.options.subscriptions);
            super::reader::snapshot(&tx, work)
        };
        // A connection with an error is not reused.
        *cached = outcome.is_ok().then_some(connection);
        outcome
    }
}
