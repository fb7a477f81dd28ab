//! Request bodies for creating and changing alerts.

use rust_decimal::Decimal;
use serde::Deserialize;

use crate::alerts::alert::{AlertGranularity, Severity, Window};
use crate::alerts::channel::Channel;
use crate::alerts::edit::{AlertChange, ComparedValue, Condition};
use crate::http::{HttpError, Patch, Text, ToSchema, request};
use crate::money::exact;

/// Limit: channels of an alert.
const MAX_CHANNELS: usize = 10;

/// Limit: minutes of a cool-down: a year.
const MAX_COOLDOWN_MINUTES: u32 = 525_600;

/// Limit: the absolute value of a threshold.
const MAX_THRESHOLD: i64 = 1_000_000_000_000;

/// Limit: the minimum number of rows that an alert can require.
const MAX_SAMPLE: u32 = 1_000_000_000;

/// An operator that compares a metric with a threshold.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AlertOperator)]
pub(super) enum Operator {
    /// Greater than.
    Gt,
    /// Greater than or equal.
    Gte,
    /// Less than.
    Lt,
    /// Less than or equal.
    Lte,
    Eq,
    /// Not equal.
    Ne,
    /// Growth since the previous period is greater; 0.1 is 10 %.
    ChangeGt,
    /// Growth since the previous period is less.
    ChangeLt,
}

impl Operator {
    const fn comparing(self) -> ComparedValue {
        match self {
            Self::Gt => ComparedValue::Value(">"),
            Self::Gte => ComparedValue::Value(">="),
            Self::Lt => ComparedValue::Value("<"),
            Self::Lte => ComparedValue::Value("<="),
            Self::Eq => ComparedValue::Value("="),
            Self::Ne => ComparedValue::Value("!="),
            Self::ChangeGt => ComparedValue::Change(">"),
            Self::ChangeLt => ComparedValue::Change("<"),
        }
    }
}

/// A metric compared with a number.
#[request]
#[derive(Clone)]
#[schema(as = AlertThreshold, example = json!({ "operator": "lt", "threshold": 10 }))]
pub(super) struct Threshold {
    operator: Operator,
    #[schema(value_type = f64, minimum = -1_000_000_000_000_i64, maximum = 1_000_000_000_000_i64)]
    threshold: serde_json::Number,
}

/// A condition: a formula with a boolean value, or a comparison, which is stored as the equivalent formula.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "a boolean formula, or an object with an operator (gt, gte, lt, lte, eq, ne, change_gt or change_lt) and a threshold"
)]
#[schema(as = AlertCondition)]
pub(super) enum ConditionRequest {
    Formula(Text<8192>),
    /// A comparison.
    Threshold(Threshold),
}

impl ConditionRequest {
    fn condition(self) -> Result<Condition, HttpError> {
        match self {
            Self::Formula(formula) => Ok(Condition::Formula(formula.into())),
            Self::Threshold(Threshold { operator, threshold }) => {
                let number = exact(&threshold).ok_or_else(|| {
                    HttpError::invalid_data(format!(
                        "The threshold {threshold} has too many digits"
                    ))
                })?;
                if number.abs() > Decimal::from(MAX_THRESHOLD) {
                    return Err(HttpError::invalid_data(format!(
                        "The threshold is from -{MAX_THRESHOLD} to {MAX_THRESHOLD}"
                    )));
                }
                Ok(Condition::Threshold(operator.comparing(), number.normalize()))
            }
        }
    }
}

/// A new alert.
#[request]
#[schema(example = json!({ "name": "Orders have dropped", "metric_id": "order_count",
    "condition": "order_count < 50% * trailing(avg(order_count per day), 28 days)",
    "channels": [{ "type": "log" }] }))]
pub(super) struct CreateAlertRequest {
    /// The display name; defaults to the metric's name.
    #[schema(nullable = false)]
    name: Option<Text>,
    description: Option<Text<2000>>,
    /// The id or the key of the metric that the condition is about.
    metric_id: Text,
    /// The condition that fires the alert.
    condition: ConditionRequest,
    /// The period length that the condition is evaluated by; defaults to days.
    #[schema(nullable = false)]
    granularity: Option<AlertGranularity>,
    /// The period that is evaluated; defaults to the last complete one.
    #[schema(nullable = false)]
    window: Option<Window>,
    /// How important the alert is.
    #[schema(nullable = false)]
    severity: Option<Severity>,
    /// The channels that are notified; defaults to the log.
    #[schema(nullable = false, max_items = 10)]
    channels: Option<Vec<Channel>>,
    /// Minutes after a notification during which the alert sends no other; defaults to 60.
    #[schema(nullable = false, minimum = 0, maximum = 525_600)]
    cooldown_minutes: Option<u32>,
    /// The minimum number of rows; with fewer the state is `no_data`.
    #[schema(nullable = false, minimum = 0, maximum = 1_000_000_000)]
    min_sample: Option<u32>,
    /// Whether the alert is evaluated.
    #[schema(nullable = false)]
    is_active: Option<bool>,
}

/// The fields of an alert to change. A webhook sent without its secret, as responses show it, keeps the secret.
#[request]
#[schema(example = json!({ "severity": "critical", "cooldown_minutes": 120 }))]
pub(super) struct UpdateAlertRequest {
    #[schema(nullable = false)]
    name: Option<Text>,
    description: Patch<Text<2000>>,
    /// The id or the key of the metric that the condition is about; another metric needs another condition.
    #[schema(nullable = false)]
    metric_id: Option<Text>,
    /// The condition that fires the alert.
    #[schema(nullable = false)]
    condition: Option<ConditionRequest>,
    /// The period length that the condition is evaluated by.
    #[schema(nullable = false)]
    granularity: Option<AlertGranularity>,
    /// The period that is evaluated.
    #[schema(nullable = false)]
    window: Option<Window>,
    /// How important the alert is.
    #[schema(nullable = false)]
    severity: Option<Severity>,
    #[schema(nullable = false, max_items = 10)]
    channels: Option<Vec<Channel>>,
    /// Minutes after a notification during which the alert sends no other.
    #[schema(nullable = false, minimum = 0, maximum = 525_600)]
    cooldown_minutes: Option<u32>,
    /// The minimum number of rows; with fewer the state is `no_data`.
    #[schema(nullable = false, minimum = 0, maximum = 1_000_000_000)]
    min_sample: Option<u32>,
    /// Whether the alert is evaluated.
    #[schema(nullable = false)]
    is_active: Option<bool>,
}

impl UpdateAlertRequest {
    pub(super) fn change(self) -> Result<AlertChange, HttpError> {
        if self.channels.as_ref().is_some_and(|channels| channels.len() > MAX_CHANNELS) {
            return Err(HttpError::invalid_data("An alert has ten channels at most"));
        }
        for (field, sent, max) in [
            ("cooldown_minutes", self.cooldown_minutes, MAX_COOLDOWN_MINUTES),
            ("min_sample", self.min_sample, MAX_SAMPLE),
        ] {
            if sent.is_some_and(|sent| sent > max) {
                return Err(HttpError::invalid_data(format!("{field} is at most {max}")));
            }
        }
        Ok(AlertChange {
            name: self.name.map(String::from),
            description: self.description.map(String::from),
            metric_id: self.metric_id.map(String::from),
            condition: self.condition.map(ConditionRequest::condition).transpose()?,
            granularity: self.granularity,
            window: self.window,
            severity: self.severity,
            channels: self.channels,
            cooldown_minutes: self.cooldown_minutes,
            min_sample: self.min_sample,
            is_active: self.is_active,
        })
    }
}

impl CreateAlertRequest {
    pub(super) fn change(self) -> Result<AlertChange, HttpError> {
        let update = UpdateAlertRequest {
            name: self.name,
            description: self.description.map_or(Patch::Absent, Patch::Value),
            metric_id: Some(self.metric_id),
            condition: Some(self.condition),
            granularity: self.granularity,
            window: self.window,
            severity: self.severity,
            channels: self.channels,
            cooldown_minutes: self.cooldown_minutes,
            min_sample: self.min_sample,
            is_active: self.is_active,
        };
        update.change()
    }
}
