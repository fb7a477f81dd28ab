//! The store's metrics, ready to check and to compute: read once, and again when something of them has changed.
//!
//! A transaction gets the metrics of its own snapshot: the stamp that every edit renews is read first, and metrics in
//! memory serve only under their own stamp.

use std::sync::{Arc, Mutex, PoisonError};

use super::queries::stamp;
use super::{RegistrySnapshot, load};
use crate::MetricError;
use crate::database::Tx;

/// What identifies a snapshot of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Renewed by every edit; no value comes twice.
    pub edit: String,
    /// The currency that the store reports in, in lower case.
    pub currency: String,
    pub zone: String,
}

/// The latest metrics in memory. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct MetricRegistry {
    kept: Arc<Mutex<Option<Arc<RegistrySnapshot>>>>,
}

impl MetricRegistry {
    pub(crate) fn snapshot(&self, tx: &Tx<'_>) -> Result<Arc<RegistrySnapshot>, MetricError> {
        let current = stamp::read(tx)?;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(snapshot) = kept.filter(|snapshot| *snapshot.stamp() == current) {
            return Ok(snapshot);
        }
        let made = Arc::new(load::snapshot(tx, current)?);
        self.keep(&made);
        Ok(made)
    }

    /// The metrics as the transaction sees them and a reader may: without the private ones of others.
    pub(crate) fn visible_to(
        &self,
        tx: &Tx<'_>,
        reader: &str,
    ) -> Result<Arc<RegistrySnapshot>, MetricError> {
        self.snapshot(tx)?.visible_to(reader)
    }

    /// Makes a snapshot the one in memory.
    pub fn keep(&self, made: &Arc<RegistrySnapshot>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(made));
    }
}
