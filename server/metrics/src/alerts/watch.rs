//! The watch: due alerts are evaluated, and their states follow. Firing and resolving send notifications, which a cool-down
//! holds back; it never changes a state.

use std::time::{Duration, Instant};

use super::AlertError;
use super::alert::{Alert, AlertState, StateChange};
use super::channel::Channel;
use super::delivery;
use super::evaluation::{self, Evaluation};
use super::notification::{Notification, NotificationKind};
use super::queries;
use crate::clock::{MINUTE_MS, Timestamp};
use crate::compute::records::ComputeContext;
use crate::database::{self, Db, Table as _, Tx, Word as _};
use crate::events;
use crate::ids::AlertHistoryId;
use crate::{Evaluator, MetricError};

/// The interval of the watch, in milliseconds.
pub const EVERY_MS: i64 = MINUTE_MS;

/// How long an alert waits after its condition took too long, in milliseconds.
const SLOW_MS: i64 = 15 * MINUTE_MS;

/// Limit: time to evaluate one condition.
const CONDITION_TIMEOUT: Duration = Duration::from_secs(5);

/// Limit: time of a run, as other jobs wait for it. Alerts that it leaves are due in the next one.
const RUN_TIMEOUT: Duration = Duration::from_secs(20);

/// Limit: alerts whose outcomes are written together.
const BATCH_LEN: u32 = 100;

type EvaluatedAlert = (Alert, Result<Option<Evaluation>, MetricError>);

/// Evaluates all due alerts, writes state changes and returns how many alerts were evaluated.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn run(db: &Db, evaluator: &Evaluator) -> Result<usize, AlertError> {
    let (begun, mut count) = (Instant::now(), 0_usize);
    loop {
        let alerts = db.read(|tx| queries::due(tx, tx.now(), BATCH_LEN)).await?;
        let due = alerts.len();
        let mut evaluated = Vec::with_capacity(due);
        for alert in alerts {
            let is_late = begun.elapsed() > RUN_TIMEOUT;
            match if is_late { None } else { outcome(db, evaluator, &alert).await } {
                Some(outcome) => evaluated.push((alert, outcome)),
                None => break,
            }
        }
        let done = evaluated.len();
        count = count.saturating_add(done);
        let write_all = move |tx: &Tx<'_>| evaluated.into_iter().try_for_each(|own| write(tx, own));
        db.write::<_, AlertError>(write_all).await?;
        if done < due || !u32::try_from(due).is_ok_and(|due| due == BATCH_LEN) {
            return Ok(count);
        }
    }
}

/// Evaluates an alert's condition like any query: apart from the store's reads, and with a time limit. None if too
/// many queries are waiting.
async fn outcome(
    db: &Db,
    evaluator: &Evaluator,
    alert: &Alert,
) -> Option<Result<Option<Evaluation>, MetricError>> {
    let (evaluator, alert) = (evaluator.clone(), alert.clone());
    let work = move |tx: &Tx<'_>| {
        let snapshot = evaluator.registry.snapshot(tx)?;
        let context = ComputeContext { tx, snapshot: &snapshot, caches: evaluator.caches() };
        evaluation::evaluate(context, &alert)
    };
    match db.read_within(CONDITION_TIMEOUT, work).await {
        Err(MetricError::Db(database::Error::Overloaded)) => None,
        outcome => Some(outcome),
    }
}

/// Writes the outcome, unless the alert was changed in the meantime.
pub(super) fn write(tx: &Tx<'_>, (evaluated, outcome): EvaluatedAlert) -> Result<(), AlertError> {
    let current = queries::find(tx, &evaluated.id)?;
    let Some(before) =
        current.filter(|alert| alert.is_active && alert.updated_at == evaluated.updated_at)
    else {
        return Ok(());
    };
    let was_notified = is_notified(tx, &before)?;
    let (mut alert, mut is_slow) = (before.clone(), false);
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
        Err(error) => {
            is_slow = matches!(error, MetricError::Db(database::Error::Late));
            alert.last_error = Some(error.to_string());
            alert.state = AlertState::Error;
            None
        }
    };
    alert.last_value = evaluation.as_ref().and_then(|evaluation| evaluation.value.clone());
    alert.distance_permille = evaluation.as_ref().and_then(|own| own.distance_permille);
    alert.last_evaluated_at = Some(tx.now());
    alert.next_at = tx.now().plus_ms(wait_ms(is_slow));
    let cool_at = cool_at(&before).filter(|cool_at| *cool_at > tx.now());
    let kind = match alert.state {
        AlertState::Firing if !was_notified && cool_at.is_none() => {
            alert.last_fired_at = Some(tx.now());
            Some(NotificationKind::Fired)
        }
        AlertState::Firing if !was_notified => {
            alert.next_at = cool_at.unwrap_or(alert.next_at).min(alert.next_at);
            None
        }
        AlertState::Ok if was_notified => Some(NotificationKind::Resolved),
        AlertState::Firing | AlertState::Ok | AlertState::NoData | AlertState::Error => None,
    };
    let change = state_change(tx, &before, &alert, evaluation.as_ref());
    if alert.state != before.state {
        change.insert(tx)?;
    }
    if let Some(kind) = kind {
        notify(tx, kind, &alert, &change)?;
    }
    Ok(queries::put(tx, &alert)?)
}

/// Returns whether channels were notified that an alert is firing, and not yet that it is resolved. Errors and missing
/// data in between do not resolve it.
fn is_notified(tx: &Tx<'_>, alert: &Alert) -> Result<bool, AlertError> {
    let Some(fired_at) = alert.last_fired_at else { return Ok(false) };
    Ok(queries::ok_since(tx, &alert.id)?.is_none_or(|ok_at| ok_at < fired_at))
}

/// Returns how long an alert is not due: less than the interval, so that no run is missed.
const fn wait_ms(is_slow: bool) -> i64 {
    let every_ms = if is_slow { SLOW_MS } else { EVERY_MS };
    every_ms.saturating_sub(EVERY_MS.saturating_div(2))
}

/// Returns when channels may again be notified that the alert is firing; none if they never were.
fn cool_at(alert: &Alert) -> Option<Timestamp> {
    let cooldown_ms = i64::from(alert.cooldown_minutes).saturating_mul(MINUTE_MS);
    alert.last_fired_at.map(|fired| fired.plus_ms(cooldown_ms))
}

fn state_change(
    tx: &Tx<'_>,
    before: &Alert,
    alert: &Alert,
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
        period_start: period.map(|period| period.start.into()),
        period_end: period.map(|period| period.end.into()),
        note: alert.last_error.clone(),
    }
}

fn notify(
    tx: &Tx<'_>,
    kind: NotificationKind,
    alert: &Alert,
    change: &StateChange,
) -> Result<(), database::Error> {
    let period = change.period_start.zip(change.period_end);
    let notification = Notification::of(kind, tx.now(), alert, period);
    events::record(tx, kind.as_str(), &notification.data)?;
    for channel in &alert.channels {
        match channel {
            Channel::Log {} => notification.log(),
            Channel::Webhook { .. } | Channel::Email { .. } => {
                delivery::order(tx, channel, &notification)?;
            }
        }
    }
    Ok(())
}
