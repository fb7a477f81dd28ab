//! Queries for alerts and their history.

use rusqlite::named_params;
use serde_json::value::RawValue;

use super::alert::{Alert, AlertDelivery, AlertDeliveryStatus, StateChange};
use super::channel::Channel;
use super::notification::AlertStatus;
use crate::clock::{DAY_MS, Timestamp};
use crate::database::listing::ListQuery;
use crate::database::{self, FromRow as _, Listable as _, Stored, Tx};
use crate::ids::{AlertDeliveryId, AlertId};

/// Limit: how long deliveries are stored, in milliseconds.
const RETENTION_MS: i64 = 90 * DAY_MS;

/// Returns when an alert last became ok; none if it never did.
pub(super) fn ok_since(tx: &Tx<'_>, id: &AlertId) -> Result<Option<Timestamp>, database::Error> {
    let sql = "select h.at from metric_alert_history h indexed by metric_alert_history_by_alert
        where h.alert_id = :alert and h.state = 'ok' order by h.at desc limit 1";
    tx.sql(sql).first(named_params! { ":alert": id }, |row| row.get(0))
}

/// Returns a page of the alerts that a reader may see, and the total count.
pub(crate) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
    reader: &str,
) -> Result<(Vec<Alert>, u64), database::Error> {
    let query = query.narrow("a.deleted_at is null", []).narrow(
        "not exists (select 1 from metric m where m.id = a.metric_id and m.visibility = 'private' and m.owner_id is not ?)",
        [reader.to_owned().into()],
    );
    Ok((query.page(tx, "a.*", Alert::from_row)?, query.count(tx)?))
}

/// Returns the alert with an id, unless it was removed.
pub(crate) fn find(tx: &Tx<'_>, id: &AlertId) -> Result<Option<Alert>, database::Error> {
    tx.sql("select * from metric_alert where id = :id and deleted_at is null")
        .first(named_params! { ":id": id }, Alert::from_row)
}

/// Returns the alerts that are due, the longest due first.
pub(crate) fn due(tx: &Tx<'_>, now: Timestamp, limit: u32) -> Result<Vec<Alert>, database::Error> {
    tx.sql(
        "select * from metric_alert
          where next_at <= :now and is_active = 1 and deleted_at is null order by next_at limit :limit",
    )
    .all(named_params! { ":now": now, ":limit": limit }, Alert::from_row)
}

pub(crate) fn put(tx: &Tx<'_>, alert: &Alert) -> Result<(), database::Error> {
    tx.put("metric_alert", &["id"], &["created_by"], named_params! {
        ":id": alert.id, ":name": alert.name, ":description": alert.description,
        ":metric_id": alert.metric_id, ":condition": alert.condition,
        ":granularity": alert.granularity, ":window": alert.window, ":severity": alert.severity,
        ":channels": Stored(&alert.channels), ":cooldown_minutes": alert.cooldown_minutes,
        ":min_sample": alert.min_sample, ":is_active": alert.is_active, ":state": alert.state,
        ":last_value": alert.last_value.as_deref().map(RawValue::get), ":last_error": alert.last_error,
        ":distance_permille": alert.distance_permille,
        ":last_evaluated_at": alert.last_evaluated_at, ":last_fired_at": alert.last_fired_at,
        ":next_at": alert.next_at, ":created_by": alert.created_by, ":created_at": alert.created_at,
        ":updated_at": alert.updated_at,
    })
}

/// Removes an alert; its history remains.
pub(crate) fn remove(tx: &Tx<'_>, id: &AlertId) -> Result<(), database::Error> {
    tx.sql("update metric_alert set deleted_at = :now, is_active = 0 where id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

/// Returns a page of an alert's history, and the total count.
pub(crate) fn history(
    tx: &Tx<'_>,
    query: ListQuery,
    id: &AlertId,
) -> Result<(Vec<StateChange>, u64), database::Error> {
    StateChange::page(tx, query.narrow("h.alert_id = ?", [id.to_string().into()]))
}

/// Inserts a pending delivery, and deletes the alert's deliveries whose retention has ended.
pub(super) fn insert_delivery(
    tx: &Tx<'_>,
    id: &AlertDeliveryId,
    status: &AlertStatus,
    channel: &Channel,
) -> Result<(), database::Error> {
    tx.sql("delete from metric_alert_delivery where alert_id = :alert and created_at < :before")
        .run(named_params! { ":alert": status.id, ":before": tx.now().minus_ms(RETENTION_MS) })?;
    tx.insert(
        "metric_alert_delivery",
        named_params! {
            ":id": id, ":alert_id": status.id, ":state": status.state, ":channel": Stored(channel),
            ":status": AlertDeliveryStatus::Pending, ":attempt_count": 0, ":created_at": tx.now(),
        },
    )
}

pub(super) fn answer_delivery(
    tx: &Tx<'_>,
    id: &str,
    status: AlertDeliveryStatus,
    answer: &str,
) -> Result<(), database::Error> {
    tx.sql(
        "update metric_alert_delivery
            set status = :status, answer = :answer, attempt_count = attempt_count + 1, attempted_at = :now
          where id = :id",
    )
    .run(named_params! { ":id": id, ":status": status, ":answer": answer, ":now": tx.now() })
}

/// Returns a page of the deliveries of the alerts that a reader may see, and the total count.
pub(crate) fn deliveries(
    tx: &Tx<'_>,
    query: ListQuery,
    reader: &str,
) -> Result<(Vec<AlertDelivery>, u64), database::Error> {
    let query = query.narrow(
        "not exists (select 1 from metric_alert a join metric m on m.id = a.metric_id
                      where a.id = d.alert_id and m.visibility = 'private' and m.owner_id is not ?)",
        [reader.to_owned().into()],
    );
    AlertDelivery::page(tx, query)
}
