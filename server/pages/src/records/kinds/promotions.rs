//! Promotions and price lists.

use super::prelude::*;

const STATUSES: &[(&str, &str)] = &[
    ("draft", "draft: it takes nothing off"),
    ("active", "active"),
    ("inactive", "inactive: it takes nothing off any more"),
];

const TARGETS: &[(&str, &str)] =
    &[("items", "the items"), ("order", "the order"), ("shipping_methods", "the shipping")];

const TAKEN: Cell = Cell::Share("/application_method/type", "/application_method/currency_code");

const KINDS: &[(&str, &str)] =
    &[("standard", "a discount"), ("buyget", "pieces given for pieces bought")];

const SHARES: &[(&str, &str)] = &[
    ("across", "across all of them"),
    ("each", "each gets the whole"),
    ("once", "one of them gets it"),
];

const OPERATORS: &[(&str, &str)] = &[
    ("eq", "is"),
    ("ne", "is not"),
    ("in", "is one of"),
    ("gt", "is more than"),
    ("gte", "is at least"),
    ("lt", "is less than"),
    ("lte", "is at most"),
];

const RULES: &[Column] = &[
    column("What", "/attribute", Cell::Text),
    column("Is", "/operator", Cell::Word(OPERATORS)),
    column("Values", "/values", Cell::Names("/value")),
    column("Description", "/description", Cell::Text),
];

const LIST_TYPES: &[(&str, &str)] = &[
    ("sale", "sale: the old price is shown beside it"),
    ("override", "other prices: the old price is not shown"),
];

const VALUE: Field = field("value", "Value", "/application_method/value", Input::Amount)
    .required()
    .hint("Percent, or an amount.");

const STATUS: Field = field("status", "Status", "/status", Input::Choice(STATUSES)).required();

const AUTOMATIC: Field =
    field("automatic", "Without the code being typed", "/is_automatic", Input::Yes);

const LIMIT: Field = field("limit", "At most", "/limit", Input::Count)
    .hint("How often it can be used by all customers together. Empty: without a limit.");

const CODE: Field = field("code", "Code", "/code", Input::Line).required();

const LIST_STATUSES: &[(&str, &str)] = &[("draft", "draft"), ("active", "active")];

const LIST: &[Field] = &[
    field("title", "Title", "/title", Input::Line).required(),
    field("description", "Description", "/description", Input::Line),
    field("type", "Kind", "/type", Input::Choice(LIST_TYPES)).required(),
    field("status", "Status", "/status", Input::Choice(LIST_STATUSES)).required(),
    field("starts", "From", "/starts_at", Input::Moment).hint("Empty: at once."),
    field("ends", "Until", "/ends_at", Input::Moment).hint("Empty: without an end."),
];

const FROM_HINT: &str = "The least quantity for which it holds. Empty: any.";
const TO_HINT: &str = "The greatest quantity for which it holds. Empty: any.";

const DISCOUNTS: &[(&str, &str)] = &[("percentage", "percent"), ("fixed", "an amount")];

pub(super) static PROMOTIONS: Kind = Kind {
    name: "promotions",
    title: "Promotions",
    noun: "Promotion",
    section: Section::Promotions,
    api: "/admin/promotions",
    plural: "promotions",
    singular: "promotion",
    filters: &[filter("status", "Status", &["draft", "active", "inactive"])],
    order: "id",
    sorts: &["code"],
    columns: &[
        column("Code", "/code", Cell::Link("promotions", "/id")),
        column("Status", "/status", Cell::Chip),
        column("Campaign", "/campaign/name", Cell::Text),
        column("Takes off", "/application_method/value", TAKEN),
        column("Used", "/used", Cell::Count),
    ],
    empty: "Codes and automatic discounts will be listed here. Begin with New promotion: a code and what it takes off.",
    heading: &["/code"],
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Automatic", "/is_automatic", Cell::Text),
        column("Campaign", "/campaign/name", Cell::Text),
        column("Takes off", "/application_method/value", TAKEN),
        column("From", "/application_method/target_type", Cell::Word(TARGETS)),
        column("Kind", "/type", Cell::Word(KINDS)),
        column("Shared", "/application_method/allocation", Cell::Word(SHARES)),
        column("Pieces to buy", "/application_method/buy_rules_min_quantity", Cell::Count),
        column("Pieces given", "/application_method/apply_to_quantity", Cell::Count),
        column("Pieces at most", "/application_method/max_quantity", Cell::Count),
        column("Used", "/used", Cell::Count),
        column("At most", "/limit", Cell::Count),
        CREATED,
    ],
    parts: &[
        RecordPart {
            title: "Rules",
            none: "It holds for everybody: rules on the cart and its customer would be listed here.",
            source: Source::Inside("rules"),
            columns: RULES,
        },
        RecordPart {
            title: "What it is taken off",
            none: "It is taken off everything: rules on the items would be listed here.",
            source: Source::Inside("application_method/target_rules"),
            columns: RULES,
        },
        RecordPart {
            title: "What must be bought",
            none: "Where pieces are given for others that are bought, rules on those would be listed here.",
            source: Source::Inside("application_method/buy_rules"),
            columns: RULES,
        },
    ],
    forms: &[
        FormSpec {
            fields: &[
                CODE,
                STATUS,
                AUTOMATIC,
                field("type", "Takes off", "/application_method/type", Input::Choice(DISCOUNTS))
                    .required(),
                VALUE,
                field("currency", "Currency", "/application_method/currency_code", Input::Currency)
                    .hint("Of an amount; carts in another currency do not get it."),
                field("target", "From", "/application_method/target_type", Input::Choice(TARGETS))
                    .required(),
                field(
                    "allocation",
                    "Shared",
                    "/application_method/allocation",
                    Input::Choice(SHARES),
                )
                .required(),
                LIMIT,
            ],
            fixed: &[("/type", Fixed::Text("standard"))],
            ..creation("New promotion")
        },
        FormSpec {
            lead: "Orders that have been placed keep what was taken off.",
            fields: &[CODE, STATUS, AUTOMATIC, VALUE, LIMIT],
            ..CHANGE
        },
        deletion(
            "It takes nothing off any more. Orders that used it keep what was taken off. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

pub(super) static PRICE_LISTS: Kind = Kind {
    name: "price-lists",
    title: "Price lists",
    noun: "Price list",
    section: Section::Promotions,
    api: "/admin/price-lists",
    plural: "price_lists",
    singular: "price_list",
    order: "id",
    sorts: &["title", "status", "type", "starts_at", "ends_at"],
    columns: &[
        column("Price list", "/title", Cell::Link("price-lists", "/id")),
        column("Status", "/status", Cell::Chip),
        column("Kind", "/type", Cell::Word(LIST_TYPES)),
        column("From", "/starts_at", Cell::Moment),
        column("Until", "/ends_at", Cell::Moment),
    ],
    empty: "Prices for a time or for groups of customers will be listed here. Begin with New price list.",
    heading: &["/title"],
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Kind", "/type", Cell::Word(LIST_TYPES)),
        column("Description", "/description", Cell::Text),
        column("From", "/starts_at", Cell::Moment),
        column("Until", "/ends_at", Cell::Moment),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Prices",
        none: "Prices of variants will be listed here. Begin with Add a price.",
        source: Source::Inside("prices"),
        columns: &[
            column("Variant", "/variant_id", Cell::Record),
            column("From", "/min_quantity", Cell::Text),
            column("To", "/max_quantity", Cell::Text),
            column("Price", "/amount", Cell::Money("/currency_code")),
            row_form("Change", "price-lists", "price", "/id"),
            row_form("Remove", "price-lists", "remove-price", "/id"),
        ],
    }],
    forms: &[
        FormSpec { fields: LIST, ..creation("New price list") },
        FormSpec { fields: LIST, ..CHANGE },
        FormSpec {
            word: "add-price",
            label: "Add a price",
            api: "/admin/price-lists/{id}/prices/batch",
            fields: &[
                field("sku", "SKU", "/create/0/variant_id", Input::Sku)
                    .required()
                    .hint("Of the variant, as it stands on the page of its product."),
                field("amount", "Price", "/create/0/amount", Input::Amount).required(),
                field("currency", "Currency", "/create/0/currency_code", Input::Currency)
                    .required(),
                field("from", "From", "/create/0/min_quantity", Input::Count).hint(FROM_HINT),
                field("to", "To", "/create/0/max_quantity", Input::Count).hint(TO_HINT),
            ],
            ..FORM
        },
        FormSpec {
            word: "price",
            label: "Change a price",
            api: "/admin/price-lists/{id}/prices/batch",
            present: Present::At("/admin/price-lists/{id}", "/price_list/prices"),
            fields: &[
                field("amount", "Price", "/update/0/amount", Input::Amount)
                    .required()
                    .shown_from("/amount"),
                field("from", "From", "/update/0/min_quantity", Input::Count)
                    .shown_from("/min_quantity")
                    .hint(FROM_HINT),
                field("to", "To", "/update/0/max_quantity", Input::Count)
                    .shown_from("/max_quantity")
                    .hint(TO_HINT),
            ],
            fixed: &[
                ("/update/0/id", Fixed::Of),
                ("/update/0/variant_id", Fixed::Present("/variant_id")),
                ("/update/0/currency_code", Fixed::Present("/currency_code")),
                ("/update/0/rules", Fixed::Present("/rules")),
            ],
            ..ROW
        },
        FormSpec {
            word: "remove-price",
            label: "Remove a price",
            button: "Remove",
            lead: "From now on the price of the product itself holds. Orders that have been placed keep theirs.",
            api: "/admin/price-lists/{id}/prices/batch",
            fixed: &[("/delete/0", Fixed::Of)],
            is_final: true,
            ..ROW
        },
        deletion(
            "The prices of the products themselves hold again. Orders that were placed keep theirs. It cannot be undone.",
        ),
    ],
    ..PLAIN
};
