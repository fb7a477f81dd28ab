//! The watch: due alerts are evaluated, and their states follow. Firing and resolving send notifications, which a cool-down
//! holds back; it never changes a state.

use super::AlertError;
use super::alert::{Alert, AlertGranularity, AlertState, StateChange, Window};
use super::channel::Channel;
use super::delivery;
use super::evaluation::{self, Evaluation};
use super::notification::{Notification, NotificationKind};
use super::queries;
use crate::clock::Timestamp;
use crate::database::{self, Db, Tx, Word as _};
use crate::events;
use crate::ids::AlertHistoryId;
use crate::{MetricError, MetricRegistry};

/// The interval of the watch, in milliseconds.
pub const EVERY_MS: i64 = 60_000;

/// How often a complete period of a day or more is evaluated again, in milliseconds: rows may still arrive late.
const LATE_ROWS_MS: i64 = 15 * 60_000;

/// Limit: alerts evaluated in one run.
const BATCH_LEN: u32 = 100;

type EvaluatedAlert = (Alert, Result<Option<Evaluation>, String>);

/// Evaluates all due alerts, writes state changes and returns how many alerts were evaluated.
pub async fn run(db: &Db, registry: &MetricRegistry) -> Result<usize, AlertError> {
    let registry = registry.clone();
    let evaluated = db.read(move |tx| due(tx, &registry)).await?;
    let count = evaluated.len();
    db.write(move |tx| {
        evaluated.into_iter().try_for_each(|evaluated| write(tx, evaluated))?;
        Ok::<_, AlertError>(count)
    })
    .await
}

fn due(tx: &Tx<'_>, registry: &MetricRegistry) -> Result<Vec<EvaluatedAlert>, AlertError> {
    let alerts = queries::due(tx, tx.now(), BATCH_LEN)?;
    if alerts.is_empty() {
        return Ok(Vec::new());
    }
    let snapshot = registry.snapshot(tx)?;
    let evaluated = alerts.into_iter().map(|alert| {
        let outcome = evaluation::evaluate(tx, &snapshot, &alert);
        let outcome = outcome.map_err(|error: MetricError| error.to_string());
        (alert, outcome)
    });
    Ok(evaluated.collect())
}

/// Writes the outcome, unless the alert was changed in the meantime.
fn write(tx: &Tx<'_>, (evaluated, outcome): EvaluatedAlert) -> Result<(), AlertError> {
    let current = queries::find(tx, &evaluated.id)?;
    let Some(before) =
        current.filter(|alert| alert.is_active && alert.updated_at == evaluated.updated_at)
    else {
        return Ok(());
    };
    let was_told = is_told(tx, &before)?;
    let mut alert = before.clone();
    let evaluation = match outcome {
        Ok(evaluation) => {
            alert.last_error = None;
            alert.state = match evaluation.as_ref().and_then(|evaluation| evaluation.holds) {
                None => AlertState::NoData,
                Some(true) => AlertState::Firing,
                Some(false) => AlertState::Ok,
            };
            evaluation
        }
        Err(message) => {
            alert.last_error = Some(message);
            alert.state = AlertState::Error;
            None
        }
    };
    alert.last_value = evaluation.as_ref().and_then(|evaluation| evaluation.value.clone());
    alert.last_evaluated_at = Some(tx.now());
    alert.next_at = tx.now().plus_ms(wait_ms(&alert));
    let cool_at = cool_at(&before).filter(|cool_at| *cool_at > tx.now());
    let kind = match alert.state {
        AlertState::Firing if !was_told && cool_at.is_none() => {
            alert.last_fired_at = Some(tx.now());
            Some(NotificationKind::Fired)
        }
        AlertState::Firing if !was_told => {
            alert.next_at = cool_at.unwrap_or(alert.next_at).min(alert.next_at);
            None
        }
        AlertState::Ok if was_told => Some(NotificationKind::Resolved),
        AlertState::Firing | AlertState::Ok | AlertState::NoData | AlertState::Error => None,
    };
    let change = state_change(tx, (&before, &alert), evaluation.as_ref());
    if alert.state != before.state {
        queries::insert_change(tx, &change)?;
    }
    if let Some(kind) = kind {
        notify(tx, kind, &alert, &change)?;
    }
    Ok(queries::put(tx, &alert)?)
}

/// Returns whether an alert is firing and its channels were notified of it.
fn is_told(tx: &Tx<'_>, alert: &Alert) -> Result<bool, AlertError> {
    if alert.state != AlertState::Firing {
        return Ok(false);
    }
    Ok(alert.last_fired_at >= queries::firing_since(tx, &alert.id)?)
}

/// Shorter than the interval of the watch, so that no run is missed.
fn wait_ms(alert: &Alert) -> i64 {
    let is_slow =
        alert.window == Window::LastComplete && alert.granularity != AlertGranularity::Hour;
    let every_ms = if is_slow { LATE_ROWS_MS } else { EVERY_MS };
    every_ms.saturating_sub(EVERY_MS.saturating_div(2))
}

/// Returns when channels may be notified again that the alert is firing; none if they never were.
fn cool_at(alert: &Alert) -> Option<Timestamp> {
    let cooldown_ms = i64::from(alert.cooldown_minutes).saturating_mul(60_000);
    alert.last_fired_at.map(|fired| fired.plus_ms(cooldown_ms))
}

fn state_change(
    tx: &Tx<'_>,
    (before, alert): (&Alert, &Alert),
    evaluation: Option<&Evaluation>,
) -> StateChange {
    let period = evaluation.map(|evaluation| evaluation.period);
    StateChange {
        id: AlertHistoryId::new(),
        alert_id: alert.id.clone(),
        at: tx.now(),
        from_state: before.state,
        state: alert.state,
        value: alert.last_value.clone(),
        period: period.map(|period| (period.start.into(), period.end.into())),
        note: alert.last_error.clone(),
    }
}

/// Records the event and notifies the channels.
fn notify(
    tx: &Tx<'_>,
    kind: NotificationKind,
    alert: &Alert,
    change: &StateChange,
) -> Result<(), database::Error> {
    let notification = Notification::of(kind, tx.now(), alert, change.period);
    events::record(tx, kind.as_str(), &notification.data)?;
    for (index, channel) in alert.channels.iter().enumerate() {
        match channel {
            Channel::Log {} => notification.log(),
            Channel::Webhook { .. } | Channel::Email { .. } => {
                delivery::order(tx, &format!("{}/{index}", change.id), channel, &notification)?;
            }
        }
    }
    Ok(())
}
