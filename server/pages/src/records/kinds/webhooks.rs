//! Incoming webhooks from other systems, and outgoing ones.

use super::prelude::*;

const DIRECTIONS: &[(&str, &str)] = &[("inbound", "came in"), ("outbound", "went out")];

pub(super) static DELIVERIES: Kind = Kind {
    name: "webhooks",
    title: "Deliveries",
    noun: "Delivery",
    section: Section::Webhooks,
    api: "/admin/webhook-deliveries",
    plural: "deliveries",
    singular: "delivery",
    is_searched: false,
    filters: &[
        filter("direction", "Direction", &["inbound", "outbound"]),
        filter(
            "status",
            "Status",
            &["received", "pending", "handled", "skipped", "failed", "dead"],
        ),
    ],
    order: "-received_at",
    sorts: &["received_at"],
    columns: &[
        column("When", "/received_at", Cell::Link("webhooks", "/id")),
        column("Event", "/event", Cell::Text),
        column("Direction", "/direction", Cell::Word(DIRECTIONS)),
        column("From", "/receiver", Cell::Text),
        column("To", "/endpoint_id", Cell::Record),
        column("Status", "/status", Cell::Chip),
    ],
    empty: "What carriers, warehouses and payment processors report, and what is sent to endpoints, will be listed here.",
    heading: &["/event"],
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Direction", "/direction", Cell::Word(DIRECTIONS)),
        column("From", "/receiver", Cell::Text),
        column("To", "/endpoint_id", Cell::Record),
        column("Signature", "/signature", Cell::Text),
        column("Attempts", "/attempt_count", Cell::Count),
        column("Last error", "/last_error", Cell::Text),
        column("Received", "/received_at", Cell::Moment),
        column("Handled", "/handled_at", Cell::Moment),
        column("Order", "/order_id", Cell::Record),
    ],
    actions: &[Action {
        word: "redeliver",
        label: "Redeliver",
        meaning: "It takes effect again, or is sent again, under the same id.",
        api: "/admin/webhook-deliveries/{id}/redeliver",
        ..ACTION
    }],
    ..PLAIN
};

const ENDPOINT: &[Field] = &[
    field("url", "Address", "/url", Input::Line).required(),
    field("events", "Events", "/events", Input::Words)
        .required()
        .hint("Such as order.placed, with commas between them. All of orders are order.*, and * is everything."),
    field("description", "Description", "/description", Input::Line),
    field("active", "Is told", "/is_active", Input::Yes).checked(),
];

pub(crate) static ENDPOINTS: Kind = Kind {
    name: "endpoints",
    title: "Endpoints",
    noun: "Endpoint",
    section: Section::Webhooks,
    api: "/admin/webhook-endpoints",
    plural: "webhook_endpoints",
    singular: "webhook_endpoint",
    sorts: &["created_at"],
    columns: &[
        column("Address", "/url", Cell::Link("endpoints", "/id")),
        column("Events", "/events", Cell::Names("")),
        column("Is told", "/is_active", Cell::Text),
        column("Fails since", "/failing_since", Cell::Moment),
        CREATED,
    ],
    empty: "Addresses that are told what happens will be listed here. Begin with New endpoint.",
    heading: &["/url"],
    facts: &[
        column("Events", "/events", Cell::Names("")),
        column("Description", "/description", Cell::Text),
        column("Is told", "/is_active", Cell::Text),
        column("Fails since", "/failing_since", Cell::Moment),
        column("Why it is off", "/disabled_reason", Cell::Text),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Latest deliveries",
        none: "What is sent to the address will be listed here. Begin with Send a test.",
        source: Source::Route("/admin/webhook-deliveries?endpoint_id={id}&limit=50", "deliveries"),
        columns: &[
            column("When", "/received_at", Cell::Link("webhooks", "/id")),
            column("Event", "/event", Cell::Text),
            column("Status", "/status", Cell::Chip),
            column("Attempts", "/attempt_count", Cell::Count),
            column("Last error", "/last_error", Cell::Text),
            column("Sent", "/handled_at", Cell::Moment),
        ],
    }],
    actions: &[
        Action {
            word: "test",
            label: "Send a test",
            meaning: "The address gets an event that says it is a test.",
            api: "/admin/webhook-endpoints/{id}/test",
            answer: Answer::Rows(
                "",
                &[
                    column("Accepted", "/delivered", Cell::Text),
                    column("Status", "/status", Cell::Count),
                    column("Milliseconds", "/duration_ms", Cell::Count),
                    column("Error", "/error", Cell::Text),
                    column("Answer", "/answer", Cell::Text),
                ],
            ),
            ..ACTION
        },
        Action {
            word: "secret",
            label: "New secret",
            meaning: "Deliveries are signed with a new secret, which is shown once. The old one holds for a day beside it.",
            api: "/admin/webhook-endpoints/{id}/rotate-secret",
            answer: Answer::Secret("/webhook_endpoint/secret"),
            ..ACTION
        },
    ],
    forms: &[
        FormSpec {
            lead: "The secret that deliveries are signed with is shown once.",
            fields: ENDPOINT,
            then: Then::Secret("/webhook_endpoint/secret"),
            ..creation("New endpoint")
        },
        FormSpec { fields: ENDPOINT, ..CHANGE },
        deletion(
            "The address is told nothing any more, and what waits for it is given up. It cannot be undone.",
        ),
    ],
    ..PLAIN
};
