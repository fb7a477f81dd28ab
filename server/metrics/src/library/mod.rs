//! The store's metrics, ready to check and to compute: read once, and again when something of them has changed.
//!
//! Whoever reads in a snapshot gets the metrics of that snapshot: the stamp that every edit renews is read first, and
//! what is kept serves only under its own stamp.

mod load;
mod shelf;

use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use load::{definition, number};
pub use shelf::{Desk, Shelf};

use super::MetricError;
use super::compute::Caches;
use super::queries::stamp;
use crate::database::Tx;

/// What the metrics of a snapshot depend on beside the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Renewed by every edit; no value comes twice.
    pub edit: String,
    /// The currency that the store reports in, in lower case.
    pub currency: String,
    /// The zone whose days it counts.
    pub zone: String,
}

/// Where the metrics are kept in memory, and what was computed of them. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Library {
    kept: Arc<Mutex<Option<Arc<Shelf>>>>,
    caches: Arc<Caches>,
}

impl Library {
    /// What was computed before.
    pub const fn caches(&self) -> &Arc<Caches> {
        &self.caches
    }

    /// The metrics as the transaction sees them.
    ///
    /// # Errors
    /// A database error, or settings of the store that give no schema.
    pub(crate) fn shelf(&self, tx: &Tx<'_>) -> Result<Arc<Shelf>, MetricError> {
        let current = stamp::read(tx)?;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(shelf) = kept.filter(|shelf| *shelf.stamp() == current) {
            return Ok(shelf);
        }
        let made = Arc::new(load::shelf(tx, current)?);
        self.keep(&made);
        Ok(made)
    }

    /// The metrics as the transaction sees them and a reader may: without the private ones of others.
    ///
    /// # Errors
    /// As [`Library::shelf`].
    pub(crate) fn seen_by(&self, tx: &Tx<'_>, reader: &str) -> Result<Arc<Shelf>, MetricError> {
        self.shelf(tx)?.seen_by(reader)
    }

    /// Keeps metrics for those who ask under their stamp.
    pub fn keep(&self, made: &Arc<Shelf>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(made));
    }
}
