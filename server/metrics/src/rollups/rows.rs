//! Rows of the store into cells.

use std::collections::{BTreeMap, BTreeSet};

use quotient::data::Rates;
use quotient::rollup::{RollupSchema, Rollups};
use quotient::sql::StoreError;

use super::key_numbers::Numbers;
use super::queries::source_rows::SourceRows;
use super::retention::Keeping;
use super::table::Unreadable;
use crate::database::Error;
use crate::registry::findings;

/// Why states could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StateError {
    /// A database error.
    #[error(transparent)]
    Db(#[from] Error),
    /// A cell that is not of this program.
    #[error(transparent)]
    Cell(#[from] Unreadable),
    /// The rows are not those of the schema.
    #[error("rows cannot be folded: {0}")]
    Rows(String),
}

impl From<StoreError> for StateError {
    fn from(error: StoreError) -> Self {
        Self::Rows(error.to_string())
    }
}

impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        match error {
            StateError::Db(error) => error,
            StateError::Cell(error) => Self::Damaged(error.to_string()),
            StateError::Rows(message) => Self::Damaged(message),
        }
    }
}

/// Rows as the engine folds them.
#[derive(Debug)]
pub(super) struct Rows(quotient::data::Data);

impl Rows {
    pub(super) fn of(keeping: &Keeping, read: &[SourceRows<'_>]) -> Result<Self, StateError> {
        let engine = &keeping.engine;
        let mut tables = Vec::with_capacity(read.len());
        for (source, fields, rows) in read {
            tables.push(keeping.binding.rows(engine.schema(), (source, fields), rows)?);
        }
        let data = engine.data(tables, Rates::new());
        Ok(Self(data.map_err(|error| StateError::Rows(error.to_string()))?))
    }
}

/// The sources that some definitions read, with the fields of each.
pub(super) fn reads<'d>(definitions: &[&'d RollupSchema]) -> BTreeMap<&'d str, BTreeSet<&'d str>> {
    let mut reads: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (source, fields) in definitions.iter().flat_map(|definitions| definitions.reads()) {
        reads.entry(source).or_default().extend(fields);
    }
    reads
}

/// The cells of rows.
pub(super) fn cells(
    keeping: &Keeping,
    (definitions, rows): (&RollupSchema, &Rows),
    numbers: &mut Numbers<'_, '_>,
) -> Result<Rollups, StateError> {
    let cells = keeping.engine.fold_rollups(definitions, &rows.0, numbers);
    numbers.check()?;
    cells.map_err(|found| StateError::Rows(findings::first(&found)))
}
