//! An alert, its history, and what was sent to its channels.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::channel::Channel;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::database::listing::{Column, Kind, Listing};
use crate::database::{Filtered as _, FromRow, Record};
use crate::http::{Resource, ToSchema};
use crate::ids::{AlertDeliveryId, AlertHistoryId, AlertId, MetricId};
use crate::registry::vocabulary::text_enum;

pub(super) static ALERTS: Listing = Listing {
    plural: "alerts",
    table: "metric_alert a",
    tie_breaker: "a.id",
    columns: &[
        Column::new("created_at", "a.created_at", Kind::Time),
        Column::new("name", "a.name", Kind::Text),
        Column::new("distance_permille", "a.distance_permille", Kind::Integer),
        Column::filter("id", "a.id", Kind::Id),
        Column::filter("metric_id", "a.metric_id", Kind::Id),
        Column::filter("state", "a.state", AlertState::KIND),
        Column::filter("severity", "a.severity", Severity::KIND),
        Column::filter("is_active", "a.is_active", Kind::Boolean),
    ],
    search: &["a.name", "a.description"],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

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

/// An alert as responses show it, without the secrets of its channels.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "alert", list = ALERTS)]
pub(crate) struct Alert {
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
    #[column(json)]
    #[serde(serialize_with = "without_secrets")]
    pub channels: Vec<Channel>,
    /// The number of minutes after a firing notification in which no other is sent; the state is `firing` regardless. If the
    /// condition still holds afterwards, a notification is sent then.
    pub cooldown_minutes: u32,
    /// The minimum number of rows; with fewer the state is `no_data`.
    pub min_sample: u32,
    pub is_active: bool,
    pub state: AlertState,
    /// The metric's value at the last evaluation.
    #[column(json)]
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
    #[serde(skip)]
    pub next_at: Timestamp,
    #[serde(skip)]
    pub created_by: Option<String>,
    /// When the alert was created.
    pub created_at: Timestamp,
    /// When a user last changed the alert.
    pub updated_at: Timestamp,
}

fn without_secrets<S: Serializer>(channels: &[Channel], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(channels.iter().map(Channel::without_secret))
}

/// A state change as responses show it.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[schema(as = AlertStateChange)]
#[record(table = "metric_alert_history h", list(plural = "history", order = "-at"))]
#[resource(name = "state change of an alert")]
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

text_enum! {
    /// The outcome of a delivery.
    AlertDeliveryStatus {
        /// It is being sent for the first time.
        Pending = "pending",
        /// The channel has accepted it.
        Delivered = "delivered",
        /// The channel has not accepted it, and it is tried again.
        Failed = "failed",
        /// Every attempt has failed; there is no further one.
        Dead = "dead",
        /// The alert or its channel no longer exists.
        Dropped = "dropped",
    }
}

/// A notification to a channel of an alert.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "metric_alert_delivery d")]
#[record(list(plural = "alert_deliveries", order = "-created_at"))]
#[resource(name = "delivery of an alert")]
pub(crate) struct AlertDelivery {
    /// The id, which webhooks get as `webhook-id`.
    #[column(filter)]
    pub(super) id: AlertDeliveryId,
    #[column(filter)]
    pub(super) alert_id: AlertId,
    #[column(sql = "(select name from metric_alert where id = d.alert_id)")]
    #[schema(example = "Orders have dropped")]
    pub(super) alert_name: String,
    /// The reported state: `firing`, or `ok` once that is over.
    pub(super) state: AlertState,
    /// The channel, without its secret.
    #[column(json)]
    pub(super) channel: Channel,
    /// Whether the channel has accepted it.
    #[column(filter)]
    pub(super) status: AlertDeliveryStatus,
    /// How often it was tried.
    pub(super) attempt_count: u32,
    /// The channel's latest response, or why there is none.
    #[schema(example = "it answered 503 Service Unavailable")]
    pub(super) answer: Option<String>,
    /// When it was last tried.
    pub(super) attempted_at: Option<Timestamp>,
    /// When the alert's state changed.
    #[column(filter, order)]
    pub(super) created_at: Timestamp,
}

impl AlertDeliveryStatus {
    /// Returns the status after an attempt; `is_last` if there is no further one.
    pub(super) const fn after(is_accepted: bool, is_last: bool) -> Self {
        match (is_accepted, is_last) {
            (true, _) => Self::Delivered,
            (false, true) => Self::Dead,
            (false, false) => Self::Failed,
        }
    }
}
