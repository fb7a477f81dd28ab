//! Alerts with their notifications, and metrics for the search.

use super::prelude::*;

/// Metrics, for the search; they have their own pages.
pub(crate) static METRICS: Kind = Kind {
    name: "metrics",
    title: "Metrics",
    noun: "Metric",
    api: "/admin/metrics/definitions",
    plural: "metrics",
    columns: &[
        column("Metric", "/name", Cell::Link("metrics", "/key")),
        column("Formula", "/formula", Cell::Text),
        column("State", "/state", Cell::Chip),
    ],
    ..PLAIN
};

/// The notifications, without their alert.
const SENT: &[Column] = &[
    column("When", "/created_at", Cell::Moment),
    column("Tells that it is", "/state", Cell::Chip),
    column("Channel", "/channel/type", Cell::Text),
    column("E-mail", "/channel/to", Cell::Text),
    column("Address", "/channel/url", Cell::Text),
    column("Status", "/status", Cell::Chip),
    column("Answer", "/answer", Cell::Text),
    column("Attempts", "/attempt_count", Cell::Count),
    column("Last attempt", "/attempted_at", Cell::Moment),
];

pub(super) static ALERT_DELIVERIES: Kind = Kind {
    name: "alert-deliveries",
    title: "Deliveries",
    noun: "Delivery",
    section: Section::Alerts,
    api: "/admin/metrics/alert-deliveries",
    plural: "alert_deliveries",
    is_searched: false,
    filters: &[filter("status", "Status", &["pending", "delivered", "failed", "dead", "dropped"])],
    sorts: &["created_at"],
    columns: &[
        column("When", "/created_at", Cell::Moment),
        column("Alert", "/alert_name", Cell::Link("alerts", "/alert_id")),
        column("Tells that it is", "/state", Cell::Chip),
        column("Channel", "/channel/type", Cell::Text),
        column("E-mail", "/channel/to", Cell::Text),
        column("Address", "/channel/url", Cell::Text),
        column("Status", "/status", Cell::Chip),
        column("Answer", "/answer", Cell::Text),
        column("Attempts", "/attempt_count", Cell::Count),
    ],
    empty: "What alerts have sent to mailboxes and webhooks in the last 90 days, and what was answered, will be listed here.",
    ..PLAIN
};

const SEVERITIES: &[(&str, &str)] =
    &[("info", "info"), ("warning", "warning"), ("critical", "critical")];

pub(super) static ALERTS: Kind = Kind {
    name: "alerts",
    title: "Alerts",
    noun: "Alert",
    section: Section::Alerts,
    api: "/admin/metrics/alerts",
    plural: "alerts",
    singular: "alert",
    filters: &[
        filter("state", "State", &["firing", "ok", "no_data", "error"]),
        filter("severity", "Severity", &["critical", "warning", "info"]),
    ],
    sorts: &["name"],
    columns: &[
        column("Alert", "/name", Cell::Link("alerts", "/id")),
        column("Condition", "/condition", Cell::Text),
        column("State", "/state", Cell::Chip),
        column("Severity", "/severity", Cell::Text),
        column("Last fired", "/last_fired_at", Cell::Moment),
    ],
    ahead: &[
        Ahead {
            title: "Fires now",
            lead: "",
            query: "?state=firing&limit=50",
            columns: &[
                column("Alert", "/name", Cell::Link("alerts", "/id")),
                column("Condition", "/condition", Cell::Text),
                column("Severity", "/severity", Cell::Text),
                column("Told", "/last_fired_at", Cell::Moment),
            ],
            none: "No alert fires.",
        },
        Ahead {
            title: "Nearly fires",
            lead: "These do not fire, and the value is at most 10% of its threshold away from it. Conditions that are one comparison by <, <=, > or >= with a threshold other than zero are looked at, each minute.",
            query: "?state=ok&is_active=true&distance_permille[$lte]=100&order=distance_permille&limit=50",
            columns: &[
                column("Alert", "/name", Cell::Link("alerts", "/id")),
                column("Condition", "/condition", Cell::Text),
                column("Severity", "/severity", Cell::Text),
                column("Away", "/distance_permille", Cell::Permille),
                column("Last looked at", "/last_evaluated_at", Cell::Moment),
            ],
            none: "No alert is that near.",
        },
    ],
    empty: "An alert fires when a metric is not as it should be. Alerts will be listed here.",
    facts: &[
        column("State", "/state", Cell::Chip),
        column("Condition", "/condition", Cell::Text),
        column("For each", "/granularity", Cell::Text),
        column("Severity", "/severity", Cell::Text),
        column("Is watched", "/is_active", Cell::Text),
        column("Metric", "/metric_id", Cell::Record),
        column("Last value", "/last_value", Cell::Text),
        column("Away from the threshold", "/distance_permille", Cell::Permille),
        column("Last error", "/last_error", Cell::Text),
        column("Last looked at", "/last_evaluated_at", Cell::Moment),
        column("Last fired", "/last_fired_at", Cell::Moment),
        column("Tells by", "/channels", Cell::Names("/type")),
    ],
    parts: &[
        RecordPart {
            title: "History",
            none: "When it begins to fire and when it ends will be listed here.",
            source: Source::Route("/admin/metrics/alerts/{id}/history?limit=100", "history"),
            columns: &[
                column("When", "/at", Cell::Moment),
                column("From", "/from_state", Cell::Chip),
                column("To", "/state", Cell::Chip),
                column("Value", "/value", Cell::Text),
                column("Note", "/note", Cell::Text),
            ],
        },
        RecordPart {
            title: "Deliveries",
            none: "What it sends will be listed here.",
            source: Source::Route(
                "/admin/metrics/alert-deliveries?alert_id={id}&limit=100",
                "alert_deliveries",
            ),
            columns: SENT,
        },
    ],
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
    forms: &[
        FormSpec {
            fields: &[
                field("name", "Name", "/name", Input::Line).required(),
                field("condition", "Condition", "/condition", Input::Line)
                    .required()
                    .hint("Such as order_count < 10. New alert draws one over its history."),
                field("severity", "Severity", "/severity", Input::Choice(SEVERITIES)).required(),
                field("active", "Is watched", "/is_active", Input::Yes),
                field("quiet", "Minutes of quiet", "/cooldown_minutes", Input::Count)
                    .required()
                    .hint("After it has told that it fires, it does not tell again for so long."),
            ],
            ..CHANGE
        },
        deletion("It is watched no more. Its history stays. It cannot be undone."),
    ],
    ..PLAIN
};
