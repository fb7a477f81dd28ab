//! The state that the routes of this crate share.

use std::path::PathBuf;
use std::sync::Arc;

use quotient_foundation::clock::Clock;
use quotient_foundation::database;
use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::MetricRegistry;
use crate::alerts::delivery::Notifier;
use crate::compute::Evaluator;
use crate::compute::stats::ComputeStats;
use crate::rollups::maintenance::ROLLUP_MAINTENANCE;

/// Returns the options for opening a store's database with rollups.
pub fn database_options(path: impl Into<PathBuf>, clock: Clock) -> database::Options {
    database::Options { folding: Some(ROLLUP_MAINTENANCE), ..database::Options::new(path, clock) }
}

/// The state of all routes, with the caches of metrics. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    pub shared: Shared,
    pub registry: MetricRegistry,
    /// The same metrics, with the caches of computed values.
    pub evaluator: Evaluator,
    pub(crate) stats: Arc<ComputeStats>,
    pub notifier: Notifier,
}

impl AppState {
    pub fn new(shared: Shared) -> Self {
        let registry = MetricRegistry::default();
        Self {
            evaluator: Evaluator::new(registry.clone()),
            registry,
            stats: Arc::default(),
            notifier: Notifier::of(shared.clock.clone(), &shared.settings),
            shared,
        }
    }
}

parts!(AppState with shared: registry: MetricRegistry, evaluator: Evaluator, stats: Arc<ComputeStats>, notifier: Notifier);
