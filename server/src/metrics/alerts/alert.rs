//! An alert as it is kept and shown.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use super::channel::Channel;
use crate::clock::Timestamp;
use crate::ids::{AlertHistoryId, AlertId, MetricId};
use crate::metrics::compute::Granularity;
use crate::metrics::words::words;

words! {
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

words! {
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

words! {
    /// How finely time is cut for the condition.
    Cut {
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

impl Cut {
    /// The granularity of the question.
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

words! {
    /// Which period is judged.
    Window {
        /// The last one that is over.
        LastComplete = "last_complete",
        /// The one that is running.
        Current = "current",
    }
}

/// An alert.
#[derive(Debug, Clone)]
pub(crate) struct Alert {
    pub(crate) id: AlertId,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) metric_id: MetricId,
    /// A formula that is true or false.
    pub(crate) condition: String,
    pub(crate) granularity: Cut,
    pub(crate) window: Window,
    pub(crate) severity: Severity,
    pub(crate) channels: Vec<Channel>,
    pub(crate) cooldown_minutes: u32,
    pub(crate) min_sample: u32,
    pub(crate) is_active: bool,
    pub(crate) state: AlertState,
    /// The metric's value, as JSON.
    pub(crate) last_value: Option<String>,
    pub(crate) last_error: Option<String>,
    pub(crate) last_evaluated_at: Option<Timestamp>,
    pub(crate) last_fired_at: Option<Timestamp>,
    pub(crate) next_at: Timestamp,
    pub(crate) created_by: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// An alert as it is shown: without the secrets of its channels.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Alert)]
pub(crate) struct AlertView {
    /// Its id.
    pub(crate) id: AlertId,
    /// What people call it.
    #[schema(example = "Orders have dropped")]
    pub(crate) name: String,
    /// More about it.
    pub(crate) description: Option<String>,
    /// The metric it is about.
    pub(crate) metric_id: MetricId,
    /// A formula that is true or false.
    #[schema(example = "order_count < 50% * trailing(avg(order_count per day), 28 days)")]
    pub(crate) condition: String,
    /// How finely time is cut for the condition.
    pub(crate) granularity: Cut,
    /// Which period is judged.
    pub(crate) window: Window,
    /// How much it matters.
    pub(crate) severity: Severity,
    /// Whom it tells.
    pub(crate) channels: Vec<Channel>,
    /// Minutes after a firing in which it fires no second time.
    pub(crate) cooldown_minutes: u32,
    /// Rows below which there is no data.
    pub(crate) min_sample: u32,
    /// Whether it is looked at.
    pub(crate) is_active: bool,
    /// How it stands.
    pub(crate) state: AlertState,
    /// The metric's value when it was looked at.
    #[schema(value_type = Value)]
    pub(crate) last_value: Option<Box<RawValue>>,
    /// Why it could not be computed.
    pub(crate) last_error: Option<String>,
    /// When it was looked at.
    pub(crate) last_evaluated_at: Option<Timestamp>,
    /// When it fired.
    pub(crate) last_fired_at: Option<Timestamp>,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed by people.
    pub(crate) updated_at: Timestamp,
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
            channels: alert.channels.iter().map(Channel::shown).collect(),
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

/// A change of state.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) id: AlertHistoryId,
    pub(crate) alert_id: AlertId,
    pub(crate) at: Timestamp,
    pub(crate) from_state: AlertState,
    pub(crate) state: AlertState,
    pub(crate) value: Option<String>,
    pub(crate) period: Option<(Timestamp, Timestamp)>,
    pub(crate) note: Option<String>,
}

/// A change of state as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AlertTurn)]
pub(crate) struct TurnView {
    /// Its id.
    pub(crate) id: AlertHistoryId,
    /// The alert.
    pub(crate) alert_id: AlertId,
    /// When.
    pub(crate) at: Timestamp,
    /// How it stood before.
    pub(crate) from_state: AlertState,
    /// How it stands since.
    pub(crate) state: AlertState,
    /// The metric's value.
    #[schema(value_type = Value)]
    pub(crate) value: Option<Box<RawValue>>,
    /// Where the period that was judged begins.
    pub(crate) period_start: Option<Timestamp>,
    /// Where it ends.
    pub(crate) period_end: Option<Timestamp>,
    /// What went wrong, if something did.
    pub(crate) note: Option<String>,
}

impl TurnView {
    pub(crate) fn of(turn: &Turn) -> Self {
        Self {
            id: turn.id.clone(),
            alert_id: turn.alert_id.clone(),
            at: turn.at,
            from_state: turn.from_state,
            state: turn.state,
            value: json(turn.value.as_ref()),
            period_start: turn.period.map(|(start, _)| start),
            period_end: turn.period.map(|(_, end)| end),
            note: turn.note.clone(),
        }
    }
}
