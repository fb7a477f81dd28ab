//! Whether a metric may be computed.

use quotient::Formula;

use crate::registry::metric::Metric;
use crate::registry::vocabulary::Lifecycle;
use crate::{MetricError, RegistrySnapshot};

/// Returns the metric with an id or key if it may be computed: an active or deprecated one that is in use, or a draft or one
/// that is not in use if drafts are allowed.
///
/// # Errors
/// [`MetricError::NotFound`], also for another user's private metric; [`MetricError::NotComputed`].
pub(crate) fn usable<'s>(
    snapshot: &'s RegistrySnapshot,
    id_or_key: &str,
    actor_id: &str,
    takes_drafts: bool,
) -> Result<&'s Metric, MetricError> {
    let metric = snapshot.visible(id_or_key, actor_id)?;
    check_state(snapshot, metric, takes_drafts).map(|()| metric)
}

/// Checks that the metrics that a formula names may be computed.
pub(crate) fn check_uses(
    snapshot: &RegistrySnapshot,
    formula: &Formula,
    takes_drafts: bool,
) -> Result<(), MetricError> {
    let mut named = formula.metrics().iter().filter_map(|key| snapshot.stored(key));
    named.try_for_each(|metric| check_state(snapshot, metric, takes_drafts))
}

fn check_state(
    snapshot: &RegistrySnapshot,
    metric: &Metric,
    takes_drafts: bool,
) -> Result<(), MetricError> {
    let refused = |state| Err(MetricError::NotComputed { key: metric.key.clone(), state });
    match metric.state {
        _ if metric.deleted_at.is_some() => refused("removed"),
        _ if snapshot.broken().contains_key(&metric.key) => {
            Err(MetricError::broken(metric.key.clone()))
        }
        Lifecycle::Draft if !takes_drafts => refused("a draft"),
        Lifecycle::Archived => refused("archived"),
        _ if !metric.is_active && !takes_drafts => refused("inactive"),
        Lifecycle::Draft | Lifecycle::Active | Lifecycle::Deprecated => Ok(()),
    }
}
