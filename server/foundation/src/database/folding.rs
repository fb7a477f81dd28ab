//! What is kept up with the rows: told once for each group of writes, in its transaction.

use std::cell::RefCell;
use std::fmt;

use rusqlite::Connection;

use super::{Error, Options, Tx, open};

/// Keeps something up with the rows of the store, as totals that would be dear to count anew.
pub trait Folding: fmt::Debug + Sync {
    /// The file was opened: what other programs wrote meanwhile was not told.
    ///
    /// # Errors
    /// A database error.
    fn opened(&self, tx: &Tx<'_>) -> Result<(), Error>;

    /// A group of writes is about to be committed. Whatever this does is committed with them.
    ///
    /// # Errors
    /// A database error; then the group fails.
    fn fold(&self, tx: &Tx<'_>, earlier: &Earlier<'_>) -> Result<(), Error>;
}

/// The rows as they were before the group of writes.
#[derive(Debug)]
pub struct Earlier<'e> {
    /// The connection, opened when it is first used.
    pub(super) kept: &'e RefCell<Option<Connection>>,
    pub(super) options: &'e Options,
}

impl Earlier<'_> {
    /// Reads in the state that the group of writes began with: there is one writer, so that what was committed last is
    /// what it began with.
    ///
    /// # Errors
    /// What `work` gives, or that the file cannot be read.
    pub fn read<T>(&self, work: impl FnOnce(&Tx<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let mut kept = self.kept.borrow_mut();
        let connection = match kept.take() {
            Some(connection) => connection,
            None => open::reading(self.options, None)?,
        };
        let outcome = {
            let tx = Tx::new(&connection, self.options.clock.now());
            super::reader::snapshot(&tx, work)
        };
        // One that failed is not trusted again.
        *kept = outcome.is_ok().then_some(connection);
        outcome
    }
}
