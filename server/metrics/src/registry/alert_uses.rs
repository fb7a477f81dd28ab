//! What alerts show of a metric to those who do not own it: who makes a metric private is refused while they do.

use super::metric::Metric;
use super::queries::alert_uses::{self as queries, AlertUse};
use crate::database::Tx;
use crate::{MetricError, RegistrySnapshot};

/// Whether alerts show a metric to anybody but its owner: those that others made, and those of other metrics that name
/// it and that others see.
pub(crate) fn shows(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    metric: &Metric,
) -> Result<bool, MetricError> {
    let alerts = queries::all(tx)?;
    Ok(alerts.iter().any(|alert| is_told(snapshot, metric, alert)))
}

fn is_told(snapshot: &RegistrySnapshot, metric: &Metric, alert: &AlertUse) -> bool {
    let is_about = alert.metric_id == metric.id;
    let about = snapshot.metrics().values().find(|about| about.id == alert.metric_id);
    let is_owners = |about: &Metric| about.is_private() && about.owner_id == metric.owner_id;
    if alert.created_by == metric.owner_id && (is_about || about.is_some_and(is_owners)) {
        return false;
    }
    let condition = snapshot.engine().compiled(&alert.condition);
    is_about || condition.is_ok_and(|condition| condition.metrics().contains(&metric.key))
}
