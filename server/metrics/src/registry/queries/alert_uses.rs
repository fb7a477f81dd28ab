//! Queries for the metrics that alerts name.

use crate::database::{self, FromRow, Tx};
use crate::ids::MetricId;

/// The metrics that an alert names, and its creator.
#[derive(Debug, FromRow)]
pub(crate) struct AlertUse {
    pub metric_id: MetricId,
    pub condition: String,
    pub created_by: Option<String>,
}

/// Returns the uses of all alerts that were not removed.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<AlertUse>, database::Error> {
    tx.sql("select metric_id, condition, created_by from metric_alert where deleted_at is null order by created_at, id")
        .all([], AlertUse::from_row)
}
