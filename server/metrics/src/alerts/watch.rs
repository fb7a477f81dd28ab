//! The watch: alerts that are due are judged, and what turns is told.

use super::AlertError;
use super::alert::{Alert, AlertState, Turn, Window};
use super::channel::Channel;
use super::delivery;
use super::evaluation::{self, Judgement};
use super::notification::{Happening, News};
use super::queries;
use crate::clock::Timestamp;
use crate::database::{self, Db, Tx};
use crate::events;
use crate::ids::AlertHistoryId;
use crate::{MetricError, MetricRegistry};

/// How often alerts are looked at, in milliseconds.
pub const EVERY_MS: i64 = 60_000;

/// How often a period of a day or more that is over is judged anew, in milliseconds: rows may still come late.
const LATE_ROWS_MS: i64 = 15 * 60_000;

/// Limit: alerts judged at a time.
const BATCH_LEN: u32 = 100;

/// What was found of an alert.
type Found = (Alert, Result<Option<Judgement>, String>);

/// Judges all alerts that are due, and writes what has turned; gives how many were judged.
///
/// # Errors
/// When the database cannot be read or written.
pub async fn run(db: &Db, registry: &MetricRegistry) -> Result<usize, AlertError> {
    let kept = registry.clone();
    let found = db.read(move |tx| due(tx, &kept)).await?;
    let count = found.len();
    db.write(move |tx| {
        found.into_iter().try_for_each(|found| write(tx, found))?;
        Ok::<_, AlertError>(count)
    })
    .await
}

fn due(tx: &Tx<'_>, registry: &MetricRegistry) -> Result<Vec<Found>, AlertError> {
    let alerts = queries::due(tx, tx.now(), BATCH_LEN)?;
    if alerts.is_empty() {
        return Ok(Vec::new());
    }
    let snapshot = registry.snapshot(tx)?;
    let judged = alerts.into_iter().map(|alert| {
        let outcome = evaluation::judge(tx, &snapshot, &alert);
        let outcome = outcome.map_err(|error: MetricError| error.to_string());
        (alert, outcome)
    });
    Ok(judged.collect())
}

/// Writes what was found, unless the alert was changed meanwhile.
fn write(tx: &Tx<'_>, (judged, outcome): Found) -> Result<(), AlertError> {
    let current = queries::find(tx, &judged.id)?;
    let Some(before) =
        current.filter(|alert| alert.is_active && alert.updated_at == judged.updated_at)
    else {
        return Ok(());
    };
    let mut alert = before.clone();
    let judgement = match outcome {
        Ok(judgement) => {
            alert.last_error = None;
            alert.state = next_state(&before, judgement.as_ref(), tx.now());
            judgement
        }
        Err(message) => {
            alert.last_error = Some(message);
            alert.state = AlertState::Error;
            None
        }
    };
    alert.last_value = judgement.as_ref().and_then(|judgement| judgement.value.clone());
    alert.last_evaluated_at = Some(tx.now());
    alert.next_at = tx.now().plus_ms(wait_ms(&alert));
    if alert.state != before.state {
        if alert.state == AlertState::Firing {
            alert.last_fired_at = Some(tx.now());
        }
        turn(tx, &before, &alert, judgement.as_ref())?;
    }
    Ok(queries::put(tx, &alert)?)
}

/// Less than the time between two looks, so that none is missed.
fn wait_ms(alert: &Alert) -> i64 {
    let is_slow =
        alert.window == Window::LastComplete && alert.granularity != super::alert::Cut::Hour;
    let every_ms = if is_slow { LATE_ROWS_MS } else { EVERY_MS };
    every_ms.saturating_sub(EVERY_MS.saturating_div(2))
}

fn next_state(alert: &Alert, judgement: Option<&Judgement>, now: Timestamp) -> AlertState {
    let cooldown_ms = i64::from(alert.cooldown_minutes).saturating_mul(60_000);
    let is_cool = alert.last_fired_at.is_none_or(|fired| fired.plus_ms(cooldown_ms) <= now);
    match judgement.and_then(|judgement| judgement.holds) {
        None => AlertState::NoData,
        Some(true) if alert.state == AlertState::Firing || is_cool => AlertState::Firing,
        Some(_) => AlertState::Ok,
    }
}

/// Writes that the state has changed; a firing and its end are told.
fn turn(
    tx: &Tx<'_>,
    before: &Alert,
    alert: &Alert,
    judgement: Option<&Judgement>,
) -> Result<(), database::Error> {
    let period = judgement.map(|judgement| judgement.period);
    let turn = Turn {
        id: AlertHistoryId::new(),
        alert_id: alert.id.clone(),
        at: tx.now(),
        from_state: before.state,
        state: alert.state,
        value: alert.last_value.clone(),
        period: period.map(|period| (period.start.into(), period.end.into())),
        note: alert.last_error.clone(),
    };
    queries::insert_turn(tx, &turn)?;
    let happening = match (before.state, alert.state) {
        (_, AlertState::Firing) => Happening::Fired,
        (AlertState::Firing, AlertState::Ok) => Happening::Resolved,
        _ => return Ok(()),
    };
    let news = News::of(happening, tx.now(), alert, turn.period);
    events::record(tx, happening.as_str(), &news.data)?;
    for (index, channel) in alert.channels.iter().enumerate() {
        match channel {
            Channel::Log {} => news.log(),
            Channel::Webhook { .. } | Channel::Email { .. } => {
                delivery::order(tx, &format!("{}/{index}", turn.id), channel, &news)?;
            }
        }
    }
    Ok(())
}
