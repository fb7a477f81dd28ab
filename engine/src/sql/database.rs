//! A database as a data source.

use std::cell::RefCell;
use std::fmt;

use super::binding::Binding;
use super::dialect::Dialect;
use super::query::{Query, SqlValue, Store, StoreError};
use super::term::{CompileFailure, Compiled};
use crate::data::{Rates, Versions};
use crate::schema::Schema;
use crate::source::Span;

/// A database as a data source: a store that runs queries, its dialect, and the binding of the
/// schema.
#[derive(Debug)]
pub struct Database<'d> {
    store: &'d dyn Store,
    pub(super) dialect: Dialect,
    pub(super) binding: Binding,
    pub(super) rates: Rates,
    pub(super) versions: Option<Versions>,
    pub(super) ran: RefCell<Vec<Execution>>,
}

/// An execution step of an evaluation: a statement, or the reason for streaming rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Execution {
    /// A statement and the number of rows it returned.
    Query(Query, usize),
    /// The following statements stream rows into memory, since the database cannot compute an
    /// aggregate as the engine does.
    Streamed {
        /// The source of the aggregate.
        source: String,
        /// The place of the aggregate in the requested formula, if it stands there itself.
        at: Option<Span>,
        /// The operation computed in memory: `a division for each row`.
        reason: &'static str,
    },
}

impl fmt::Display for Execution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Query(query, rows) => {
                write!(formatter, "{}; {:?} gave {rows} rows", query.text, query.values)
            }
            Self::Streamed { source, reason, .. } => {
                write!(formatter, "rows of `{source}` are brought here: {reason}")
            }
        }
    }
}

impl<'d> Database<'d> {
    /// Creates a data source whose tables and columns have the names of the schema, without
    /// exchange rates.
    pub fn new(store: &'d dyn Store, dialect: Dialect, schema: &Schema) -> Self {
        let binding = Binding::by_name(schema);
        let (rates, ran) = (Rates::new(), RefCell::default());
        Self { store, dialect, binding, rates, versions: None, ran }
    }

    /// Sets the binding of sources and fields.
    #[must_use]
    pub fn with_binding(self, binding: Binding) -> Self {
        Self { binding, ..self }
    }

    /// Sets the exchange rates.
    #[must_use]
    pub fn with_rates(self, rates: Rates) -> Self {
        Self { rates, ..self }
    }

    /// Fixes the versions of the rows: answers are cached and looked up under these versions only.
    /// The versions are a copy of those of the cache in use, taken when the rows were in this
    /// state.
    #[must_use]
    pub fn with_versions(self, versions: Versions) -> Self {
        Self { versions: Some(versions), ..self }
    }

    /// Returns the executions so far, in order, up to the first thousand, and empties the list.
    pub fn take_ran(&self) -> Vec<Execution> {
        self.ran.take()
    }

    pub(super) fn note(&self, ran: Execution) {
        let mut kept = self.ran.borrow_mut();
        if kept.len() < MAX_RAN {
            kept.push(ran);
        }
    }

    /// Runs a statement with few rows.
    pub(super) fn rows(&self, query: &Query) -> Compiled<Vec<Vec<SqlValue>>> {
        let mut rows = Vec::new();
        self.each_row(query, |row| {
            rows.push(row.to_vec());
            Ok(())
        })?;
        Ok(rows)
    }

    /// Runs a statement, and takes its rows one by one, up to the first that is refused.
    pub(super) fn each_row(
        &self,
        query: &Query,
        mut take: impl FnMut(&[SqlValue]) -> Compiled<()>,
    ) -> Compiled<()> {
        let mut taken = Ok(());
        let mut count = 0_usize;
        let answer = self.store.query(query, &mut |row| {
            if taken.is_ok() {
                count = count.saturating_add(1);
                taken = take(row);
            }
            if taken.is_ok() { Ok(()) } else { Err(StoreError::Stopped) }
        });
        taken?;
        answer.map_err(|error| match error {
            StoreError::OutOfRange => CompileFailure::Stream(OUT_OF_RANGE),
            StoreError::Stopped | StoreError::Failed(_) => CompileFailure::fail(&error.to_string()),
        })?;
        self.note(Execution::Query(query.clone(), count));
        Ok(())
    }
}

/// Limit: executions recorded between two calls of [`Database::take_ran`].
const MAX_RAN: usize = 1_000;

/// The reason for streaming when a result exceeds the integers of the database.
pub(super) const OUT_OF_RANGE: &str = "numbers too large for the database";
