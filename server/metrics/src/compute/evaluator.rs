//! The registry with the caches of computed values.

use std::sync::Arc;

use quotient::cache::CacheStatistics;

use super::Caches;
use super::repeated::RepeatedAnswers;
use crate::MetricRegistry;
use crate::database::{Error, Tx};

/// Computes values for dashboards, reports and routes. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Evaluator {
    pub registry: MetricRegistry,
    caches: Arc<Caches>,
    repeated: Arc<RepeatedAnswers>,
}

impl Evaluator {
    pub fn new(registry: MetricRegistry) -> Self {
        Self { registry, ..Self::default() }
    }

    pub const fn caches(&self) -> &Arc<Caches> {
        &self.caches
    }

    pub(super) const fn repeated(&self) -> &Arc<RepeatedAnswers> {
        &self.repeated
    }

    pub(super) fn clear_caches(&self) {
        self.caches.clear();
        self.repeated.clear();
    }

    /// Returns the statistics with the writes of a snapshot, which are otherwise learned by the next question.
    pub(super) fn statistics_at(&self, tx: &Tx<'_>) -> Result<CacheStatistics, Error> {
        Ok(self.with_repeated(self.caches.statistics_at(tx)?))
    }

    pub(super) fn statistics(&self) -> CacheStatistics {
        self.with_repeated(self.caches.statistics())
    }

    fn with_repeated(&self, parts: CacheStatistics) -> CacheStatistics {
        CacheStatistics { hits: parts.hits.saturating_add(self.repeated.hits()), ..parts }
    }
}
