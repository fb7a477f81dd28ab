//! Notifications: the messages sent when an alert fires or is resolved, as JSON for programs and as text for people.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::alert::{Alert, AlertState, Severity};
use crate::clock::Timestamp;
use crate::database::Word as _;
use crate::ids::{AlertId, MetricId};
use crate::registry::vocabulary::text_enum;

text_enum! {
    /// The kind of notification.
    NotificationKind {
        /// The condition became true.
        Fired = "metric.alert.fired",
        /// The condition is false again.
        Resolved = "metric.alert.resolved",
        /// A test of the channels.
        Tried = "metric.alert.test",
    }
}

/// A notification as webhooks receive it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Notification {
    #[serde(rename = "type")]
    pub(super) kind: NotificationKind,
    pub(super) timestamp: Timestamp,
    pub(super) data: AlertStatus,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct AlertStatus {
    pub(super) id: AlertId,
    name: String,
    metric_id: MetricId,
    condition: String,
    severity: Severity,
    pub(super) state: AlertState,
    value: Option<Value>,
    period_start: Option<Timestamp>,
    period_end: Option<Timestamp>,
}

impl Notification {
    /// Creates a notification about an alert, with the bounds of the evaluated period.
    pub(super) fn of(
        kind: NotificationKind,
        timestamp: Timestamp,
        alert: &Alert,
        period: Option<(Timestamp, Timestamp)>,
    ) -> Self {
        let value =
            alert.last_value.as_deref().and_then(|own| serde_json::from_str(own.get()).ok());
        let data = AlertStatus {
            id: alert.id.clone(),
            name: alert.name.clone(),
            metric_id: alert.metric_id.clone(),
            condition: alert.condition.clone(),
            severity: alert.severity,
            state: alert.state,
            value,
            period_start: period.map(|(start, _)| start),
            period_end: period.map(|(_, end)| end),
        };
        Self { kind, timestamp, data }
    }

    pub(super) fn log(&self) {
        let AlertStatus { id, name, .. } = &self.data;
        tracing::warn!(alert = id.as_str(), name, event = self.kind.as_str(), "alert");
    }

    /// Returns the subject line, without control characters.
    pub(super) fn subject(&self) -> String {
        let name: String =
            self.data.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match self.kind {
            NotificationKind::Fired => format!("[{}] {name}", self.data.severity.as_str()),
            NotificationKind::Resolved => format!("[resolved] {name}"),
            NotificationKind::Tried => format!("[test] {name}"),
        }
    }

    pub(super) fn text(&self) -> String {
        let AlertStatus { id, name, condition, severity, value, period_start, period_end, .. } =
            &self.data;
        let sentence = match self.kind {
            NotificationKind::Fired => "The alert's condition has come true.",
            NotificationKind::Resolved => "The alert's condition is false again.",
            NotificationKind::Tried => {
                "Somebody tries whether this alert reaches you. Nothing has happened."
            }
        };
        let mut lines = vec![
            sentence.to_owned(),
            String::new(),
            format!("Alert:     {name} ({})", severity.as_str()),
            format!("Condition: {condition}"),
        ];
        if let Some(value) = value {
            lines.push(format!("Value:     {value}"));
        }
        if let Some((start, end)) = period_start.as_ref().zip(period_end.as_ref()) {
            lines.push(format!("Period:    {start} to {end}"));
        }
        lines.push(format!("At:        {}", self.timestamp));
        lines.push(format!("Id:        {id}"));
        lines.join("\r\n")
    }
}
