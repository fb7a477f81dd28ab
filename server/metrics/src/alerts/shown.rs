//! What alerts show of a metric to those who do not own it.

use super::alert::Alert;
use crate::database::Tx;
use crate::metric::Metric;
use crate::queries::alerts as queries;
use crate::{MetricError, Shelf};

/// Whether alerts tell anybody but a metric's owner of it: those that others made, and those of other metrics that name
/// it and that others see.
///
/// # Errors
/// A database error.
pub(crate) fn shows(tx: &Tx<'_>, shelf: &Shelf, metric: &Metric) -> Result<bool, MetricError> {
    let alerts = queries::live(tx)?;
    Ok(alerts.iter().any(|alert| is_told(shelf, metric, alert)))
}

fn is_told(shelf: &Shelf, metric: &Metric, alert: &Alert) -> bool {
    let is_about = alert.metric_id == metric.id;
    let about = shelf.metrics().values().find(|about| about.id == alert.metric_id);
    let is_owners = |about: &Metric| about.is_private() && about.owner_id == metric.owner_id;
    if alert.created_by == metric.owner_id && (is_about || about.is_some_and(is_owners)) {
        return false;
    }
    let condition = shelf.engine().compiled(&alert.condition);
    is_about || condition.is_ok_and(|condition| condition.metrics().contains(&metric.key))
}
