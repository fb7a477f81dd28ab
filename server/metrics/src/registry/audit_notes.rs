//! Audit log entries about changes of metrics.

use quotient::registry::RegistryError;

use super::MetricRegistry;
use super::metric::Metric;
use crate::MetricError;
use crate::audit_log::{self, EntityType};
use crate::database::{self, Tx, Word};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
pub(super) enum Action {
    Create,
    Update,
    Rollback,
    Lifecycle,
    Delete,
    Example,
    RemoveExample,
    /// It changed because another metric did.
    Follow,
}

/// Records that a metric was changed; a change of a locked metric is recorded as forced.
pub(super) fn changed(
    tx: &Tx<'_>,
    action: Action,
    (before, after): (Option<&Metric>, &Metric),
    actor_id: &str,
) -> Result<(), database::Error> {
    let word = action.as_str();
    let is_forced = action != Action::Follow && before.is_some_and(|before| before.is_locked);
    let forced = format!("forced_{word}");
    let action_word = if is_forced { &forced } else { word };
    let entity = (EntityType::Metric, after.id.as_str());
    let change = (before, (action != Action::Delete).then_some(after));
    audit_log::record_change(tx, entity, action_word, change, actor_id)
}

/// Records a change that is refused because the metric is locked, in use, or a system metric.
pub(super) fn or_refused<T>(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (action, id_or_key): (Action, &str),
    actor_id: &str,
    outcome: Result<T, MetricError>,
) -> Result<T, MetricError> {
    if let Err(error) = &outcome
        && is_refusal(error)
    {
        let snapshot = registry.snapshot(tx)?;
        let found_id = snapshot.metric(id_or_key).map(|metric| metric.id.as_str());
        let entity = (EntityType::Metric, found_id.unwrap_or(id_or_key));
        audit_log::refused(tx, entity, action.as_str(), actor_id, &error.to_string());
    }
    outcome
}

fn is_refusal(error: &MetricError) -> bool {
    matches!(
        error,
        MetricError::Locked(_)
            | MetricError::System(_)
            | MetricError::AdminsOnly(_)
            | MetricError::UsedUnseen(_)
            | MetricError::Needed { .. }
            | MetricError::Registry(RegistryError::Used { .. })
    )
}
