//! Versions of the tables that a formula reads.

use std::collections::{BTreeMap, BTreeSet};

use super::queries;
use crate::database::{self, Tx};

/// The version of each table in a snapshot.
#[derive(Debug, Clone)]
pub(crate) struct DataVersions(BTreeMap<String, i64>);

impl DataVersions {
    pub(crate) fn read(tx: &Tx<'_>) -> Result<Self, database::Error> {
        queries::data_versions(tx).map(Self)
    }

    /// Returns a number for the state of these tables. Each write raises one of their versions and lowers none, so the
    /// sum differs for every state.
    pub(crate) fn of(&self, tables: &BTreeSet<&'static str>) -> i64 {
        let versions = tables.iter().filter_map(|table| self.0.get(*table));
        versions.fold(0_i64, |sum, version| sum.saturating_add(*version))
    }
}
