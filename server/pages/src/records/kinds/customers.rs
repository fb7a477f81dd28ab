//! Customers and their store credit.

use super::orders::ORDER_COLUMNS;
use super::prelude::*;
use super::subscriptions::SUBSCRIPTION_COLUMNS;

const CREDIT: &[Column] = &[
    column("Account", "/code", Cell::Link("store-credit", "/id")),
    column("Customer", "/customer_id", Cell::Record),
    column("Opened", "/created_at", Cell::Moment),
    column("Balance", "/balance", Cell::Money("/currency_code")),
];

const MOVES: &[(&str, &str)] = &[("CREDIT", "put in"), ("DEBIT", "taken out")];

const LEDGER: &[Column] = &[
    column("When", "/created_at", Cell::Moment),
    column("Kind", "/kind", Cell::Word(MOVES)),
    column("Note", "/note", Cell::Text),
    column("Order", "/order_id", Cell::Record),
    column("Amount", "/amount", Cell::Money("/currency_code")),
    column("Balance", "/balance_after", Cell::Money("/currency_code")),
];

const CUSTOMER: &[Field] = &[
    field("email", "E-mail", "/email", Input::Email).required(),
    field("first_name", "First name", "/first_name", Input::Line),
    field("last_name", "Last name", "/last_name", Input::Line),
    field("company", "Company", "/company_name", Input::Line),
    field("phone", "Phone", "/phone", Input::Line),
];

const MOVEMENT: &[Field] = &[
    field("amount", "Amount", "/amount", Input::Amount)
        .required()
        .hint("In the account’s currency."),
    field("note", "Note", "/note", Input::Line).hint("Why. The customer can read it."),
];

pub(crate) static CUSTOMERS: Kind = Kind {
    name: "customers",
    title: "Customers",
    noun: "Customer",
    section: Section::Customers,
    api: "/admin/customers",
    plural: "customers",
    singular: "customer",
    filters: &[filter("has_account", "Account", &["true", "false"])],
    sorts: &["email", "created_at"],
    columns: &[
        column("E-mail", "/email", Cell::Link("customers", "/id")),
        column("First name", "/first_name", Cell::Text),
        column("Last name", "/last_name", Cell::Text),
        column("Company", "/company_name", Cell::Text),
        column("Account", "/has_account", Cell::Text),
        column("Since", "/created_at", Cell::Moment),
    ],
    empty: "Who buys or registers will be listed here. Somebody who has done neither begins with New customer.",
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
            none: "What the customer orders will be listed here.",
            source: Source::Route("/admin/orders?customer_id={id}&limit=50", "orders"),
            columns: ORDER_COLUMNS,
        },
        RecordPart {
            title: "Membership tier",
            none: "The customer is in no tier. Tiers are listed beside the customers.",
            source: Source::Route("/admin/customers/{id}/membership-tier", "tier"),
            columns: &[
                column("Name", "/name", Cell::Link("tiers", "/id")),
                column("Rank", "/rank", Cell::Count),
            ],
        },
        RecordPart {
            title: "Store credit",
            none: "Accounts of store credit will be listed here. Begin with Open store credit.",
            source: Source::Route(
                "/admin/store-credit-accounts?customer_id={id}&limit=10",
                "store_credit_accounts",
            ),
            columns: CREDIT,
        },
        RecordPart {
            title: "Credit ledger",
            none: "What is put into store credit and spent of it will be listed here.",
            source: Source::Below(
                &(
                    "/admin/store-credit-accounts?customer_id={id}&limit=10",
                    "store_credit_accounts",
                ),
                &("/admin/store-credit-accounts/{id}/transactions?limit=20", "transactions"),
            ),
            columns: LEDGER,
        },
        RecordPart {
            title: "Subscriptions",
            none: "What the customer subscribes to will be listed here.",
            source: Source::Route("/admin/subscriptions?customer_id={id}", "subscriptions"),
            columns: SUBSCRIPTION_COLUMNS,
        },
        RecordPart {
            title: "Addresses",
            none: "Addresses that the customer saves will be listed here.",
            source: Source::Route("/admin/customers/{id}/addresses", "addresses"),
            columns: &[
                column("Street", "/address_1", Cell::Text),
                column("City", "/city", Cell::Text),
                column("Postal code", "/postal_code", Cell::Text),
                column("Country", "/country_code", Cell::Country),
            ],
        },
        RecordPart {
            title: "Notes",
            none: "What you note about the customer will be listed here. Begin with Write a note.",
            source: Source::Route("/admin/customer-notes?customer_id={id}", "customer_notes"),
            columns: &[
                column("Note", "/note", Cell::Text),
                column("By", "/created_by", Cell::Record),
                CREATED,
                row_form("Delete", "customers", "remove-note", "/id"),
            ],
        },
    ],
    forms: &[
        FormSpec { fields: CUSTOMER, ..creation("New customer") },
        FormSpec { fields: CUSTOMER, ..CHANGE },
        FormSpec {
            word: "note",
            label: "Write a note",
            lead: "Only those who run the store read it.",
            api: "/admin/customer-notes",
            fields: &[field("note", "Note", "/note", Input::Text).required()],
            fixed: &[("/customer_id", Fixed::Id)],
            ..FORM
        },
        FormSpec {
            word: "credit",
            label: "Open store credit",
            button: "Open",
            lead: "An account is opened, with nothing in it. Each currency has its own.",
            api: "/admin/store-credit-accounts",
            fields: &[field("currency", "Currency", "/currency_code", Input::Currency).required()],
            fixed: &[("/customer_id", Fixed::Id)],
            ..FORM
        },
        FormSpec {
            word: "erase",
            label: "Erase",
            button: "Erase for good",
            lead: "The name, the e-mail address, the addresses, the notes, the saved payment methods and the log-in of this customer are erased. Orders and amounts stay for the accounts, without a name. It is refused while an order is open or a subscription runs. It cannot be undone.",
            api: "/admin/customers/{id}/erase",
            fields: &[
                field("reason", "Reason", "/reason", Input::Line)
                    .required()
                    .hint("It is written down, without a name."),
                field(
                    "forfeit",
                    "Store credit that is left may be lost",
                    "/confirm_forfeit",
                    Input::Yes,
                ),
            ],
            then: Then::List,
            is_final: true,
            ..FORM
        },
        removal(
            "remove-note",
            "Delete a note",
            "/admin/customer-notes/{of}",
            "Nobody can read it any more. It cannot be undone.",
        ),
    ],
    export: Some(("customer", "/admin/customers/{id}/export")),
    ..PLAIN
};

pub(super) static STORE_CREDIT: Kind = Kind {
    name: "store-credit",
    title: "Store credit",
    noun: "Account",
    section: Section::Customers,
    api: "/admin/store-credit-accounts",
    plural: "store_credit_accounts",
    singular: "store_credit_account",
    sorts: &["created_at"],
    columns: CREDIT,
    empty: "Accounts of store credit will be listed here. One begins on the page of a customer, or with New account for whoever has its code.",
    heading: &["/code"],
    facts: &[
        column("Balance", "/balance", Cell::Money("/currency_code")),
        column("Put in", "/credits", Cell::Money("/currency_code")),
        column("Taken out", "/debits", Cell::Money("/currency_code")),
        column("Customer", "/customer_id", Cell::Record),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Ledger",
        none: "What is put in and spent will be listed here. Begin with Put in.",
        source: Source::Route(
            "/admin/store-credit-accounts/{id}/transactions?limit=100",
            "transactions",
        ),
        columns: LEDGER,
    }],
    forms: &[
        FormSpec {
            lead: "An account of nobody: whoever has its code can claim it.",
            fields: &[field("currency", "Currency", "/currency_code", Input::Currency).required()],
            ..creation("New account")
        },
        FormSpec {
            word: "credit",
            label: "Put in",
            button: "Put in",
            lead: "The amount is added to the balance, and can be spent at once.",
            api: "/admin/store-credit-accounts/{id}/credit",
            fields: MOVEMENT,
            ..FORM
        },
        FormSpec {
            word: "debit",
            label: "Take out",
            button: "Take out",
            lead: "The amount is taken from the balance, which cannot fall below zero.",
            api: "/admin/store-credit-accounts/{id}/debit",
            fields: MOVEMENT,
            ..FORM
        },
    ],
    ..PLAIN
};

const TIER: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    field("rank", "Rank", "/rank", Input::Count)
        .required()
        .hint("Customers are in the tier of the highest rank whose condition holds."),
    field("condition", "Condition", "/condition", Input::Line).required().hint(
        "Over the orders of a customer, such as: trailing(sum(orders.total), 12 months) >= 500 EUR",
    ),
    field("currency", "Currency of the orders that count", "/currency_code", Input::Currency)
        .required(),
];

pub(super) static TIERS: Kind = Kind {
    name: "tiers",
    title: "Tiers",
    noun: "Tier",
    section: Section::Customers,
    api: "/admin/membership-tiers",
    plural: "membership_tiers",
    singular: "membership_tier",
    order: "-rank",
    sorts: &["name", "rank", "created_at"],
    columns: &[
        column("Name", "/name", Cell::Link("tiers", "/id")),
        column("Rank", "/rank", Cell::Count),
        column("Condition", "/condition", Cell::Text),
        CREATED,
    ],
    empty: "Tiers of customers, each with a condition on their orders, will be listed here. Begin with New tier.",
    facts: &[
        column("Rank", "/rank", Cell::Count),
        column("Condition", "/condition", Cell::Text),
        column("Currency", "/currency_code", Cell::Code),
        CREATED,
    ],
    forms: &[
        FormSpec {
            lead: "Nobody is put into a tier: whose orders meet the condition is in it.",
            fields: TIER,
            ..creation("New tier")
        },
        FormSpec { lead: "It holds at once, for all customers.", fields: TIER, ..CHANGE },
        deletion(
            "Customers in this tier are at once in the next one whose condition their orders meet, or in none. It cannot be undone.",
        ),
    ],
    ..PLAIN
};
