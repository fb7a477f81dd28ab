//! Evaluates conditions over the store's rows, all periods in one evaluation.

use std::sync::Arc;

use quotient::Answers;
use quotient::calendar::Period;
use quotient::syntax::{self, BinaryOp, ExprKind};
use quotient::types::{Reason, Value};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::alert::{Alert, Window};
use super::three_valued::truth_formulas;
use crate::clock::{MINUTE_MS, Timestamp};
use crate::compute::question::Compare;
use crate::compute::records::ComputeContext;
use crate::compute::store::{ComputeItem, compute};
use crate::compute::usable::check_uses;
use crate::compute::{Filters, Question, ValueView, check_estimate};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::registry::LIMITS;
use crate::{MetricError, RegistrySnapshot};

/// Days of the backtest when an alert is created or changed.
const BACKTEST_DAYS: i64 = 90;

/// Temporary keys of the two formulas of a condition, the row count, and the sides of a comparison. No metric's key ends
/// with `_`.
const HOLDS: &str = "alert_holds_";
const FAILS: &str = "alert_fails_";
const SAMPLE: &str = "alert_sample_";
const VALUE: &str = "alert_value_";
const THRESHOLD: &str = "alert_threshold_";

#[derive(Debug, Clone)]
pub(super) struct Evaluation {
    pub(super) period: Period,
    /// None if a deciding value is missing or there are too few rows.
    pub(super) holds: Option<bool>,
    /// The metric's value.
    pub(super) value: Option<Box<RawValue>>,
    /// How far the condition is from turning, in thousandths of its threshold.
    pub(super) distance_permille: Option<i64>,
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

/// Evaluates the condition over every period of the last days, with `sides` to compare beside it.
fn evaluated(
    ComputeContext { tx, snapshot, caches }: ComputeContext<'_, '_>,
    alert: &Alert,
    days_back: i64,
    sides: Vec<ComputeItem>,
) -> Result<Vec<Evaluation>, MetricError> {
    let mut items = compute_items(snapshot, alert)?;
    let needed = items.len();
    items.extend(sides);
    let question = question(tx, snapshot, alert, days_back);
    check_estimate(tx, &question, needed)?;
    let mut outcomes =
        compute(tx, snapshot, &items, (&question, &question), Some(caches))?.outcomes;
    // A side that cannot be computed alone leaves the distance unknown.
    let sides = outcomes.split_off(needed).into_iter().map(|own| own.map(|own| values(&own).1));
    let sides: Vec<Vec<Value>> = sides.filter_map(Result::ok).collect();
    let columns = outcomes.into_iter().map(|outcome| outcome.map(|own| values(&own)));
    let columns: Vec<(Vec<Period>, Vec<Value>)> = columns.collect::<Result<_, _>>()?;
    let mut columns = columns.into_iter();
    let Some((buckets, holding)) = columns.next() else { return Ok(Vec::new()) };
    let mut column = || columns.next().map(|(_, values)| values);
    let (failing, values, samples) = (column(), column().unwrap_or_default(), column());
    let evaluate = |(index, period): (usize, Period)| {
        let is_enough = samples.as_ref().is_none_or(|samples| {
            matches!(samples.get(index), Some(Value::Number(count))
                if *count >= Decimal::from(alert.min_sample))
        });
        let is_true = |values: &[Value]| matches!(values.get(index), Some(Value::Bool(true)));
        let is_missing = matches!(values.get(index), Some(Value::Missing(_)));
        let holds = if !is_enough {
            None
        } else if is_true(&holding) {
            Some(true)
        } else {
            let fails = !is_missing && failing.as_deref().is_some_and(is_true);
            fails.then_some(false)
        };
        let value = values.get(index).and_then(|value| to_raw_value(&ValueView::of(value)).ok());
        let distance_permille = distance(&sides, index);
        Evaluation { period, holds, value, distance_permille }
    };
    Ok(buckets.into_iter().enumerate().map(evaluate).collect())
}

fn values((answers, index): &(Arc<Answers>, usize)) -> (Vec<Period>, Vec<Value>) {
    let value = |bucket| {
        let answer = answers.get(*index, bucket, 0);
        answer.map_or(Value::missing(Reason::NoRows), |answer| answer.value.clone())
    };
    (answers.buckets.clone(), (0..answers.buckets.len()).map(value).collect())
}

/// Returns the two sides of a condition that is a comparison, to compute them alone.
fn sides(condition: &str) -> Vec<ComputeItem> {
    let place = || {
        let parsed = syntax::parse(condition, &LIMITS).ok().ok()?;
        let root = parsed.node(parsed.root.filter(|_| parsed.lets.is_empty())?)?;
        let ExprKind::Binary { op, place, .. } = root.kind else { return None };
        let is_ordered = matches!(
            op,
            BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual
        );
        is_ordered.then_some(place.0)
    };
    let Some(place) = place() else { return Vec::new() };
    let end = |byte: u32| usize::try_from(byte).unwrap_or(usize::MAX);
    let texts = [condition.get(..end(place.start)), condition.get(end(place.end)..)];
    let item = |(key, text): (&str, Option<&str>)| {
        Some(ComputeItem::Formula { key: key.to_owned(), text: text?.to_owned() })
    };
    [VALUE, THRESHOLD].into_iter().zip(texts).filter_map(item).collect()
}

/// Returns how far the first side is from the second, in thousandths of the second, rounded up.
fn distance(sides: &[Vec<Value>], index: usize) -> Option<i64> {
    let [values, thresholds] = sides else { return None };
    let (Value::Number(value), Value::Number(threshold)) =
        (values.get(index)?, thresholds.get(index)?)
    else {
        return None;
    };
    let gap = value.checked_sub(*threshold)?.abs();
    let share = gap.checked_mul(Decimal::ONE_THOUSAND)?.checked_div(threshold.abs())?;
    i64::try_from(share.ceil()).ok()
}

/// Returns the two formulas of the condition, the metric and, if there is a minimum, the row count to compute.
fn compute_items(
    snapshot: &RegistrySnapshot,
    alert: &Alert,
) -> Result<Vec<ComputeItem>, MetricError> {
    let id = alert.metric_id.as_str();
    let metric = snapshot.metric(id).ok_or_else(|| MetricError::NotFound(id.to_owned()))?;
    let compiled = |text: &str| {
        let formula = snapshot.engine().compiled(text).map_err(MetricError::Formula);
        formula.map_err(|refusal| refusal.about(text))
    };
    let about = compiled(&metric.key)?;
    check_uses(snapshot, &about, false)?;
    let condition = compiled(&alert.condition)?;
    check_uses(snapshot, &condition, false)?;
    let formula = |key: &str, text: String| ComputeItem::Formula { key: key.to_owned(), text };
    let truths = [HOLDS, FAILS].into_iter().zip(truth_formulas(&alert.condition));
    let mut items: Vec<ComputeItem> = truths.map(|(key, text)| formula(key, text)).collect();
    items.push(ComputeItem::Metric(metric.key.clone()));
    if alert.min_sample > 0
        && let Some(source) = about.sources().first()
    {
        items.push(formula(SAMPLE, format!("count({source})")));
    }
    Ok(items)
}

/// Returns the question about the periods of the last days; the first one is whole.
fn question(tx: &Tx<'_>, snapshot: &RegistrySnapshot, alert: &Alert, days_back: i64) -> Question {
    let calendar = &snapshot.schema().store.calendar;
    let timezone = snapshot.stamp().zone.clone();
    let granularity = alert.granularity.granularity();
    let today = calendar.date_of(tx.now().to_jiff());
    let first = today.checked_sub(jiff::Span::new().days(days_back)).unwrap_or(today);
    let whole = |unit| calendar.start_of(calendar.start_of_day(first)?, unit);
    let whole = granularity.unit().and_then(whole).map(|start| calendar.date_of(start));
    Question {
        days: (whole.unwrap_or(first), today),
        granularity,
        compare: Compare::None,
        timezone,
        currency: snapshot.currency(),
        filters: Filters::default(),
        group_by: Vec::new(),
        now: tx.now(),
    }
}

/// Evaluates the condition over the period of the alert's window.
pub(super) fn evaluate(
    context: ComputeContext<'_, '_>,
    alert: &Alert,
) -> Result<Option<Evaluation>, MetricError> {
    let sides = sides(&alert.condition);
    let evaluations = evaluated(context, alert, alert.granularity.reach_days(), sides)?;
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

/// Counts how often the alert would have fired: when its condition became true, outside its cooldown. As in the watch,
/// missing data in between does not resolve it.
pub(super) fn backtest(
    context: ComputeContext<'_, '_>,
    alert: &Alert,
) -> Result<Backtest, MetricError> {
    let evaluations = evaluated(context, alert, BACKTEST_DAYS.saturating_sub(1), Vec::new())?;
    let now = context.tx.now();
    let cooldown_ms = i64::from(alert.cooldown_minutes).saturating_mul(MINUTE_MS);
    let mut at: Vec<Timestamp> = Vec::new();
    let mut is_firing = false;
    for evaluation in evaluations {
        let start = Timestamp::from(evaluation.period.start);
        let is_known = match alert.window {
            Window::LastComplete => Timestamp::from(evaluation.period.end) <= now,
            Window::Current => start <= now,
        };
        let is_cool = at.last().is_none_or(|last| last.plus_ms(cooldown_ms) <= start);
        match evaluation.holds.filter(|_| is_known) {
            Some(true) if !is_firing && is_cool => {
                at.push(start);
                is_firing = true;
            }
            Some(false) => is_firing = false,
            Some(true) | None => {}
        }
    }
    Ok(Backtest { days: BACKTEST_DAYS, would_have_fired: at.len(), at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_has_two_sides_and_other_conditions_none() {
        let of = |condition: &str| -> Vec<String> {
            let text = |item| match item {
                ComputeItem::Formula { text, .. } => text.trim().to_owned(),
                ComputeItem::Metric(key) => key,
            };
            sides(condition).into_iter().map(text).collect()
        };
        assert_eq!(
            of("aov < 50% * trailing(aov, 28 days)"),
            ["aov", "50% * trailing(aov, 28 days)"]
        );
        assert_eq!(of("(a + b) * 2 >= -c"), ["(a + b) * 2", "-c"]);
        for other in
            ["a = 2", "a > 2 and b > 2", "not a > 2", "let x = a; x > 2", "a >", "(a where b > 2)"]
        {
            assert_eq!(of(other), Vec::<String>::new(), "{other}");
        }
    }

    #[test]
    fn a_distance_is_a_share_of_the_threshold_and_rounded_up() {
        let of = |value: &str, threshold: &str| {
            let side = |text: &str| {
                vec![text.parse().map_or(Value::missing(Reason::NoRows), Value::Number)]
            };
            distance(&[side(value), side(threshold)], 0)
        };
        assert_eq!(of("90", "100"), Some(100));
        assert_eq!(of("110.01", "100"), Some(101), "a little more than a tenth is more");
        assert_eq!(of("-18", "-20"), Some(100));
        assert_eq!(of("5", "5"), Some(0));
        for (value, threshold) in [("5", "0"), ("none", "5"), ("5", "none"), ("9e27", "0.0001")] {
            assert_eq!(of(value, threshold), None, "{value} {threshold}");
        }
        assert_eq!(distance(&[], 0), None);
    }
}
