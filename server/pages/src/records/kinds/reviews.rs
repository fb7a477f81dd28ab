//! Customers' reviews of products.

use super::prelude::*;

const REASONS: &[(&str, &str)] = &[
    ("spam", "advertising"),
    ("abuse", "abuse"),
    ("off_topic", "about something else"),
    ("personal_data", "has personal data"),
    ("duplicate", "said before"),
    ("unlawful", "unlawful"),
];

pub(super) static REVIEWS: Kind = Kind {
    name: "reviews",
    title: "Reviews",
    noun: "Review",
    section: Section::Products,
    api: "/admin/reviews",
    plural: "reviews",
    singular: "review",
    filters: &[
        filter("status", "Status", &["pending", "approved", "rejected"]),
        filter("rating", "Stars", &["1", "2", "3", "4", "5"]),
    ],
    sorts: &["rating"],
    columns: &[
        column("Review", "/title", Cell::Link("reviews", "/id")),
        column("Product", "/product_id", Cell::Record),
        column("Stars", "/rating", Cell::Count),
        column("Text", "/content", Cell::Text),
        column("Status", "/status", Cell::Chip),
        column("Contains", "/flags", Cell::Names("")),
        column("Written", "/written_at", Cell::Moment),
    ],
    empty: "What customers say about products will be listed here, to be approved before others read it.",
    heading: &["/title"],
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Stars", "/rating", Cell::Count),
        column("Product", "/product_id", Cell::Record),
        column("Customer", "/customer_id", Cell::Record),
        column("First name", "/first_name", Cell::Text),
        column("Last name", "/last_name", Cell::Text),
        column("Bought it", "/is_verified", Cell::Text),
        column("Order", "/verified_order_id", Cell::Record),
        column("Text", "/content", Cell::Text),
        column("Contains", "/flags", Cell::Names("")),
        column("Why rejected", "/reject_reason", Cell::Chip),
        column("Answer", "/response", Cell::Text),
        column("Helpful to", "/helpful_count", Cell::Count),
        column("Written", "/written_at", Cell::Moment),
        column("Decided", "/decided_at", Cell::Moment),
    ],
    parts: &[RecordPart {
        title: "Versions",
        none: "It was not changed.",
        source: Source::Inside("versions"),
        columns: &[
            column("Version", "/number", Cell::Text),
            column("Written", "/created_at", Cell::Moment),
            column("Stars", "/rating", Cell::Count),
            column("Title", "/title", Cell::Text),
            column("Text", "/content", Cell::Text),
        ],
    }],
    actions: &[Action {
        word: "approve",
        label: "Approve",
        meaning: "Everybody can read it from now on, and it counts among the product’s stars.",
        api: "/admin/reviews/{id}/approve",
        states: &["pending", "rejected"],
        ..ACTION
    }],
    forms: &[
        FormSpec {
            word: "reject",
            label: "Reject",
            button: "Reject",
            lead: "Nobody else can read it, and it does not count among the product’s stars.",
            api: "/admin/reviews/{id}/reject",
            fields: &[field("reason", "Reason", "/reason", Input::Choice(REASONS)).required()],
            states: &["pending", "approved"],
            ..FORM
        },
        FormSpec {
            word: "answer",
            label: "Answer",
            lead: "The answer is shown below the review. An empty one is taken away.",
            api: "/admin/reviews/{id}/respond",
            present: Present::Own,
            fields: &[field("answer", "Answer", "/content", Input::Text).shown_from("/response")],
            ..FORM
        },
    ],
    ..PLAIN
};
