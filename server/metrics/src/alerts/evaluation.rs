//! Evaluates conditions over the store's rows, all periods in one evaluation.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use quotient::calendar::Period;
use quotient::types::Value;
use serde::Serialize;
use utoipa::ToSchema;

use super::alert::{Alert, Window};
use crate::clock::Timestamp;
use crate::compute::question::Compare;
use crate::compute::records::ComputeContext;
use crate::compute::store::{ComputeItem, compute_cached};
use crate::compute::{Filters, Question, ValueView, check_estimate};
use crate::database::{Tx, Word as _};
use crate::registry::vocabulary::Lifecycle;
use crate::{MetricError, RegistrySnapshot};

/// Days of the backtest when an alert is created or changed.
const BACKTEST_DAYS: i64 = 90;

/// Temporary keys of the condition and the row count.
const CONDITION: &str = "alert_condition";
const SAMPLE: &str = "alert_sample";

#[derive(Debug, Clone)]
pub(super) struct Evaluation {
    pub(super) period: Period,
    /// None if the condition is null or there are too few rows.
    pub(super) holds: Option<bool>,
    /// The metric's value, as JSON.
    pub(super) value: Option<String>,
}

/// How often an alert would have fired in the past.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Backtest {
    /// The number of days evaluated, including today.
    #[schema(example = 90)]
    pub days: i64,
    /// How often the alert would have fired.
    pub would_have_fired: usize,
    /// The starts of the periods in which it would have fired.
    pub at: Vec<Timestamp>,
}

/// Evaluates the condition over every period of the last days.
fn evaluated(
    ComputeContext { tx, snapshot, caches }: ComputeContext<'_, '_>,
    alert: &Alert,
    days_back: i64,
) -> Result<Vec<Evaluation>, MetricError> {
    let items = compute_items(snapshot, alert)?;
    let question = question(tx, snapshot, alert, days_back);
    check_estimate(tx, &question, items.len())?;
    let outcomes = compute_cached(tx, snapshot, &items, &question, caches)?.outcomes;
    let mut columns = Vec::with_capacity(outcomes.len());
    for outcome in outcomes {
        let (answers, index) = outcome?;
        let buckets = 0..answers.buckets.len();
        let values: Vec<Value> = buckets
            .map(|bucket| {
                let answer = answers.get(index, bucket, 0);
                answer.map_or(Value::missing(quotient::types::Reason::NoRows), |answer| {
                    answer.value.clone()
                })
            })
            .collect();
        columns.push((answers.buckets.clone(), values));
    }
    let mut columns = columns.into_iter();
    let Some((buckets, conditions)) = columns.next() else { return Ok(Vec::new()) };
    let values = columns.next().map(|(_, values)| values).unwrap_or_default();
    let samples = columns.next().map(|(_, values)| values);
    let evaluate = |(index, period): (usize, Period)| {
        let is_enough = samples.as_ref().is_none_or(|samples| {
            matches!(samples.get(index), Some(Value::Number(count))
                if *count >= rust_decimal::Decimal::from(alert.min_sample))
        });
        let holds = match conditions.get(index) {
            Some(Value::Bool(true)) if is_enough => Some(true),
            // A comparison with null is false, so without a metric value false means unknown.
            Some(Value::Bool(false))
                if is_enough && !matches!(values.get(index), Some(Value::Missing(_))) =>
            {
                Some(false)
            }
            Some(_) | None => None,
        };
        let value =
            values.get(index).and_then(|value| serde_json::to_string(&ValueView::of(value)).ok());
        Evaluation { period, holds, value }
    };
    Ok(buckets.into_iter().enumerate().map(evaluate).collect())
}

/// Returns the condition, the metric and, if there is a minimum, the row count to compute.
fn compute_items(
    snapshot: &RegistrySnapshot,
    alert: &Alert,
) -> Result<Vec<ComputeItem>, MetricError> {
    let id = alert.metric_id.as_str();
    let metric = snapshot.metric(id).ok_or_else(|| MetricError::NotFound(id.to_owned()))?;
    if !matches!(metric.state, Lifecycle::Active | Lifecycle::Deprecated) {
        let (key, state) = (metric.key.clone(), metric.state.as_str());
        return Err(MetricError::NotComputed { key, state });
    }
    let formula = |key: &str, text: String| ComputeItem::Formula { key: key.to_owned(), text };
    let mut items =
        vec![formula(CONDITION, alert.condition.clone()), ComputeItem::Metric(metric.key.clone())];
    if alert.min_sample > 0 {
        let compiled = snapshot.engine().compile(&metric.key).map_err(MetricError::Formula)?;
        if let Some(source) = compiled.sources().first() {
            items.push(formula(SAMPLE, format!("count({source})")));
        }
    }
    Ok(items)
}

fn question(tx: &Tx<'_>, snapshot: &RegistrySnapshot, alert: &Alert, days_back: i64) -> Question {
    let timezone = snapshot.stamp().zone.clone();
    let today = today(&timezone, tx.now());
    let first = today.checked_sub(jiff::Span::new().days(days_back)).unwrap_or(today);
    Question {
        days: (first, today),
        granularity: alert.granularity.granularity(),
        compare: Compare::None,
        timezone,
        currency: snapshot.currency(),
        filters: Filters::default(),
        group_by: Vec::new(),
        now: tx.now(),
    }
}

fn today(timezone: &str, now: Timestamp) -> Date {
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    now.to_jiff().to_zoned(zone).date()
}

/// Evaluates the condition over the period of the alert's window.
pub(super) fn evaluate(
    context: ComputeContext<'_, '_>,
    alert: &Alert,
) -> Result<Option<Evaluation>, MetricError> {
    let evaluations = evaluated(context, alert, alert.granularity.reach_days())?;
    let now = context.tx.now();
    Ok(evaluations.into_iter().rfind(|evaluation| is_judged(alert.window, &evaluation.period, now)))
}

fn is_judged(window: Window, period: &Period, now: Timestamp) -> bool {
    let (start, end) = (Timestamp::from(period.start), Timestamp::from(period.end));
    match window {
        Window::LastComplete => end <= now,
        Window::Current => start <= now && now < end,
    }
}

/// Counts how often the alert would have fired: when its condition became true, outside its cooldown.
pub(super) fn backtest(
    context: ComputeContext<'_, '_>,
    alert: &Alert,
) -> Result<Backtest, MetricError> {
    let evaluations = evaluated(context, alert, BACKTEST_DAYS.saturating_sub(1))?;
    let now = context.tx.now();
    let cooldown_ms = i64::from(alert.cooldown_minutes).saturating_mul(60_000);
    let mut at: Vec<Timestamp> = Vec::new();
    let mut is_firing = false;
    for evaluation in evaluations {
        let start = Timestamp::from(evaluation.period.start);
        let is_known = match alert.window {
            Window::LastComplete => Timestamp::from(evaluation.period.end) <= now,
            Window::Current => start <= now,
        };
        let holds = is_known && evaluation.holds == Some(true);
        let is_cool = at.last().is_none_or(|last| last.plus_ms(cooldown_ms) <= start);
        if holds && !is_firing && is_cool {
            at.push(start);
        }
        is_firing = holds && (is_firing || is_cool);
    }
    Ok(Backtest { days: BACKTEST_DAYS, would_have_fired: at.len(), at })
}
