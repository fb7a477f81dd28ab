//! Partners, what they earn and what they are paid.

use super::prelude::*;

const STATUSES: &[(&str, &str)] = &[
    ("active", "active"),
    ("paused", "paused: links and codes do not work, orders of earlier clicks count"),
    ("closed", "closed"),
];

const PARTNER: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    field("email", "E-mail", "/email", Input::Email).required(),
    field("status", "Status", "/status", Input::Choice(STATUSES)).required(),
];

const CONVERSION_COLUMNS: &[Column] = &[
    column("Conversion", "/placed_at", Cell::Link("conversions", "/id")),
    column("Status", "/status", Cell::Chip),
    column("Through", "/via", Cell::Chip),
    column("Order", "/order_id", Cell::Record),
    column("Due", "/due_at", Cell::Moment),
    column("Of", "/base", Cell::Money("/currency_code")),
    column("Commission", "/commission", Cell::Money("/currency_code")),
];

const PAYOUT_COLUMNS: &[Column] = &[
    column("Paid", "/created_at", Cell::Moment),
    column("Partner", "/partner_id", Cell::Record),
    column("Up to", "/up_to", Cell::Moment),
    column("Entries", "/entry_count", Cell::Count),
    column("Amount", "/amount", Cell::Money("/currency_code")),
];

const VALUE: Field = field("value", "Commission", "/commission/value", Input::Amount).required();

const OF: Field = field("type", "Of", "/commission/type", Input::Choice(BASES)).required();

const BASES: &[(&str, &str)] =
    &[("percent", "percent of the items"), ("fixed", "an amount an order")];

const TERMS: &[Field] = &[
    VALUE,
    OF,
    field("window", "Days after a click", "/window_days", Input::Count)
        .hint("How long an order counts after the click."),
    field("hold", "Days until it is due", "/hold_days", Input::Count)
        .hint("Time for returns, after the order."),
    field("new", "Only for new customers", "/new_customers_only", Input::Yes),
];

pub(crate) static PARTNERS: Kind = Kind {
    name: "partners",
    title: "Partners",
    noun: "Partner",
    section: Section::Partners,
    api: "/admin/partners",
    plural: "partners",
    singular: "partner",
    filters: &[filter("status", "Status", &["active", "paused", "closed"])],
    sorts: &["name", "created_at"],
    columns: &[
        column("Partner", "/name", Cell::Link("partners", "/id")),
        column("E-mail", "/email", Cell::Text),
        column("Status", "/status", Cell::Chip),
        CREATED,
    ],
    empty: "Partners lead customers to the shop, and earn a share of what these buy. They will be listed here. Begin with New partner.",
    facts: &[
        column("E-mail", "/email", Cell::Text),
        column("Status", "/status", Cell::Chip),
        CREATED,
        column("Changed", "/updated_at", Cell::Moment),
    ],
    parts: &[
        RecordPart {
            title: "Offers",
            none: "Codes with their links and commissions will be listed here. Begin with Add an offer.",
            source: Source::Route("/admin/partners/{id}/offers?limit=100", "partner_offers"),
            columns: &[
                column("Code", "/code", Cell::Text),
                column("Leads to", "/landing_url", Cell::Address),
                column(
                    "Commission",
                    "/commission/value",
                    Cell::Share("/commission/type", "/currency_code"),
                ),
                column("Days after a click", "/window_days", Cell::Count),
                column("Days until it is due", "/hold_days", Cell::Count),
                row_form("Change", "partners", "offer", "/id"),
                row_form("Delete", "partners", "remove-offer", "/id"),
            ],
        },
        RecordPart {
            title: "Commissions",
            none: "What the partner earns will be listed here.",
            source: Source::Route(
                "/admin/partner-conversions?partner_id={id}&limit=100",
                "partner_conversions",
            ),
            columns: CONVERSION_COLUMNS,
        },
        RecordPart {
            title: "Payouts",
            none: "What the partner was paid will be listed here. Begin with Pay.",
            source: Source::Route(
                "/admin/partner-payouts?partner_id={id}&limit=100",
                "partner_payouts",
            ),
            columns: PAYOUT_COLUMNS,
        },
    ],
    actions: &[Action {
        word: "token",
        label: "New token",
        meaning: "The partner gets a new token to read statements with. The old one ends at once.",
        api: "/admin/partners/{id}/token",
        answer: Answer::Secret("/partner/token"),
        ..ACTION
    }],
    forms: &[
        FormSpec {
            lead: "The partner’s token is shown once.",
            fields: PARTNER,
            then: Then::Secret("/partner/token"),
            ..creation("New partner")
        },
        FormSpec { fields: PARTNER, ..CHANGE },
        FormSpec {
            word: "add-offer",
            label: "Add an offer",
            api: "/admin/partners/{id}/offers",
            fields: &[
                field("code", "Code", "/code", Input::Line)
                    .required()
                    .hint("The last part of the link that the partner shares."),
                field("to", "Leads to", "/landing_url", Input::Line).required(),
                VALUE,
                OF,
                field("currency", "Currency", "/currency_code", Input::Currency).required(),
            ],
            ..FORM
        },
        FormSpec {
            word: "offer",
            label: "Change an offer",
            lead: "Orders that were placed keep their commission.",
            api: "/admin/partners/{id}/offers/{of}",
            present: Present::At("/admin/partners/{id}/offers/{of}", "/partner_offer"),
            fields: TERMS,
            ..ROW
        },
        FormSpec {
            word: "pay",
            label: "Pay",
            button: "Write it down as paid",
            lead: "All that is approved and due in the currency is written down as paid. The money itself is sent by you.",
            api: "/admin/partner-payouts",
            fields: &[
                field("currency", "Currency", "/currency_code", Input::Currency).required(),
                field("up_to", "Up to", "/up_to", Input::Day)
                    .hint("Until the beginning of the day. Empty: until now."),
            ],
            fixed: &[("/partner_id", Fixed::Id)],
            ..FORM
        },
        deletion(
            "The links and the token end at once. What was earned and paid stays. It cannot be undone.",
        ),
        removal(
            "remove-offer",
            "Delete an offer",
            "/admin/partners/{id}/offers/{of}",
            "Its link ends. Orders that it brought keep their commission. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

pub(super) static CONVERSIONS: Kind = Kind {
    name: "conversions",
    title: "Commissions",
    noun: "Commission",
    section: Section::Partners,
    api: "/admin/partner-conversions",
    plural: "partner_conversions",
    singular: "partner_conversion",
    is_searched: false,
    filters: &[filter(
        "status",
        "Status",
        &["pending", "approved", "paid", "reversed", "rejected"],
    )],
    order: "-placed_at",
    sorts: &["placed_at"],
    columns: CONVERSION_COLUMNS,
    empty: "What partners earn will be listed here as soon as somebody whom one of them led here buys.",
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Partner", "/partner_id", Cell::Record),
        column("Order", "/order_id", Cell::Record),
        column("Through", "/via", Cell::Chip),
        column("Of", "/base", Cell::Money("/currency_code")),
        column("Commission", "/commission", Cell::Money("/currency_code")),
        column("Suspicious for", "/flags", Cell::Names("")),
        column("New customer", "/is_new_customer", Cell::Text),
        column("Reason", "/reason", Cell::Text),
        column("Placed", "/placed_at", Cell::Moment),
        column("Due", "/due_at", Cell::Moment),
        column("Paid", "/paid_at", Cell::Moment),
        column("Decided", "/decided_at", Cell::Moment),
    ],
    parts: &[RecordPart {
        title: "Lines",
        none: "It has no lines.",
        source: Source::Lines("lines", "/line_id"),
        columns: &[
            column("Line of the order", "/line_id", Cell::Record),
            column("Of", "/base", Cell::Money("/currency_code")),
            column("Commission", "/commission", Cell::Money("/currency_code")),
        ],
    }],
    forms: &[
        FormSpec {
            word: "approve",
            label: "Approve",
            button: "Approve",
            lead: "The partner earns it, and it is part of the next payout.",
            api: "/admin/partner-conversions/{id}/approve",
            fields: &[field("reason", "Reason", "/reason", Input::Line)],
            states: &["pending"],
            ..FORM
        },
        FormSpec {
            word: "reject",
            label: "Reject",
            button: "Reject",
            lead: "The partner does not earn it.",
            api: "/admin/partner-conversions/{id}/reject",
            fields: &[field("reason", "Reason", "/reason", Input::Line).required()],
            states: &["pending"],
            ..FORM
        },
    ],
    ..PLAIN
};

pub(super) static PAYOUTS: Kind = Kind {
    name: "payouts",
    title: "Payouts",
    noun: "Payout",
    section: Section::Partners,
    api: "/admin/partner-payouts",
    plural: "partner_payouts",
    singular: "partner_payout",
    is_searched: false,
    sorts: &["created_at"],
    columns: PAYOUT_COLUMNS,
    empty: "What partners were paid will be listed here. A payout begins on the page of a partner.",
    ..PLAIN
};
