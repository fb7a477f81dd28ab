//! Alerts, and metrics for the search.

use super::{ACTION, Action, Answer, Cell, Filter, Kind, PLAIN, RecordPart, Source, column};
use crate::pages::page::Section;

/// Metrics, for the search; they have pages of their own.
pub(in crate::pages::records) static METRICS: Kind = Kind {
    name: "metrics",
    title: "Metrics",
    api: "/admin/metrics/definitions",
    plural: "metrics",
    columns: &[
        column("Metric", "/name", Cell::Link("metrics", "/key")),
        column("Formula", "/formula", Cell::Text),
        column("State", "/state", Cell::Chip),
    ],
    ..PLAIN
};

pub(super) static ALERTS: Kind = Kind {
    name: "alerts",
    title: "Alerts",
    noun: "Alert",
    section: Section::Alerts,
    api: "/admin/metrics/alerts",
    plural: "alerts",
    singular: "alert",
    filters: &[
        Filter { name: "state", label: "State", values: &["firing", "ok", "no_data", "error"] },
        Filter { name: "severity", label: "Severity", values: &["critical", "warning", "info"] },
    ],
    columns: &[
        column("Alert", "/name", Cell::Link("alerts", "/id")),
        column("Condition", "/condition", Cell::Text),
        column("State", "/state", Cell::Chip),
        column("Severity", "/severity", Cell::Text),
        column("Last fired", "/last_fired_at", Cell::Moment),
    ],
    empty: "An alert tells when a metric is not as it should be. Alerts will be listed here.",
    heading: &["/name"],
    facts: &[
        column("State", "/state", Cell::Chip),
        column("Condition", "/condition", Cell::Text),
        column("For each", "/granularity", Cell::Text),
        column("Severity", "/severity", Cell::Text),
        column("Metric", "/metric_id", Cell::Link("metrics", "/metric_id")),
        column("Last value", "/last_value", Cell::Text),
        column("Last error", "/last_error", Cell::Text),
        column("Last looked at", "/last_evaluated_at", Cell::Moment),
        column("Last fired", "/last_fired_at", Cell::Moment),
        column("Tells by", "/channels", Cell::Names("/type")),
    ],
    parts: &[RecordPart {
        title: "History",
        source: Source::Route("/admin/metrics/alerts/{id}/history?limit=100", "history"),
        columns: &[
            column("When", "/at", Cell::Moment),
            column("From", "/from_state", Cell::Chip),
            column("To", "/state", Cell::Chip),
            column("Value", "/value", Cell::Text),
            column("Note", "/note", Cell::Text),
        ],
    }],
    actions: &[Action {
        word: "test",
        label: "Send a test",
        meaning: "Each channel gets a notification that says it is a test.",
        api: "/admin/metrics/alerts/{id}/test",
        answer: Answer::Rows(
            "/results",
            &[
                column("Channel", "/channel/type", Cell::Text),
                column("E-mail", "/channel/to", Cell::Text),
                column("Address", "/channel/url", Cell::Text),
                column("Accepted", "/delivered", Cell::Text),
                column("Answer", "/error", Cell::Text),
            ],
        ),
        ..ACTION
    }],
    begin: Some(("New alert", "/app/alerts/new")),
    ..PLAIN
};
