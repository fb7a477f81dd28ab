//! What is sent to make and to change alerts.

use rust_decimal::Decimal;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::alerts::alert::{AlertGranularity, Severity, Window};
use crate::alerts::channel::Channel;
use crate::alerts::edit::{AlertChange, ComparedValue, Condition};
use crate::http::{HttpError, Patch, Text};

/// Limit: channels of an alert.
const MAX_CHANNELS: usize = 10;

/// How a metric is compared with a threshold.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AlertOperator)]
pub(super) enum Operator {
    /// More.
    Gt,
    /// As much or more.
    Gte,
    /// Less.
    Lt,
    /// As much or less.
    Lte,
    /// As much.
    Eq,
    /// More or less.
    Ne,
    /// It grew by more since the period before; 0.1 is 10 %.
    ChangeGt,
    /// It grew by less.
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

/// A metric against a number.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AlertThreshold, example = json!({ "operator": "lt", "threshold": 10 }))]
pub(super) struct Threshold {
    /// How it is compared.
    operator: Operator,
    /// The number.
    #[schema(value_type = f64, minimum = -1_000_000_000_000_i64, maximum = 1_000_000_000_000_i64)]
    threshold: serde_json::Number,
}

/// What fires: a formula that is true or false, or a comparison, which is kept as the formula it means.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = AlertCondition)]
pub(super) enum ConditionRequest {
    /// A formula.
    Formula(Text<10_000>),
    /// A comparison.
    Threshold(Threshold),
}

impl ConditionRequest {
    fn condition(self) -> Result<Condition, HttpError> {
        match self {
            Self::Formula(formula) => Ok(Condition::Formula(formula.into())),
            Self::Threshold(Threshold { operator, threshold }) => {
                let text = threshold.to_string();
                let number = text.parse().or_else(|_plain| Decimal::from_scientific(&text));
                let number: Decimal = number.map_err(|_too_long| {
                    HttpError::invalid_data(format!("The threshold {text} has too many digits"))
                })?;
                Ok(Condition::Threshold(operator.comparing(), number.normalize()))
            }
        }
    }
}

/// A new alert.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Orders have dropped", "metric_id": "order_count",
    "condition": "order_count < 50% * trailing(avg(order_count per day), 28 days)",
    "channels": [{ "type": "log" }] }))]
pub(super) struct CreateAlertRequest {
    /// What people call it; the metric's name if it is left out.
    #[schema(nullable = false)]
    name: Option<Text>,
    /// More about it.
    description: Option<Text<2000>>,
    /// The id or the key of the metric it is about.
    metric_id: Text,
    /// What fires.
    condition: ConditionRequest,
    /// How finely time is cut for the condition; by days if nothing else was said.
    #[schema(nullable = false)]
    granularity: Option<AlertGranularity>,
    /// Period that is evaluated; by default the last complete one.
    #[schema(nullable = false)]
    window: Option<Window>,
    /// How much it matters.
    #[schema(nullable = false)]
    severity: Option<Severity>,
    /// Channels that are notified; by default the log.
    #[schema(nullable = false, max_items = 10)]
    channels: Option<Vec<Channel>>,
    /// Minutes after a firing in which it fires no second time; an hour if nothing else was said.
    #[schema(nullable = false, minimum = 0, maximum = 525_600)]
    cooldown_minutes: Option<u32>,
    /// Rows below which there is no data.
    #[schema(nullable = false, minimum = 0, maximum = 1_000_000_000)]
    min_sample: Option<u32>,
    /// Whether it is looked at.
    #[schema(nullable = false)]
    is_active: Option<bool>,
}

/// What is to be changed of an alert. A webhook that is sent as it was shown keeps its secret.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "severity": "critical", "cooldown_minutes": 120 }))]
pub(super) struct UpdateAlertRequest {
    /// What people call it.
    #[schema(nullable = false)]
    name: Option<Text>,
    /// More about it.
    #[serde(default)]
    description: Patch<Text<2000>>,
    /// The id or the key of the metric it is about.
    #[schema(nullable = false)]
    metric_id: Option<Text>,
    /// What fires.
    #[schema(nullable = false)]
    condition: Option<ConditionRequest>,
    /// How finely time is cut for the condition; by days if nothing else was said.
    #[schema(nullable = false)]
    granularity: Option<AlertGranularity>,
    /// Period that is evaluated; by default the last complete one.
    #[schema(nullable = false)]
    window: Option<Window>,
    /// How much it matters.
    #[schema(nullable = false)]
    severity: Option<Severity>,
    /// Channels that are notified; by default the log.
    #[schema(nullable = false, max_items = 10)]
    channels: Option<Vec<Channel>>,
    /// Minutes after a firing in which it fires no second time; an hour if nothing else was said.
    #[schema(nullable = false, minimum = 0, maximum = 525_600)]
    cooldown_minutes: Option<u32>,
    /// Rows below which there is no data.
    #[schema(nullable = false, minimum = 0, maximum = 1_000_000_000)]
    min_sample: Option<u32>,
    /// Whether it is looked at.
    #[schema(nullable = false)]
    is_active: Option<bool>,
}

impl UpdateAlertRequest {
    pub(super) fn change(self) -> Result<AlertChange, HttpError> {
        if self.channels.as_ref().is_some_and(|channels| channels.len() > MAX_CHANNELS) {
            return Err(HttpError::invalid_data("An alert has ten channels at most"));
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
