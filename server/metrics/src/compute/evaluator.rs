//! The registry with the caches of computed values.

use std::sync::Arc;

use super::Caches;
use crate::MetricRegistry;

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
}
