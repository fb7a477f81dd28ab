//! Queries for the metrics that alerts name.

use rusqlite::named_params;

use crate::database::{self, FromRow, Tx};
use crate::ids::{AlertId, MetricId};

/// The metrics that an alert names, and its creator.
#[derive(Debug, FromRow)]
pub(crate) struct AlertUse {
    pub id: AlertId,
    pub name: String,
    pub metric_id: MetricId,
    pub condition: String,
    pub is_active: bool,
    pub created_by: Option<String>,
}

/// Returns the uses of all alerts that were not removed.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<AlertUse>, database::Error> {
    let sql = "select id, name, metric_id, condition, is_active, created_by from metric_alert
                where deleted_at is null order by created_at, id";
    tx.sql(sql).all([], AlertUse::from_row)
}

/// Returns the uses of the alerts that a reader may see, in order of names.
pub(crate) fn visible(tx: &Tx<'_>, reader: &str) -> Result<Vec<AlertUse>, database::Error> {
    tx.sql(
        "select a.id, a.name, a.metric_id, a.condition, a.is_active, a.created_by from metric_alert a
          where a.deleted_at is null
            and not exists (select 1 from metric m where m.id = a.metric_id and m.visibility = 'private'
                               and m.owner_id is not :reader)
          order by a.name, a.id",
    )
    .all(named_params! { ":reader": reader }, AlertUse::from_row)
}
