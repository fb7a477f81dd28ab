//! Subscriptions and their plans.

use super::prelude::*;

pub(super) const SUBSCRIPTION_COLUMNS: &[Column] = &[
    column("Subscription", "/items/0/title", Cell::Link("subscriptions", "/id")),
    column("Customer", "/customer_id", Cell::Record),
    column("Status", "/status", Cell::Chip),
    column("Next order", "/next_billing_at", Cell::Moment),
    CREATED,
];

const ENDS: &[(&str, &str)] =
    &[("period_end", "at the end of the period that is paid"), ("now", "now")];

const REASONS: &[(&str, &str)] = &[
    ("too_expensive", "too expensive"),
    ("too_much", "too much of it"),
    ("not_needed", "not needed any more"),
    ("quality", "the quality"),
    ("switched", "bought elsewhere"),
    ("moved", "moved away"),
    ("other", "something else"),
];

pub(super) static SUBSCRIPTIONS: Kind = Kind {
    name: "subscriptions",
    title: "Subscriptions",
    noun: "Subscription",
    section: Section::Subscriptions,
    api: "/admin/subscriptions",
    query: "?fields=%2Bcycles",
    plural: "subscriptions",
    singular: "subscription",
    filters: &[filter(
        "status",
        "Status",
        &["trial", "active", "paused", "past_due", "canceled", "expired"],
    )],
    sorts: &["status", "next_billing_at", "created_at"],
    columns: SUBSCRIPTION_COLUMNS,
    empty: "Subscriptions will be listed here as soon as a customer subscribes to a product with a plan.",
    heading: &["/items/0/title"],
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Customer", "/customer_id", Cell::Record),
        column("First order", "/order_id", Cell::Record),
        column("Next order", "/next_billing_at", Cell::Moment),
        column("Each order", "/totals/total", Cell::Money("/currency_code")),
        column("Paused", "/paused_at", Cell::Moment),
        column("Ends", "/cancel_at", Cell::Moment),
        column("Why it ends", "/cancellation_reason", Cell::Chip),
        CREATED,
    ],
    parts: &[
        RecordPart {
            title: "Items",
            none: "It has no items.",
            source: Source::Inside("items"),
            columns: &[
                column("Item", "/title", Cell::Text),
                column("Quantity", "/quantity", Cell::Count),
                column("Price", "/unit_price", Cell::Money("/currency_code")),
            ],
        },
        RecordPart {
            title: "Next orders",
            none: "No order follows.",
            source: Source::Inside("upcoming"),
            columns: &[
                column("When", "/at", Cell::Moment),
                column("Skipped", "/skipped", Cell::Text),
                column("Total", "/total", Cell::Money("/currency_code")),
            ],
        },
        RecordPart {
            title: "Orders so far",
            none: "Orders that it makes will be listed here.",
            source: Source::Inside("cycles"),
            columns: &[
                column("Due", "/due_at", Cell::Moment),
                column("Status", "/status", Cell::Chip),
                column("Order", "/order_id", Cell::Record),
                column("Attempts", "/attempts", Cell::Count),
                column("Total", "/total", Cell::Money("/currency_code")),
            ],
        },
    ],
    actions: &[
        Action {
            word: "pause",
            label: "Pause",
            meaning: "No order is made until it is resumed.",
            api: "/admin/subscriptions/{id}/pause",
            // The API allows a paused subscription to be paused again, until another day.
            states: &["active", "past_due"],
            ..ACTION
        },
        Action {
            word: "resume",
            label: "Resume",
            meaning: "The next order is made at its next date.",
            api: "/admin/subscriptions/{id}/resume",
            ..ACTION
        },
        Action {
            word: "skip",
            label: "Skip the next delivery",
            meaning: "The next order is not made; the one after it is.",
            api: "/admin/subscriptions/{id}/skip-next-delivery",
            ..ACTION
        },
        Action {
            word: "retry",
            label: "Charge again",
            meaning: "The saved payment method is charged again for the unpaid order.",
            api: "/admin/subscriptions/{id}/retry-payment",
            ..ACTION
        },
    ],
    forms: &[FormSpec {
        word: "cancel",
        label: "Cancel",
        button: "Cancel the subscription",
        lead: "No further order is made. Orders that were placed are sent as usual.",
        api: "/admin/subscriptions/{id}/cancellation",
        fields: &[
            field("at", "When", "/at", Input::Choice(ENDS)).required(),
            field("reason", "Reason", "/reason", Input::Choice(REASONS)).required(),
            field("comment", "Comment", "/comment", Input::Text),
        ],
        is_final: true,
        ..FORM
    }],
    ..PLAIN
};

const TAKEN: Cell = Cell::Share("/discount/type", "/discount/currency_code");

pub(super) static PLANS: Kind = Kind {
    name: "plans",
    title: "Plans",
    noun: "Plan",
    section: Section::Subscriptions,
    api: "/admin/subscription-plans",
    plural: "subscription_plans",
    singular: "subscription_plan",
    sorts: &["name", "created_at"],
    columns: &[
        column("Plan", "/name", Cell::Link("plans", "/id")),
        column("Every", "/interval_count", Cell::Count),
        column("Interval", "/interval", Cell::Text),
        column("Takes off", "/discount/value", TAKEN),
        CREATED,
    ],
    empty: "Plans say how often a product is delivered and what it costs then. They will be listed here. One begins on the page of a product.",
    facts: &[
        column("Every", "/interval_count", Cell::Count),
        column("Interval", "/interval", Cell::Text),
        column("Kind", "/kind", Cell::Chip),
        column("Takes off", "/discount/value", TAKEN),
        column("Days on trial", "/trial_days", Cell::Count),
        column("At least", "/min_cycles", Cell::Count),
        column("At most", "/max_cycles", Cell::Count),
        column("Without stock", "/out_of_stock", Cell::Chip),
        column("Version", "/version", Cell::Count),
        CREATED,
    ],
    forms: &[deletion(
        "It is offered no more, and carts lose it. Subscriptions that run keep it. It cannot be undone.",
    )],
    ..PLAIN
};
