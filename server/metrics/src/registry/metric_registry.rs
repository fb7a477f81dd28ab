//! The store's metrics, compiled: loaded once, and again after a change.
//!
//! A transaction gets the metrics of its own snapshot: it first reads the stamp, which every edit renews, and uses the
//! metrics in memory only if they have that stamp.

use std::sync::{Arc, Mutex, PoisonError};

use super::queries::stamp;
use super::{RegistrySnapshot, load};
use crate::MetricError;
use crate::database::Tx;

/// The identity of a snapshot of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Renewed by every edit; values are never reused.
    pub edit: String,
    /// The currency of the store's reports, in lower case.
    pub currency: String,
    pub zone: String,
}

/// The latest snapshot in memory. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct MetricRegistry {
    latest: Arc<Mutex<Option<Arc<RegistrySnapshot>>>>,
}

impl MetricRegistry {
    pub(crate) fn snapshot(&self, tx: &Tx<'_>) -> Result<Arc<RegistrySnapshot>, MetricError> {
        let current = stamp::read(tx)?;
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(snapshot) = latest.filter(|snapshot| *snapshot.stamp() == current) {
            return Ok(snapshot);
        }
        let loaded = Arc::new(load::snapshot(tx, current)?);
        self.keep(&loaded);
        Ok(loaded)
    }

    /// Returns the metrics in the transaction's snapshot that a reader may see: all but the private ones of others.
    pub(crate) fn visible_to(
        &self,
        tx: &Tx<'_>,
        reader: &str,
    ) -> Result<Arc<RegistrySnapshot>, MetricError> {
        self.snapshot(tx)?.visible_to(reader)
    }

    /// Replaces the snapshot in memory.
    pub fn keep(&self, snapshot: &Arc<RegistrySnapshot>) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(snapshot));
    }
}
