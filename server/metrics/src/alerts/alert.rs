//! An alert, its history, and their views.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use super::channel::Channel;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::ids::{AlertHistoryId, AlertId, MetricId};
use crate::registry::vocabulary::text_enum;

text_enum! {
    /// How an alert stands.
    AlertState {
        /// The condition is false.
        Ok = "ok",
        /// The condition came true.
        Firing = "firing",
        /// The condition has no value, or rests on too few rows.
        NoData = "no_data",
        /// The condition cannot be computed.
        Error = "error",
    }
}

text_enum! {
    /// How much it matters.
    Severity {
        /// Good to know.
        Info = "info",
        /// To be looked at.
        Warning = "warning",
        /// To be looked at now.
        Critical = "critical",
    }
}

text_enum! {
    /// How finely time is cut for the condition.
    AlertGranularity {
        /// By hours.
        Hour = "hour",
        /// By days.
        Day = "day",
        /// By weeks.
        Week = "week",
        /// By months.
        Month = "month",
        /// By quarters.
        Quarter = "quarter",
        /// By years.
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

    /// Days back from today within which the last period that is over begins.
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
    /// Period that is evaluated.
    Window {
        /// The last one that is over.
        LastComplete = "last_complete",
        /// The one that is running.
        Current = "current",
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Alert {
    pub id: AlertId,
    pub name: String,
    pub description: Option<String>,
    pub metric_id: MetricId,
    pub condition: String,
    pub granularity: AlertGranularity,
    pub window: Window,
    pub severity: Severity,
    pub channels: Vec<Channel>,
    pub cooldown_minutes: u32,
    pub min_sample: u32,
    pub is_active: bool,
    pub state: AlertState,
    /// The metric's value, as JSON.
    pub last_value: Option<String>,
    pub last_error: Option<String>,
    pub last_evaluated_at: Option<Timestamp>,
    pub last_fired_at: Option<Timestamp>,
    pub(crate) next_at: Timestamp,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An alert as it is shown: without the secrets of its channels.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Alert)]
pub(crate) struct AlertView {
    /// Its id.
    pub id: AlertId,
    /// What people call it.
    #[schema(example = "Orders have dropped")]
    pub name: String,
    /// More about it.
    pub description: Option<String>,
    /// The metric it is about.
    pub metric_id: MetricId,
    /// A formula that is true or false.
    #[schema(example = "order_count < 50% * trailing(avg(order_count per day), 28 days)")]
    pub condition: String,
    /// How finely time is cut for the condition.
    pub granularity: AlertGranularity,
    /// Period that is evaluated.
    pub window: Window,
    /// How much it matters.
    pub severity: Severity,
    /// Channels that are notified.
    pub channels: Vec<Channel>,
    /// Minutes after a firing in which it fires no second time.
    pub cooldown_minutes: u32,
    /// Rows below which there is no data.
    pub min_sample: u32,
    /// Whether it is looked at.
    pub is_active: bool,
    /// How it stands.
    pub state: AlertState,
    /// The metric's value when it was looked at.
    #[schema(value_type = Value)]
    pub last_value: Option<Box<RawValue>>,
    /// Why it could not be computed.
    pub last_error: Option<String>,
    /// When it was looked at.
    pub last_evaluated_at: Option<Timestamp>,
    /// When it fired.
    pub last_fired_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed by people.
    pub updated_at: Timestamp,
}

fn json(text: Option<&String>) -> Option<Box<RawValue>> {
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
            last_evaluated_at: alert.last_evaluated_at,
            last_fired_at: alert.last_fired_at,
            created_at: alert.created_at,
            updated_at: alert.updated_at,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct StateChange {
    pub id: AlertHistoryId,
    pub(crate) alert_id: AlertId,
    pub at: Timestamp,
    pub from_state: AlertState,
    pub state: AlertState,
    pub value: Option<String>,
    pub period: Option<(Timestamp, Timestamp)>,
    pub note: Option<String>,
}

/// A change of state as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AlertStateChange)]
pub(crate) struct StateChangeView {
    /// Its id.
    pub id: AlertHistoryId,
    /// The alert.
    pub(crate) alert_id: AlertId,
    /// When.
    pub at: Timestamp,
    /// How it stood before.
    pub from_state: AlertState,
    /// How it stands since.
    pub state: AlertState,
    /// The metric's value.
    #[schema(value_type = Value)]
    pub value: Option<Box<RawValue>>,
    /// Start of the period that was evaluated.
    pub period_start: Option<Timestamp>,
    /// Where it ends.
    pub period_end: Option<Timestamp>,
    /// What went wrong, if something did.
    pub note: Option<String>,
}

impl StateChangeView {
    pub(crate) fn of(change: &StateChange) -> Self {
        Self {
            id: change.id.clone(),
            alert_id: change.alert_id.clone(),
            at: change.at,
            from_state: change.from_state,
            state: change.state,
            value: json(change.value.as_ref()),
            period_start: change.period.map(|(start, _)| start),
            period_end: change.period.map(|(_, end)| end),
            note: change.note.clone(),
        }
    }
}
