//! An alert, its history, and their views.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::channel::Channel;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::database::{FromRow, Record};
use crate::http::{Resource, ToSchema};
use crate::ids::{AlertHistoryId, AlertId, MetricId};
use crate::registry::vocabulary::text_enum;

text_enum! {
    /// The state of an alert.
    AlertState {
        /// The condition is false.
        Ok = "ok",
        /// The condition came true.
        Firing = "firing",
        /// A value that the condition compares is missing, or rests on too few rows.
        NoData = "no_data",
        /// The condition cannot be computed.
        Error = "error",
    }
}

text_enum! {
    /// How important an alert is.
    Severity {
        /// For information.
        Info = "info",
        /// Needs attention.
        Warning = "warning",
        /// Needs attention at once.
        Critical = "critical",
    }
}

text_enum! {
    /// The period length that a condition is evaluated by.
    AlertGranularity {
        Hour = "hour",
        Day = "day",
        Week = "week",
        Month = "month",
        Quarter = "quarter",
        Year = "year",
    }
}

impl AlertGranularity {
    pub(crate) const fn granularity(self) -> Granularity {
        match self {
            Self::Hour => Granularity::Hour,
            Self::Day => Granularity::Day,
            Self::Week => Granularity::Week,
            Self::Month => Granularity::Month,
            Self::Quarter => Granularity::Quarter,
            Self::Year => Granularity::Year,
        }
    }

    /// Returns how many days back to start so that the last complete period is covered.
    pub(super) const fn reach_days(self) -> i64 {
        match self {
            Self::Hour | Self::Day => 1,
            Self::Week => 14,
            Self::Month => 62,
            Self::Quarter => 186,
            Self::Year => 732,
        }
    }
}

text_enum! {
    /// The period that is evaluated.
    Window {
        LastComplete = "last_complete",
        Current = "current",
    }
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct Alert {
    pub id: AlertId,
    pub name: String,
    pub description: Option<String>,
    pub metric_id: MetricId,
    pub condition: String,
    pub granularity: AlertGranularity,
    pub window: Window,
    pub severity: Severity,
    #[column(json)]
    pub channels: Vec<Channel>,
    pub cooldown_minutes: u32,
    pub min_sample: u32,
    pub is_active: bool,
    pub state: AlertState,
    /// The metric's value, as JSON.
    pub last_value: Option<String>,
    pub last_error: Option<String>,
    /// How far the compared value was from its threshold, in thousandths of the threshold.
    pub distance_permille: Option<i64>,
    pub last_evaluated_at: Option<Timestamp>,
    pub last_fired_at: Option<Timestamp>,
    pub(crate) next_at: Timestamp,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An alert as responses show it, without the secrets of its channels.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[schema(as = Alert)]
#[resource(name = "alert", list = super::queries::ALERTS)]
pub(crate) struct AlertView {
    pub id: AlertId,
    #[schema(example = "Orders have dropped")]
    pub name: String,
    pub description: Option<String>,
    /// The metric that the condition is about.
    pub metric_id: MetricId,
    /// A formula with a boolean value.
    #[schema(example = "order_count < 50% * trailing(avg(order_count per day), 28 days)")]
    pub condition: String,
    /// The period length that the condition is evaluated by.
    pub granularity: AlertGranularity,
    /// The period that is evaluated.
    pub window: Window,
    /// How important the alert is.
    pub severity: Severity,
    pub channels: Vec<Channel>,
    /// Minutes after a notification of firing in which no other is sent; the state is `firing` all the same. If the condition
    /// still holds afterwards, the notification is sent then.
    pub cooldown_minutes: u32,
    /// The minimum number of rows; with fewer the state is `no_data`.
    pub min_sample: u32,
    pub is_active: bool,
    pub state: AlertState,
    /// The metric's value at the last evaluation.
    #[schema(value_type = Value)]
    pub last_value: Option<Box<RawValue>>,
    /// Why the last evaluation failed.
    pub last_error: Option<String>,
    /// How far the compared value was from its threshold at the last evaluation, in thousandths of the threshold, rounded up;
    /// none if the condition is not a comparison of two numbers by `<`, `<=`, `>` or `>=`, or the threshold is zero.
    #[schema(minimum = 0, example = 85)]
    pub distance_permille: Option<i64>,
    /// When the alert was last evaluated.
    pub last_evaluated_at: Option<Timestamp>,
    /// When channels were last notified that the alert is firing.
    pub last_fired_at: Option<Timestamp>,
    /// When the alert was created.
    pub created_at: Timestamp,
    /// When a user last changed the alert.
    pub updated_at: Timestamp,
}

pub(super) fn json(text: Option<&String>) -> Option<Box<RawValue>> {
    text.and_then(|text| RawValue::from_string(text.clone()).ok())
}

impl AlertView {
    pub(crate) fn of(alert: &Alert) -> Self {
        Self {
            id: alert.id.clone(),
            name: alert.name.clone(),
            description: alert.description.clone(),
            metric_id: alert.metric_id.clone(),
            condition: alert.condition.clone(),
            granularity: alert.granularity,
            window: alert.window,
            severity: alert.severity,
            channels: alert.channels.iter().map(Channel::without_secret).collect(),
            cooldown_minutes: alert.cooldown_minutes,
            min_sample: alert.min_sample,
            is_active: alert.is_active,
            state: alert.state,
            last_value: json(alert.last_value.as_ref()),
            last_error: alert.last_error.clone(),
            distance_permille: alert.distance_permille,
            last_evaluated_at: alert.last_evaluated_at,
            last_fired_at: alert.last_fired_at,
            created_at: alert.created_at,
            updated_at: alert.updated_at,
        }
    }
}

/// A state change as responses show it.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[schema(as = AlertStateChange)]
#[record(table = "metric_alert_history h", list(plural = "history", order = "-at"))]
#[resource(name = "turn of an alert")]
pub(crate) struct StateChange {
    pub id: AlertHistoryId,
    pub(crate) alert_id: AlertId,
    /// When the state changed.
    #[column(filter, order)]
    pub at: Timestamp,
    pub from_state: AlertState,
    pub state: AlertState,
    /// The metric's value.
    #[column(json)]
    #[schema(value_type = Value)]
    pub value: Option<Box<RawValue>>,
    /// The start of the evaluated period.
    pub period_start: Option<Timestamp>,
    /// The end of the evaluated period.
    pub period_end: Option<Timestamp>,
    /// The error, if there was one.
    pub note: Option<String>,
}
