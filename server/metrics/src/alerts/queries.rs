//! Queries for alerts and their history.

use rusqlite::{Row, named_params};

use super::alert::{Alert, StateChange};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{self, Stored, Tx};
use crate::ids::AlertId;

/// The list of alerts.
pub(crate) static ALERTS: Listing = Listing {
    plural: "alerts",
    table: "metric_alert a",
    id: "a.id",
    columns: &[
        Column::new("created_at", "a.created_at", Kind::Time),
        Column::new("name", "a.name", Kind::Text),
        Column::filter("id", "a.id", Kind::Id),
        Column::filter("metric_id", "a.metric_id", Kind::Id),
        Column::filter("state", "a.state", Kind::Word(&["ok", "firing", "no_data", "error"])),
        Column::filter("severity", "a.severity", Kind::Word(&["info", "warning", "critical"])),
        Column::filter("is_active", "a.is_active", Kind::Boolean),
    ],
    search: &["a.name", "a.description"],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

/// The list of an alert's history.
pub(crate) static HISTORY: Listing = Listing {
    plural: "history",
    table: "metric_alert_history h",
    id: "h.id",
    columns: &[Column::new("at", "h.at", Kind::Time)],
    search: &[],
    default_limit: 20,
    default_order: "-at",
    extra: &[],
};

const COLUMNS: &str = "a.id, a.name, a.description, a.metric_id, a.condition, a.granularity, a.window, a.severity,
                      a.channels, a.cooldown_minutes, a.min_sample, a.is_active, a.state, a.last_value, a.last_error,
                      a.last_evaluated_at, a.last_fired_at, a.next_at, a.created_by, a.created_at, a.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Alert> {
    let Stored(channels) = row.get("channels")?;
    Ok(Alert {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        metric_id: row.get("metric_id")?,
        condition: row.get("condition")?,
        granularity: row.get("granularity")?,
        window: row.get("window")?,
        severity: row.get("severity")?,
        channels,
        cooldown_minutes: row.get("cooldown_minutes")?,
        min_sample: row.get("min_sample")?,
        is_active: row.get("is_active")?,
        state: row.get("state")?,
        last_value: row.get("last_value")?,
        last_error: row.get("last_error")?,
        last_evaluated_at: row.get("last_evaluated_at")?,
        last_fired_at: row.get("last_fired_at")?,
        next_at: row.get("next_at")?,
        created_by: row.get("created_by")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// Returns when an alert last began to fire.
pub(super) fn firing_since(
    tx: &Tx<'_>,
    id: &AlertId,
) -> Result<Option<Timestamp>, database::Error> {
    let sql = "select h.at from metric_alert_history h indexed by metric_alert_history_by_alert
        where h.alert_id = :alert and h.state = 'firing' order by h.at desc limit 1";
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
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// Returns the alert with an id, unless it was removed.
pub(crate) fn find(tx: &Tx<'_>, id: &AlertId) -> Result<Option<Alert>, database::Error> {
    tx.sql(&format!(
        "select {COLUMNS} from metric_alert a where a.id = :id and a.deleted_at is null"
    ))
    .first(named_params! { ":id": id }, read)
}

/// Returns the alerts that are due, the longest due first.
pub(crate) fn due(tx: &Tx<'_>, now: Timestamp, limit: u32) -> Result<Vec<Alert>, database::Error> {
    tx.sql(&format!(
        "select {COLUMNS} from metric_alert a
          where a.next_at <= :now and a.is_active = 1 and a.deleted_at is null order by a.next_at limit :limit"
    ))
    .all(named_params! { ":now": now, ":limit": limit }, read)
}

pub(crate) fn put(tx: &Tx<'_>, alert: &Alert) -> Result<(), database::Error> {
    tx.sql(
        "insert into metric_alert (id, name, description, metric_id, condition, granularity, window, severity,
            channels, cooldown_minutes, min_sample, is_active, state, last_value, last_error, last_evaluated_at,
            last_fired_at, next_at, created_by, created_at, updated_at)
         values (:id, :name, :description, :metric_id, :condition, :granularity, :window, :severity,
            :channels, :cooldown_minutes, :min_sample, :is_active, :state, :last_value, :last_error,
            :last_evaluated_at, :last_fired_at, :next_at, :created_by, :created_at, :updated_at)
         on conflict (id) do update
            set name = excluded.name, description = excluded.description, metric_id = excluded.metric_id,
                condition = excluded.condition, granularity = excluded.granularity, window = excluded.window,
                severity = excluded.severity, channels = excluded.channels,
                cooldown_minutes = excluded.cooldown_minutes, min_sample = excluded.min_sample,
                is_active = excluded.is_active, state = excluded.state, last_value = excluded.last_value,
                last_error = excluded.last_error, last_evaluated_at = excluded.last_evaluated_at,
                last_fired_at = excluded.last_fired_at, next_at = excluded.next_at,
                updated_at = excluded.updated_at",
    )
    .run(named_params! {
        ":id": alert.id,
        ":name": alert.name,
        ":description": alert.description,
        ":metric_id": alert.metric_id,
        ":condition": alert.condition,
        ":granularity": alert.granularity,
        ":window": alert.window,
        ":severity": alert.severity,
        ":channels": Stored(&alert.channels),
        ":cooldown_minutes": alert.cooldown_minutes,
        ":min_sample": alert.min_sample,
        ":is_active": alert.is_active,
        ":state": alert.state,
        ":last_value": alert.last_value,
        ":last_error": alert.last_error,
        ":last_evaluated_at": alert.last_evaluated_at,
        ":last_fired_at": alert.last_fired_at,
        ":next_at": alert.next_at,
        ":created_by": alert.created_by,
        ":created_at": alert.created_at,
        ":updated_at": alert.updated_at,
    })
}

/// Removes an alert; its history remains.
pub(crate) fn remove(tx: &Tx<'_>, id: &AlertId) -> Result<(), database::Error> {
    tx.sql("update metric_alert set deleted_at = :now, is_active = 0 where id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

pub(crate) fn insert_change(tx: &Tx<'_>, change: &StateChange) -> Result<(), database::Error> {
    tx.sql(
        "insert into metric_alert_history (id, alert_id, at, from_state, state, value, period_start, period_end, note)
         values (:id, :alert_id, :at, :from_state, :state, :value, :period_start, :period_end, :note)",
    )
    .run(named_params! {
        ":id": change.id,
        ":alert_id": change.alert_id,
        ":at": change.at,
        ":from_state": change.from_state,
        ":state": change.state,
        ":value": change.value,
        ":period_start": change.period.map(|(start, _)| start),
        ":period_end": change.period.map(|(_, end)| end),
        ":note": change.note,
    })
}

/// Returns a page of an alert's history, and the total count.
pub(crate) fn history(
    tx: &Tx<'_>,
    query: ListQuery,
    id: &AlertId,
) -> Result<(Vec<StateChange>, u64), database::Error> {
    let query = query.narrow("h.alert_id = ?", [id.to_string().into()]);
    let columns = "h.id, h.alert_id, h.at, h.from_state, h.state, h.value, h.period_start, h.period_end, h.note";
    let read = |row: &Row<'_>| {
        let start: Option<Timestamp> = row.get("period_start")?;
        Ok(StateChange {
            id: row.get("id")?,
            alert_id: row.get("alert_id")?,
            at: row.get("at")?,
            from_state: row.get("from_state")?,
            state: row.get("state")?,
            value: row.get("value")?,
            period: start.zip(row.get("period_end")?),
            note: row.get("note")?,
        })
    };
    Ok((query.page(tx, columns, read)?, query.count(tx)?))
}
