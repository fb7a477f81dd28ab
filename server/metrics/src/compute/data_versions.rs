//! How far the tables are that a formula reads.

use std::collections::{BTreeMap, BTreeSet};

use super::queries::data_versions;
use crate::database::{self, Tx};

/// The version of each table in a snapshot.
#[derive(Debug, Clone)]
pub(crate) struct DataVersions(BTreeMap<String, i64>);

impl DataVersions {
    pub(crate) fn read(tx: &Tx<'_>) -> Result<Self, database::Error> {
        data_versions::read(tx).map(Self)
    }

    /// The number of the state of these tables. Each write makes one of their numbers larger and none smaller, so their
    /// sum is another one for every state.
    pub(crate) fn of(&self, tables: &BTreeSet<&'static str>) -> i64 {
        let versions = tables.iter().filter_map(|table| self.0.get(*table));
        versions.fold(0_i64, |sum, version| sum.saturating_add(*version))
    }
}
