//! Edits of alerts, each with its entry of the audit log.

use std::sync::Arc;

use quotient::Formula;
use quotient::types::{CurrencyOf, Type};
use quotient_foundation::assign;
use rust_decimal::Decimal;

use super::AlertError;
use super::alert::{Alert, AlertGranularity, AlertState, Severity, Window};
use super::channel::{Channel, ChannelPolicy};
use super::evaluation::{self, Backtest};
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::compute::records::ComputeContext;
use crate::compute::usable::usable;
use crate::database::Tx;
use crate::http::Patch;
use crate::ids::AlertId;
use crate::registry::lineage::is_visible;
use crate::registry::metric::Metric;
use crate::{Evaluator, MetricError, MetricRegistry, RegistrySnapshot};

/// The user who edits alerts, with the channels that are allowed.
#[derive(Debug, Clone)]
pub(crate) struct AlertEditor {
    /// The actor's id: `user_…` or `apk_…`.
    pub id: String,
    pub policy: ChannelPolicy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComparedValue {
    Value(&'static str),
    /// Its growth since the previous period.
    Change(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Formula(String),
    Threshold(ComparedValue, Decimal),
}

impl Condition {
    /// Returns the condition as a formula, for a metric whose values have the type `ty`.
    fn formula(self, metric: &Metric, ty: Option<&Type>) -> String {
        match self {
            Self::Formula(formula) => formula,
            Self::Threshold(ComparedValue::Value(sign), threshold) => {
                format!("{} {sign} {}", metric.key, constant(threshold, ty))
            }
            Self::Threshold(ComparedValue::Change(sign), threshold) => {
                format!("growth({}) {sign} {threshold}", metric.key)
            }
        }
    }
}

/// Writes a number as a formula constant that compares with values of a type: amounts carry their currency, durations
/// are in seconds.
fn constant(number: Decimal, ty: Option<&Type>) -> String {
    let Some(Type::Quantity(unit)) = ty else { return number.to_string() };
    match (unit.money, unit.time, unit.currency) {
        (1, 0, CurrencyOf::Fixed(currency)) => format!("{number} {}", currency.code()),
        (0, 1, _) => format!("{number} seconds"),
        _ => number.to_string(),
    }
}

/// The fields of an alert to set; absent ones keep their value, or take the default of a new alert.
#[derive(Debug, Clone, Default)]
pub(crate) struct AlertChange {
    pub name: Option<String>,
    pub description: Patch<String>,
    pub metric_id: Option<String>,
    pub condition: Option<Condition>,
    pub granularity: Option<AlertGranularity>,
    pub window: Option<Window>,
    pub severity: Option<Severity>,
    pub channels: Option<Vec<Channel>>,
    pub cooldown_minutes: Option<u32>,
    pub min_sample: Option<u32>,
    pub is_active: Option<bool>,
}

/// Returns how often a new alert would have fired, before it is created: evaluating its condition may take long, and no
/// write waits for it.
pub(crate) fn try_new(
    tx: &Tx<'_>,
    evaluator: &Evaluator,
    change: AlertChange,
    editor: &AlertEditor,
) -> Result<Backtest, AlertError> {
    let snapshot = evaluator.registry.visible_to(tx, &editor.id)?;
    let alert = drafted(tx, &snapshot, change, editor)?;
    let context = ComputeContext { tx, snapshot: &snapshot, caches: evaluator.caches() };
    Ok(evaluation::backtest(context, &alert)?)
}

pub(crate) fn create(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    change: AlertChange,
    editor: &AlertEditor,
) -> Result<Alert, AlertError> {
    let alert = drafted(tx, &registry.visible_to(tx, &editor.id)?, change, editor)?;
    queries::put(tx, &alert)?;
    let entity = (EntityType::Alert, alert.id.as_str());
    audit_log::record_change(tx, entity, "create", (None, Some(&alert)), &editor.id)?;
    Ok(alert)
}

fn drafted(
    tx: &Tx<'_>,
    snapshot: &Arc<RegistrySnapshot>,
    change: AlertChange,
    editor: &AlertEditor,
) -> Result<Alert, AlertError> {
    let metric_id = change.metric_id.clone().unwrap_or_default();
    let about = usable(snapshot, &metric_id, &editor.id, false)?;
    let blank = Alert {
        id: AlertId::new(),
        name: about.name.clone(),
        description: None,
        metric_id: about.id.clone(),
        condition: String::new(),
        granularity: AlertGranularity::Day,
        window: Window::LastComplete,
        severity: Severity::Warning,
        channels: vec![Channel::Log {}],
        cooldown_minutes: 60,
        min_sample: 0,
        is_active: true,
        state: AlertState::Ok,
        last_value: None,
        last_error: None,
        distance_permille: None,
        last_evaluated_at: None,
        last_fired_at: None,
        next_at: tx.now(),
        created_by: Some(editor.id.clone()),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    changed(snapshot, blank, change, editor)
}

/// Returns how often a changed alert would have fired, before the change is written. None if the change pauses it and its
/// metric is not computed, so that such an alert can be paused too.
pub(crate) fn try_change(
    tx: &Tx<'_>,
    evaluator: &Evaluator,
    id: &AlertId,
    change: AlertChange,
    editor: &AlertEditor,
) -> Result<Option<Backtest>, AlertError> {
    let before = find(tx, &evaluator.registry, id, &editor.id)?;
    let snapshot = evaluator.registry.visible_to(tx, &editor.id)?;
    let alert = changed(&snapshot, before, change, editor)?;
    let context = ComputeContext { tx, snapshot: &snapshot, caches: evaluator.caches() };
    match evaluation::backtest(context, &alert) {
        Err(MetricError::NotComputed { .. }) if !alert.is_active => Ok(None),
        backtest => Ok(Some(backtest?)),
    }
}

/// Changes an alert; it is evaluated again within a minute.
pub(crate) fn update(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (id, change): (&AlertId, AlertChange),
    editor: &AlertEditor,
) -> Result<Alert, AlertError> {
    let before = find(tx, registry, id, &editor.id)?;
    let snapshot = registry.visible_to(tx, &editor.id)?;
    let next = Alert { next_at: tx.now(), updated_at: tx.now(), ..before.clone() };
    let alert = changed(&snapshot, next, change, editor)?;
    queries::put(tx, &alert)?;
    let (entity, change) = ((EntityType::Alert, id.as_str()), (Some(&before), Some(&alert)));
    audit_log::record_change(tx, entity, "update", change, &editor.id)?;
    Ok(alert)
}

/// Removes an alert; its history remains.
pub(crate) fn remove(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    id: &AlertId,
    editor: &AlertEditor,
) -> Result<(), AlertError> {
    let alert = find(tx, registry, id, &editor.id)?;
    queries::remove(tx, id)?;
    let entity = (EntityType::Alert, id.as_str());
    Ok(audit_log::record_change(tx, entity, "delete", (Some(&alert), None), &editor.id)?)
}

/// Returns the alert with an id, unless it is about another user's private metric.
pub(crate) fn find(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    id: &AlertId,
    reader: &str,
) -> Result<Alert, AlertError> {
    let alert = queries::find(tx, id)?;
    let snapshot = registry.snapshot(tx)?;
    let alert = alert.filter(|alert| {
        let about = snapshot.metrics().values().find(|metric| metric.id == alert.metric_id);
        about.is_none_or(|about| is_visible(about, reader))
    });
    alert.ok_or_else(|| AlertError::NotFound(id.to_string()))
}

/// Applies a change to an alert and checks the result.
fn changed(
    snapshot: &Arc<RegistrySnapshot>,
    mut alert: Alert,
    change: AlertChange,
    editor: &AlertEditor,
) -> Result<Alert, AlertError> {
    let about = match &change.metric_id {
        Some(id) => usable(snapshot, id, &editor.id, false)?,
        None => snapshot.visible(alert.metric_id.as_str(), &editor.id)?,
    };
    let is_about_another = !alert.condition.is_empty() && alert.metric_id != about.id;
    if is_about_another && change.condition.is_none() {
        let sentence = "An alert about another metric needs a condition about it";
        return Err(MetricError::Parameter(sentence.to_owned()).into());
    }
    alert.metric_id = about.id.clone();
    if let Some(condition) = change.condition {
        let value = snapshot.engine().compile(&about.key).ok();
        alert.condition = condition.formula(about, value.as_ref().map(Formula::ty));
    }
    assign!(change => alert: name, description, granularity, window, severity);
    assign!(change => alert: cooldown_minutes, min_sample, is_active);
    if let Some(channels) = change.channels {
        alert.channels = with_known_secrets(channels, &alert.channels);
        alert.channels.iter().try_for_each(|channel| channel.check(editor.policy))?;
    }
    // Everyone who sees the metric sees the condition, so it may name only metrics visible to them.
    let readers =
        if about.is_private() { Arc::clone(snapshot) } else { snapshot.visible_to("")? };
    let formula = readers.engine().compile(&alert.condition).map_err(MetricError::Formula);
    let formula = formula.map_err(|refusal| refusal.about(&alert.condition))?;
    if *formula.ty() != Type::Bool {
        return Err(AlertError::NotACondition(formula.ty().to_string()));
    }
    Ok(alert)
}

/// Keeps the stored secret of a webhook that is sent without one, as in responses.
fn with_known_secrets(channels: Vec<Channel>, known: &[Channel]) -> Vec<Channel> {
    let with_secret = |channel: Channel| {
        let same = known.iter().find(|known| known.without_secret() == channel);
        same.cloned().unwrap_or(channel)
    };
    channels.into_iter().map(with_secret).collect()
}
