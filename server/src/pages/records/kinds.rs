//! The kinds of records: where the API has them, and what of them is shown.

use serde_json::Value;

use crate::pages::page::Section;

/// A kind of record.
#[derive(Debug)]
pub(super) struct Kind {
    /// The name in the address.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) section: Section,
    pub(super) api: &'static str,
    pub(super) plural: &'static str,
    pub(super) singular: &'static str,
    /// Whether the list can be searched.
    pub(super) is_searched: bool,
    /// Whether the list can be narrowed to the days in which its records were created.
    pub(super) has_days: bool,
    pub(super) filters: &'static [Filter],
    pub(super) columns: &'static [Column],
    /// What will be in the list, and how to begin.
    pub(super) empty: &'static str,
    /// Where a record has its title.
    pub(super) heading: &'static [&'static str],
    /// The facts of a record; none if it has no page.
    pub(super) facts: &'static [Column],
    pub(super) parts: &'static [RecordPart],
    pub(super) actions: &'static [Action],
    /// The name and the address of the page on which a new one begins.
    pub(super) begin: Option<(&'static str, &'static str)>,
}

impl Kind {
    /// Returns the title of a record.
    pub(super) fn title_of(&self, record: &Value) -> Option<String> {
        let texts = self.heading.iter().filter_map(|pointer| record.pointer(pointer)?.as_str());
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }
}

/// A filter of a list.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) values: &'static [&'static str],
}

/// A column of a table, or a fact.
#[derive(Debug)]
pub(in crate::pages) struct Column {
    pub(super) label: &'static str,
    pub(super) pointer: &'static str,
    pub(super) cell: Cell,
}

/// How a value is shown.
#[derive(Debug, Clone, Copy)]
pub(in crate::pages) enum Cell {
    Text,
    /// A link to a kind of record, by the place of its id.
    Link(&'static str, &'static str),
    /// An amount, with the place of its currency.
    Money(&'static str),
    Count,
    /// A share.
    Percent,
    Moment,
    /// A state.
    Chip,
    /// The names of a list, by their place in its members.
    Names(&'static str),
}

impl Cell {
    pub(super) const fn is_number(self) -> bool {
        matches!(self, Self::Money(_) | Self::Count | Self::Percent)
    }
}

/// What belongs to a record.
#[derive(Debug)]
pub(super) struct RecordPart {
    pub(super) title: &'static str,
    pub(super) source: Source,
    pub(super) columns: &'static [Column],
}

/// Where the rows of a part are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// In the record.
    Inside(&'static str),
    /// In a list of the API, with the name of the list in its answer.
    Route(&'static str, &'static str),
}

/// A change with a button, which is asked for once.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) word: &'static str,
    pub(super) label: &'static str,
    /// What will happen.
    pub(super) meaning: &'static str,
    pub(super) api: &'static str,
    /// The states in which it is possible; any if there are none.
    pub(super) states: &'static [&'static str],
}

/// Returns the kind with a name.
pub(super) fn named(name: &str) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.name == name)
}

/// Returns a column, or a fact.
pub(in crate::pages) const fn column(
    label: &'static str,
    pointer: &'static str,
    cell: Cell,
) -> Column {
    Column { label, pointer, cell }
}

const PLAIN: Kind = Kind {
    name: "",
    title: "",
    section: Section::None,
    api: "",
    plural: "",
    singular: "",
    is_searched: true,
    has_days: false,
    filters: &[],
    columns: &[],
    empty: "",
    heading: &[],
    facts: &[],
    parts: &[],
    actions: &[],
    begin: None,
};

const CREATED: Column = column("Created", "/created_at", Cell::Moment);

const ORDERS: &[Column] = &[
    column("Order", "/display_id", Cell::Link("orders", "/id")),
    column("Placed", "/created_at", Cell::Moment),
    column("Customer", "/email", Cell::Text),
    column("Payment", "/payment_status", Cell::Chip),
    column("Fulfilment", "/fulfillment_status", Cell::Chip),
    column("Total", "/total", Cell::Money("/currency_code")),
];

const CREDIT: &[Column] = &[
    column("Account", "/code", Cell::Link("store-credit", "/id")),
    column("Customer", "/customer_id", Cell::Link("customers", "/customer_id")),
    column("Opened", "/created_at", Cell::Moment),
    column("Balance", "/balance", Cell::Money("/currency_code")),
];

const SUBSCRIPTIONS: &[Column] = &[
    column("Subscription", "/id", Cell::Link("subscriptions", "/id")),
    column("Customer", "/customer_id", Cell::Link("customers", "/customer_id")),
    column("Status", "/status", Cell::Chip),
    column("Next order", "/next_billing_at", Cell::Moment),
    CREATED,
];

/// Metrics, for the search; they have pages of their own.
pub(super) static METRICS: Kind = Kind {
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

/// All kinds, in the order of the navigation.
pub(super) static ALL: &[Kind] = &[
    Kind {
        name: "alerts",
        title: "Alerts",
        section: Section::Alerts,
        api: "/admin/metrics/alerts",
        plural: "alerts",
        singular: "alert",
        filters: &[
            Filter { name: "state", label: "State", values: &["firing", "ok", "no_data", "error"] },
            Filter {
                name: "severity",
                label: "Severity",
                values: &["critical", "warning", "info"],
            },
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
            column("Tells", "/channels", Cell::Names("/type")),
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
            states: &[],
        }],
        begin: Some(("New alert", "/app/alerts/new")),
        ..PLAIN
    },
    Kind {
        name: "orders",
        title: "Orders",
        section: Section::Orders,
        api: "/admin/orders",
        plural: "orders",
        singular: "order",
        has_days: true,
        filters: &[
            Filter {
                name: "status",
                label: "Status",
                values: &[
                    "pending",
                    "completed",
                    "draft",
                    "archived",
                    "canceled",
                    "requires_action",
                ],
            },
            Filter {
                name: "payment_status",
                label: "Payment",
                values: &[
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
            },
            Filter {
                name: "fulfillment_status",
                label: "Fulfilment",
                values: &[
                    "not_fulfilled",
                    "partially_fulfilled",
                    "fulfilled",
                    "partially_shipped",
                    "shipped",
                    "partially_delivered",
                    "delivered",
                    "canceled",
                ],
            },
        ],
        columns: ORDERS,
        empty: "Orders will be listed here as soon as a customer completes a cart.",
        ..PLAIN
    },
    Kind {
        name: "products",
        title: "Products",
        section: Section::Products,
        api: "/admin/products",
        plural: "products",
        singular: "product",
        filters: &[Filter {
            name: "status",
            label: "Status",
            values: &["draft", "proposed", "published", "rejected"],
        }],
        columns: &[
            column("Product", "/title", Cell::Link("products", "/id")),
            column("Status", "/status", Cell::Chip),
            column("Collection", "/collection/title", Cell::Text),
            column("SKUs", "/variants", Cell::Names("/sku")),
            CREATED,
        ],
        empty: "What the store sells will be listed here. Products are created with POST /admin/products.",
        heading: &["/title"],
        facts: &[
            column("Status", "/status", Cell::Chip),
            column("Handle", "/handle", Cell::Text),
            column("Subtitle", "/subtitle", Cell::Text),
            column("Description", "/description", Cell::Text),
            column("Collection", "/collection/title", Cell::Text),
            column("Type", "/type/value", Cell::Text),
            column("Tags", "/tags", Cell::Names("/value")),
            CREATED,
            column("Changed", "/updated_at", Cell::Moment),
        ],
        parts: &[
            RecordPart {
                title: "Variants",
                source: Source::Inside("/variants"),
                columns: &[
                    column("Variant", "/title", Cell::Text),
                    column("SKU", "/sku", Cell::Text),
                    column("Stock is kept", "/manage_inventory", Cell::Text),
                    column("Sold without stock", "/allow_backorder", Cell::Text),
                ],
            },
            RecordPart {
                title: "Prices of the first variant",
                source: Source::Inside("/variants/0/prices"),
                columns: &[
                    column("From", "/min_quantity", Cell::Text),
                    column("To", "/max_quantity", Cell::Text),
                    column("Currency", "/currency_code", Cell::Text),
                    column("Price", "/amount", Cell::Money("/currency_code")),
                ],
            },
        ],
        ..PLAIN
    },
    Kind {
        name: "customers",
        title: "Customers",
        section: Section::Customers,
        api: "/admin/customers",
        plural: "customers",
        singular: "customer",
        filters: &[Filter { name: "has_account", label: "Account", values: &["true", "false"] }],
        columns: &[
            column("E-mail", "/email", Cell::Link("customers", "/id")),
            column("First name", "/first_name", Cell::Text),
            column("Last name", "/last_name", Cell::Text),
            column("Company", "/company_name", Cell::Text),
            column("Account", "/has_account", Cell::Text),
            column("Since", "/created_at", Cell::Moment),
        ],
        empty: "Who buys or registers will be listed here.",
        heading: &["/first_name", "/last_name"],
        facts: &[
            column("E-mail", "/email", Cell::Text),
            column("Company", "/company_name", Cell::Text),
            column("Phone", "/phone", Cell::Text),
            column("Has an account", "/has_account", Cell::Text),
            column("Groups", "/groups", Cell::Names("/name")),
            column("Since", "/created_at", Cell::Moment),
        ],
        parts: &[
            RecordPart {
                title: "Orders",
                source: Source::Route("/admin/orders?customer_id={id}&limit=50", "orders"),
                columns: ORDERS,
            },
            RecordPart {
                title: "Store credit",
                source: Source::Route(
                    "/admin/store-credit-accounts?customer_id={id}",
                    "store_credit_accounts",
                ),
                columns: CREDIT,
            },
            RecordPart {
                title: "Subscriptions",
                source: Source::Route("/admin/subscriptions?customer_id={id}", "subscriptions"),
                columns: SUBSCRIPTIONS,
            },
            RecordPart {
                title: "Addresses",
                source: Source::Route("/admin/customers/{id}/addresses", "addresses"),
                columns: &[
                    column("Street", "/address_1", Cell::Text),
                    column("City", "/city", Cell::Text),
                    column("Postal code", "/postal_code", Cell::Text),
                    column("Country", "/country_code", Cell::Text),
                ],
            },
            RecordPart {
                title: "Notes",
                source: Source::Route("/admin/customer-notes?customer_id={id}", "customer_notes"),
                columns: &[
                    column("Note", "/note", Cell::Text),
                    column("By", "/created_by", Cell::Text),
                    CREATED,
                ],
            },
        ],
        ..PLAIN
    },
    Kind {
        name: "store-credit",
        title: "Store credit",
        section: Section::Customers,
        api: "/admin/store-credit-accounts",
        plural: "store_credit_accounts",
        singular: "store_credit_account",
        columns: CREDIT,
        empty: "Accounts of store credit will be listed here. They are opened with POST /admin/store-credit-accounts.",
        heading: &["/code"],
        facts: &[
            column("Balance", "/balance", Cell::Money("/currency_code")),
            column("Customer", "/customer_id", Cell::Link("customers", "/customer_id")),
            CREATED,
        ],
        parts: &[RecordPart {
            title: "Ledger",
            source: Source::Route(
                "/admin/store-credit-accounts/{id}/transactions?limit=100",
                "transactions",
            ),
            columns: &[
                column("When", "/created_at", Cell::Moment),
                column("Kind", "/type", Cell::Chip),
                column("Note", "/note", Cell::Text),
                column("Amount", "/amount", Cell::Money("/currency_code")),
            ],
        }],
        ..PLAIN
    },
    Kind {
        name: "promotions",
        title: "Promotions",
        section: Section::Promotions,
        api: "/admin/promotions",
        plural: "promotions",
        singular: "promotion",
        filters: &[Filter {
            name: "status",
            label: "Status",
            values: &["draft", "active", "inactive"],
        }],
        columns: &[
            column("Code", "/code", Cell::Link("promotions", "/id")),
            column("Status", "/status", Cell::Chip),
            column("Campaign", "/campaign/name", Cell::Text),
            column("Takes off", "/application_method/type", Cell::Text),
            column("Value", "/application_method/value", Cell::Count),
            column("Used", "/used", Cell::Count),
        ],
        empty: "Codes and automatic discounts will be listed here. They are created with POST /admin/promotions.",
        heading: &["/code"],
        facts: &[
            column("Status", "/status", Cell::Chip),
            column("Automatic", "/is_automatic", Cell::Text),
            column("Campaign", "/campaign/name", Cell::Text),
            column("Takes off", "/application_method/type", Cell::Text),
            column("Value", "/application_method/value", Cell::Text),
            column("From", "/application_method/target_type", Cell::Chip),
            column("Used", "/used", Cell::Count),
            column("At most", "/limit", Cell::Count),
        ],
        ..PLAIN
    },
    Kind {
        name: "price-lists",
        title: "Price lists",
        section: Section::Promotions,
        api: "/admin/price-lists",
        plural: "price_lists",
        singular: "price_list",
        columns: &[
            column("Price list", "/title", Cell::Text),
            column("Status", "/status", Cell::Chip),
            column("Kind", "/type", Cell::Text),
            column("From", "/starts_at", Cell::Moment),
            column("Until", "/ends_at", Cell::Moment),
        ],
        empty: "Prices for a time or for groups of customers will be listed here.",
        ..PLAIN
    },
    Kind {
        name: "subscriptions",
        title: "Subscriptions",
        section: Section::Subscriptions,
        api: "/admin/subscriptions",
        plural: "subscriptions",
        singular: "subscription",
        filters: &[Filter {
            name: "status",
            label: "Status",
            values: &["active", "paused", "past_due", "canceled", "expired"],
        }],
        columns: SUBSCRIPTIONS,
        empty: "Subscriptions will be listed here as soon as a customer subscribes to a product with a plan.",
        heading: &["/id"],
        facts: &[
            column("Status", "/status", Cell::Chip),
            column("Customer", "/customer_id", Cell::Link("customers", "/customer_id")),
            column("First order", "/order_id", Cell::Link("orders", "/order_id")),
            column("Next order", "/next_billing_at", Cell::Moment),
            CREATED,
        ],
        parts: &[RecordPart {
            title: "Items",
            source: Source::Inside("/items"),
            columns: &[
                column("Item", "/title", Cell::Text),
                column("Quantity", "/quantity", Cell::Count),
                column("Price", "/unit_price", Cell::Money("/currency_code")),
            ],
        }],
        actions: &[
            Action {
                word: "pause",
                label: "Pause",
                meaning: "No order is made until it is resumed.",
                api: "/admin/subscriptions/{id}/pause",
                states: &["active"],
            },
            Action {
                word: "resume",
                label: "Resume",
                meaning: "The next order is made at its next date.",
                api: "/admin/subscriptions/{id}/resume",
                states: &["paused"],
            },
            Action {
                word: "skip",
                label: "Skip the next delivery",
                meaning: "The next order is not made; the one after it is.",
                api: "/admin/subscriptions/{id}/skip-next-delivery",
                states: &["active"],
            },
            Action {
                word: "retry",
                label: "Charge again",
                meaning: "The saved payment method is charged again for the unpaid order.",
                api: "/admin/subscriptions/{id}/retry-payment",
                states: &["past_due"],
            },
        ],
        ..PLAIN
    },
    Kind {
        name: "plans",
        title: "Plans",
        section: Section::Subscriptions,
        api: "/admin/subscription-plans",
        plural: "subscription_plans",
        singular: "subscription_plan",
        columns: &[
            column("Plan", "/name", Cell::Text),
            column("Every", "/interval_count", Cell::Count),
            column("", "/interval", Cell::Text),
            CREATED,
        ],
        empty: "Plans say how often a product is delivered and what it costs then. They are created with POST /admin/subscription-plans.",
        ..PLAIN
    },
    Kind {
        name: "webhooks",
        title: "Deliveries",
        section: Section::Webhooks,
        api: "/admin/webhook-deliveries",
        plural: "deliveries",
        singular: "delivery",
        is_searched: false,
        filters: &[
            Filter { name: "direction", label: "Direction", values: &["inbound", "outbound"] },
            Filter {
                name: "status",
                label: "Status",
                values: &[
                    "received",
                    "processed",
                    "pending",
                    "delivered",
                    "failed",
                    "dead",
                    "discarded",
                ],
            },
        ],
        columns: &[
            column("Delivery", "/id", Cell::Link("webhooks", "/id")),
            column("Direction", "/direction", Cell::Text),
            column("From", "/receiver", Cell::Text),
            column("Event", "/event", Cell::Text),
            column("Status", "/status", Cell::Chip),
            column("Received", "/received_at", Cell::Moment),
        ],
        empty: "What carriers, warehouses and payment processors report, and what is sent to endpoints, will be listed here.",
        heading: &["/event"],
        facts: &[
            column("Status", "/status", Cell::Chip),
            column("Direction", "/direction", Cell::Text),
            column("From", "/receiver", Cell::Text),
            column("Signature", "/signature", Cell::Text),
            column("Received", "/received_at", Cell::Moment),
            column("Order", "/order_id", Cell::Link("orders", "/order_id")),
        ],
        actions: &[Action {
            word: "redeliver",
            label: "Redeliver",
            meaning: "It takes effect again, or is sent again, under the same id.",
            api: "/admin/webhook-deliveries/{id}/redeliver",
            states: &[],
        }],
        ..PLAIN
    },
    Kind {
        name: "endpoints",
        title: "Endpoints",
        section: Section::Webhooks,
        api: "/admin/webhook-endpoints",
        plural: "webhook_endpoints",
        singular: "webhook_endpoint",
        columns: &[
            column("Address", "/url", Cell::Text),
            column("Events", "/events", Cell::Names("")),
            CREATED,
        ],
        empty: "Addresses that are told what happens will be listed here. They are added with POST /admin/webhook-endpoints.",
        ..PLAIN
    },
    Kind {
        name: "people",
        title: "People",
        section: Section::Settings,
        api: "/admin/users",
        plural: "users",
        singular: "user",
        columns: &[
            column("E-mail", "/email", Cell::Text),
            column("First name", "/first_name", Cell::Text),
            column("Last name", "/last_name", Cell::Text),
            column("Role", "/role", Cell::Chip),
            CREATED,
        ],
        empty: "Who may log in will be listed here.",
        ..PLAIN
    },
    Kind {
        name: "keys",
        title: "Keys",
        section: Section::Settings,
        api: "/admin/api-keys",
        plural: "api_keys",
        singular: "api_key",
        filters: &[Filter { name: "type", label: "Kind", values: &["publishable", "secret"] }],
        columns: &[
            column("Key", "/title", Cell::Text),
            column("Begins with", "/redacted", Cell::Text),
            column("Kind", "/type", Cell::Chip),
            column("Last used", "/last_used_at", Cell::Moment),
            column("Revoked", "/revoked_at", Cell::Moment),
        ],
        empty: "Keys of programs and storefronts will be listed here. They are made with POST /admin/api-keys.",
        ..PLAIN
    },
    Kind {
        name: "regions",
        title: "Regions",
        section: Section::Settings,
        api: "/admin/regions",
        plural: "regions",
        singular: "region",
        columns: &[
            column("Region", "/name", Cell::Text),
            column("Currency", "/currency_code", Cell::Text),
            column("Countries", "/countries", Cell::Names("/iso_2")),
        ],
        empty: "Where the store sells, and in which currency, will be listed here.",
        ..PLAIN
    },
    Kind {
        name: "tax-regions",
        title: "Taxes",
        section: Section::Settings,
        api: "/admin/tax-regions",
        plural: "tax_regions",
        singular: "tax_region",
        columns: &[
            column("Country", "/country_code", Cell::Text),
            column("Province", "/province_code", Cell::Text),
            column("Rates", "/tax_rates", Cell::Names("/name")),
        ],
        empty: "Where which taxes are charged will be listed here.",
        ..PLAIN
    },
    Kind {
        name: "shipping-options",
        title: "Shipping",
        section: Section::Settings,
        api: "/admin/shipping-options",
        plural: "shipping_options",
        singular: "shipping_option",
        columns: &[
            column("Option", "/name", Cell::Text),
            column("Price", "/price_type", Cell::Text),
            column("Provider", "/provider_id", Cell::Text),
        ],
        empty: "How orders are sent will be listed here.",
        ..PLAIN
    },
    Kind {
        name: "channels",
        title: "Sales channels",
        section: Section::Settings,
        api: "/admin/sales-channels",
        plural: "sales_channels",
        singular: "sales_channel",
        columns: &[
            column("Channel", "/name", Cell::Text),
            column("Description", "/description", Cell::Text),
            column("Off", "/is_disabled", Cell::Text),
        ],
        empty: "Where the store sells will be listed here.",
        ..PLAIN
    },
];
