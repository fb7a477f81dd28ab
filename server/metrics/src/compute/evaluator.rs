//! The registry with the caches of computed values.

use std::sync::Arc;

use super::Caches;
use crate::database::Tx;
use crate::{MetricError, MetricRegistry, RegistrySnapshot};

/// Computes values for dashboards, reports and routes. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Evaluator {
    pub registry: MetricRegistry,
    caches: Arc<Caches>,
}

impl Evaluator {
    pub fn new(registry: MetricRegistry) -> Self {
        Self { registry, caches: Arc::default() }
    }

    pub const fn caches(&self) -> &Arc<Caches> {
        &self.caches
    }

    pub(crate) fn snapshot(&self, tx: &Tx<'_>) -> Result<Arc<RegistrySnapshot>, MetricError> {
        self.registry.snapshot(tx)
    }

    /// Returns the metrics in the transaction's snapshot that a reader may see: all but the private ones of others.
    pub(crate) fn visible_to(
        &self,
        tx: &Tx<'_>,
        reader: &str,
    ) -> Result<Arc<RegistrySnapshot>, MetricError> {
        self.registry.visible_to(tx, reader)
    }
}
