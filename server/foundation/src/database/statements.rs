//! Records the statements of a database, for tests of their number and their plans.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use super::Error;

/// The statements of all connections of a database; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Statements {
    count: Arc<AtomicU64>,
    texts: Arc<Mutex<BTreeSet<String>>>,
}

impl Statements {
    /// Records every statement that the connection runs; triggers count as part of theirs.
    pub(super) fn follow(&self, connection: &mut Connection) -> Result<(), Error> {
        let statements = self.clone();
        let note = move |event: TraceEvent<'_>| {
            // SQLite reports a trigger as a comment.
            if let TraceEvent::Stmt(_, sql) = event
                && !sql.starts_with("--")
            {
                statements.note(sql);
            }
        };
        connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(note))?;
        Ok(())
    }

    fn note(&self, sql: &str) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if !texts.contains(sql) {
            texts.insert(sql.to_owned());
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub(super) fn texts(&self) -> BTreeSet<String> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
