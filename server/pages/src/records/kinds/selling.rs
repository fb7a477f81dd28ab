//! Where and how the store sells: the store itself, regions, taxes, channels.

use super::prelude::*;
use crate::locale::CHOICES as LOCALES;

/// The list of sales channels that forms offer.
pub(super) const CHANNELS_LIST: &str = "/admin/sales-channels?limit=200";

/// The sales channels of a location or a key.
pub(super) const CHANNELS: Field = field(
    "channel",
    "Sells through",
    "",
    Input::Several(CHANNELS_LIST, "sales_channels", Chosen::Changes(&[])),
)
.shown_from("/sales_channels");

const REGION_QUERY: &str = "?fields=*payment_providers";

const PROVIDERS_OF_PAYMENTS: Input = Input::Several(
    "/admin/payments/payment-providers?limit=100",
    "payment_providers",
    Chosen::Ids(PAYMENTS),
);

const REGION: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    field("currency", "Currency", "/currency_code", Input::Currency).required(),
    field("automatic", "Taxes are computed", "/automatic_taxes", Input::Yes).checked(),
    field("inclusive", "Prices include taxes", "/is_tax_inclusive", Input::Yes),
    field("paid", "Paid by", "/payment_providers", PROVIDERS_OF_PAYMENTS).checked(),
];

pub(super) static REGIONS: Kind = Kind {
    name: "regions",
    title: "Regions",
    noun: "Region",
    section: Section::Settings,
    api: "/admin/regions",
    plural: "regions",
    singular: "region",
    query: REGION_QUERY,
    order: "id",
    sorts: &["name", "currency_code"],
    columns: &[
        column("Region", "/name", Cell::Link("regions", "/id")),
        column("Currency", "/currency_code", Cell::Code),
        column("Countries", "/countries", Cell::Names("/display_name")),
    ],
    empty: "Where the store sells, and in which currency, will be listed here. Begin with New region.",
    facts: &[
        column("Currency", "/currency_code", Cell::Code),
        column("Taxes are computed", "/automatic_taxes", Cell::Text),
        column("Prices include taxes", "/is_tax_inclusive", Cell::Text),
        column("Paid through", "/payment_providers", Cell::Words("/id", PROVIDERS)),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Countries",
        none: "The countries of the region will be listed here. Begin with Countries.",
        source: Source::Inside("countries"),
        columns: &[
            column("Country", "/display_name", Cell::Text),
            column("Code", "/iso_2", Cell::Code),
        ],
    }],
    forms: &[
        FormSpec { fields: REGION, ..creation("New region") },
        FormSpec {
            present: Present::At("/admin/regions/{id}?fields=*payment_providers", "/region"),
            fields: REGION,
            ..CHANGE
        },
        FormSpec {
            word: "countries",
            label: "Countries",
            lead: "These countries belong to the region, and no others.",
            fields: &[field("countries", "Countries", "/countries", Input::Words)
                .required()
                .hint("Their codes of two letters, such as gb, ie.")],
            ..CHANGE
        },
        deletion(
            "Its countries are free for another region, and carts of it find no region any more. Orders that were placed stay. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

const NAME: Field = field("name", "Name", "/name", Input::Line).required();
const CODE: Field = field("code", "Code", "/code", Input::Line).required();
const RATE: Field = field("rate", "Percent", "/rate", Input::Amount).required();

pub(super) static TAX_REGIONS: Kind = Kind {
    name: "tax-regions",
    title: "Taxes",
    noun: "Tax region",
    section: Section::Settings,
    api: "/admin/tax-regions",
    plural: "tax_regions",
    singular: "tax_region",
    order: "id",
    sorts: &["country_code", "province_code"],
    columns: &[
        column("Country", "/country_code", Cell::Link("tax-regions", "/id")),
        column("Province", "/province_code", Cell::Code),
        column("Rates", "/tax_rates", Cell::Names("/name")),
        column("Percent", "/tax_rates", Cell::Names("/rate")),
    ],
    empty: "Where which taxes are charged will be listed here. Begin with New country.",
    heading: &["/country_code", "/province_code"],
    facts: &[
        column("Country", "/country_code", Cell::Country),
        column("Province", "/province_code", Cell::Code),
        column("Computed by", "/provider_id", Cell::Word(PROVIDERS)),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Rates",
        none: "What is charged will be listed here. Begin with Add a rate.",
        source: Source::Inside("tax_rates"),
        columns: &[
            column("Rate", "/name", Cell::Text),
            column("Code", "/code", Cell::Text),
            column("For everything else", "/is_default", Cell::Text),
            column("Added to others", "/is_combinable", Cell::Text),
            column("Percent", "/rate", Cell::Count),
            row_form("Change", "tax-regions", "rate", "/id"),
            row_form("Delete", "tax-regions", "remove-rate", "/id"),
        ],
    }],
    forms: &[
        FormSpec {
            fields: &[
                field("country", "Country", "/country_code", Input::Country).required(),
                field("name", "Name of the tax", "/default_tax_rate/name", Input::Line).required(),
                field("code", "Code of the tax", "/default_tax_rate/code", Input::Line).required(),
                field("rate", "Percent", "/default_tax_rate/rate", Input::Amount).required(),
            ],
            ..creation("New country")
        },
        FormSpec {
            word: "add-rate",
            label: "Add a rate",
            api: "/admin/tax-rates",
            fields: &[
                NAME,
                CODE,
                RATE,
                field("default", "For everything else", "/is_default", Input::Yes),
            ],
            fixed: &[("/tax_region_id", Fixed::Id)],
            ..FORM
        },
        FormSpec {
            word: "rate",
            label: "Change a rate",
            lead: "Orders that were placed keep their taxes.",
            api: "/admin/tax-rates/{of}",
            present: Present::At("/admin/tax-rates/{of}", "/tax_rate"),
            fields: &[NAME, CODE, RATE],
            ..ROW
        },
        deletion(
            "Its rates go with it, and so do the provinces below it. Orders that were placed keep their taxes. It cannot be undone.",
        ),
        removal(
            "remove-rate",
            "Delete a rate",
            "/admin/tax-rates/{of}",
            "It is charged no more. Orders that were placed keep their taxes. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

const CHANNEL: &[Field] = &[
    NAME,
    field("description", "Description", "/description", Input::Line),
    field("off", "Off", "/is_disabled", Input::Yes),
];

pub(super) static SALES_CHANNELS: Kind = Kind {
    name: "channels",
    title: "Sales channels",
    noun: "Sales channel",
    section: Section::Settings,
    api: "/admin/sales-channels",
    plural: "sales_channels",
    singular: "sales_channel",
    order: "id",
    sorts: &["name"],
    columns: &[
        column("Channel", "/name", Cell::Link("channels", "/id")),
        column("Description", "/description", Cell::Text),
        column("Off", "/is_disabled", Cell::Text),
    ],
    empty: "Where the store sells will be listed here. Begin with New channel.",
    facts: &[
        column("Description", "/description", Cell::Text),
        column("Off", "/is_disabled", Cell::Text),
        CREATED,
    ],
    forms: &[
        FormSpec { fields: CHANNEL, ..creation("New channel") },
        FormSpec { fields: CHANNEL, ..CHANGE },
        deletion(
            "Nothing is sold through it any more. Orders that were placed stay. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

pub(super) static STORES: Kind = Kind {
    name: "stores",
    title: "Store",
    noun: "Store",
    section: Section::Settings,
    api: "/admin/stores",
    plural: "stores",
    singular: "store",
    is_searched: false,
    order: "id",
    sorts: &["name"],
    columns: &[
        column("Store", "/name", Cell::Link("stores", "/id")),
        column("Currency", "/default_currency_code", Cell::Code),
        column("Time zone", "/time_zone", Cell::Text),
    ],
    empty: "The store itself will be here.",
    facts: &[
        column("Currency", "/default_currency_code", Cell::Code),
        column("Sells in", "/supported_currencies", Cell::Names("/currency/name")),
        column("Time zone", "/time_zone", Cell::Text),
        column("Numbers and days", "/locale", Cell::Word(LOCALES)),
        CREATED,
    ],
    forms: &[
        FormSpec {
            lead: "Days begin and end in the time zone, in every report and metric.",
            fields: &[
                NAME,
                field("zone", "Time zone", "/time_zone", Input::Line)
                    .required()
                    .hint("Such as Europe/London."),
                field("locale", "Numbers and days", "/locale", Input::Choice(LOCALES))
                    .required()
                    .hint("How they are written on these pages, and how amounts are typed."),
            ],
            ..CHANGE
        },
        FormSpec {
            word: "currencies",
            label: "Currencies",
            lead: "The first one is the store's own. Forms ask for a price in each of them.",
            fields: &[field(
                "currencies",
                "Currencies",
                "/supported_currencies",
                Input::Currencies,
            )
            .required()
            .hint("Their codes of three letters, such as gbp, eur.")],
            ..CHANGE
        },
    ],
    ..PLAIN
};
