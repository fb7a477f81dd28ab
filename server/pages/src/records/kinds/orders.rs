//! Orders and returns.

use super::prelude::*;

pub(super) const ORDER_COLUMNS: &[Column] = &[
    column("Order", "/display_id", Cell::Link("orders", "/id")),
    column("Placed", "/created_at", Cell::Moment),
    column("Customer", "/email", Cell::Text),
    column("Payment", "/payment_status", Cell::Chip),
    column("Fulfilment", "/fulfillment_status", Cell::Chip),
    column("Total", "/total", Cell::Money("/currency_code")),
];

/// An order has its own page.
pub(crate) static ORDERS: Kind = Kind {
    name: "orders",
    title: "Orders",
    noun: "Order",
    section: Section::Orders,
    api: "/admin/orders",
    plural: "orders",
    singular: "order",
    has_days: true,
    filters: &[
        filter(
            "status",
            "Status",
            &["pending", "completed", "draft", "archived", "canceled", "requires_action"],
        ),
        filter(
            "payment_status",
            "Payment",
            &[
                "not_paid",
                "awaiting",
                "authorized",
                "partially_authorized",
                "captured",
                "partially_captured",
                "partially_refunded",
                "refunded",
                "canceled",
                "requires_action",
            ],
        ),
        filter(
            "fulfillment_status",
            "Fulfilment",
            &[
                "not_fulfilled",
                "partially_fulfilled",
                "fulfilled",
                "partially_shipped",
                "shipped",
                "partially_delivered",
                "delivered",
                "canceled",
            ],
        ),
    ],
    sorts: &["display_id", "created_at"],
    columns: ORDER_COLUMNS,
    empty: "Orders will be listed here as soon as a customer completes a cart.",
    ..PLAIN
};

pub(super) static RETURNS: Kind = Kind {
    name: "returns",
    title: "Returns",
    noun: "Return",
    section: Section::Orders,
    api: "/admin/returns",
    plural: "returns",
    singular: "return",
    is_searched: false,
    has_days: true,
    filters: &[filter(
        "status",
        "Status",
        &["open", "requested", "partially_received", "received", "canceled"],
    )],
    sorts: &["display_id"],
    columns: &[
        column("Return", "/display_id", Cell::Link("returns", "/id")),
        column("Status", "/status", Cell::Chip),
        column("Order", "/order_id", Cell::Record),
        column("Requested", "/requested_at", Cell::Moment),
        column("Received", "/received_at", Cell::Moment),
    ],
    empty: "What customers send back will be listed here as soon as the first of them asks for a return.",
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Order", "/order_id", Cell::Record),
        CREATED,
        column("Requested", "/requested_at", Cell::Moment),
        column("Received", "/received_at", Cell::Moment),
        column("Cancelled", "/canceled_at", Cell::Moment),
    ],
    parts: &[RecordPart {
        title: "Items",
        none: "It has no items.",
        source: Source::Lines("items", "/item_id"),
        columns: &[
            column("Line of the order", "/item_id", Cell::Record),
            column("Reason", "/reason/label", Cell::Text),
            column("Note", "/note", Cell::Text),
            column("Sent back", "/quantity", Cell::Count),
            column("Received", "/received_quantity", Cell::Count),
            column("Damaged", "/damaged_quantity", Cell::Count),
        ],
    }],
    actions: &[Action {
        word: "cancel",
        label: "Cancel",
        meaning: "The return ends, and nothing of it is awaited any more. This cannot be undone.",
        api: "/admin/returns/{id}/cancel",
        states: &["open", "requested"],
        ..ACTION
    }],
    pages: &[("Receive", "receive", &["requested", "partially_received"])],
    ..PLAIN
};
