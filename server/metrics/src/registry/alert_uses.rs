//! Finds alerts that expose a metric to users other than its owner: while there are any, it cannot be made private.

use super::metric::Metric;
use super::queries::alert_uses::{self as queries, AlertUse};
use crate::database::Tx;
use crate::{MetricError, RegistrySnapshot};

/// Returns whether an alert exposes a metric to users other than its owner: an alert created by another user, or one
/// about another metric that others see and whose condition names this one.
pub(crate) fn shows(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    metric: &Metric,
) -> Result<bool, MetricError> {
    let alerts = queries::all(tx)?;
    Ok(alerts.iter().any(|alert| exposes(snapshot, metric, alert)))
}

fn exposes(snapshot: &RegistrySnapshot, metric: &Metric, alert: &AlertUse) -> bool {
    let is_about = alert.metric_id == metric.id;
    let about = snapshot.metrics().values().find(|about| about.id == alert.metric_id);
    let is_owners = |about: &Metric| about.is_private() && about.owner_id == metric.owner_id;
    if alert.created_by == metric.owner_id && (is_about || about.is_some_and(is_owners)) {
        return false;
    }
    let condition = snapshot.engine().compiled(&alert.condition);
    is_about || condition.is_ok_and(|condition| condition.metrics().contains(&metric.key))
}
