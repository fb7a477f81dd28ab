//! Where and how the store sells: the store itself, regions, taxes, shipping, locations, channels.

use super::{CREATED, Cell, FormLink, Kind, PLAIN, RecordPart, Source, column};
use crate::pages::page::Section;
use crate::pages::records::fields::{FORM, Field, Fixed, FormSpec, Input, Place, Then, field};

const REGION: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    field("currency", "Currency", "/currency_code", Input::Currency).required(),
    field("automatic", "Taxes are computed", "/automatic_taxes", Input::Yes).checked(),
    field("inclusive", "Prices include taxes", "/is_tax_inclusive", Input::Yes),
];

pub(super) static REGIONS: Kind = Kind {
    name: "regions",
    title: "Regions",
    noun: "Region",
    section: Section::Settings,
    api: "/admin/regions",
    plural: "regions",
    singular: "region",
    order: "id",
    sorts: &["name", "currency_code"],
    columns: &[
        column("Region", "/name", Cell::Link("regions", "/id")),
        column("Currency", "/currency_code", Cell::Text),
        column("Countries", "/countries", Cell::Names("/iso_2")),
    ],
    empty: "Where the store sells, and in which currency, will be listed here. Begin with New region.",
    heading: &["/name"],
    facts: &[
        column("Currency", "/currency_code", Cell::Text),
        column("Taxes are computed", "/automatic_taxes", Cell::Text),
        column("Prices include taxes", "/is_tax_inclusive", Cell::Text),
        column("Paid through", "/payment_providers", Cell::Names("/id")),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Countries",
        source: Source::Inside("/countries"),
        columns: &[
            column("Country", "/display_name", Cell::Text),
            column("Code", "/iso_2", Cell::Text),
        ],
    }],
    forms: &[
        FormSpec {
            word: "new",
            label: "New region",
            place: Place::List,
            api: "/admin/regions",
            fields: REGION,
            then: Then::Made("/region/id"),
            ..FORM
        },
        FormSpec {
            word: "change",
            label: "Change",
            api: "/admin/regions/{id}",
            present: Some(("/admin/regions/{id}", "/region")),
            fields: REGION,
            ..FORM
        },
        FormSpec {
            word: "countries",
            label: "Countries",
            lead: "These countries belong to the region, and no others.",
            api: "/admin/regions/{id}",
            fields: &[field("countries", "Countries", "/countries", Input::Words)
                .required()
                .hint("Their codes of two letters, such as gb, ie.")],
            ..FORM
        },
    ],
    ..PLAIN
};

static RATE: FormLink =
    FormLink { text: "Change", kind: "tax-regions", id: "/record_id", form: "rate", of: "/id" };

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
        column("Province", "/province_code", Cell::Text),
        column("Rates", "/tax_rates", Cell::Names("/name")),
        column("Percent", "/tax_rates", Cell::Names("/rate")),
    ],
    empty: "Where which taxes are charged will be listed here. Begin with New country.",
    heading: &["/country_code", "/province_code"],
    facts: &[
        column("Country", "/country_code", Cell::Text),
        column("Province", "/province_code", Cell::Text),
        column("Computed by", "/provider_id", Cell::Text),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Rates",
        source: Source::Inside("/tax_rates"),
        columns: &[
            column("Rate", "/name", Cell::Text),
            column("Code", "/code", Cell::Text),
            column("For everything else", "/is_default", Cell::Text),
            column("Added to others", "/is_combinable", Cell::Text),
            column("Percent", "/rate", Cell::Text),
            column("Form", "", Cell::Form(&RATE)),
        ],
    }],
    forms: &[
        FormSpec {
            word: "new",
            label: "New country",
            place: Place::List,
            api: "/admin/tax-regions",
            fields: &[
                field("country", "Country", "/country_code", Input::Line)
                    .required()
                    .hint("Its code of two letters, such as gb."),
                field("name", "Name of the tax", "/default_tax_rate/name", Input::Line).required(),
                field("code", "Code of the tax", "/default_tax_rate/code", Input::Line).required(),
                field("rate", "Percent", "/default_tax_rate/rate", Input::Amount).required(),
            ],
            then: Then::Made("/tax_region/id"),
            ..FORM
        },
        FormSpec {
            word: "add-rate",
            label: "Add a rate",
            api: "/admin/tax-rates",
            fields: &[
                field("name", "Name", "/name", Input::Line).required(),
                field("code", "Code", "/code", Input::Line).required(),
                field("rate", "Percent", "/rate", Input::Amount).required(),
                field("default", "For everything else", "/is_default", Input::Yes),
            ],
            fixed: &[("/tax_region_id", Fixed::Id)],
            ..FORM
        },
        FormSpec {
            word: "rate",
            label: "Change a rate",
            lead: "Orders that were placed keep their taxes.",
            place: Place::Row,
            api: "/admin/tax-rates/{of}",
            present: Some(("/admin/tax-rates/{of}", "/tax_rate")),
            fields: &[
                field("name", "Name", "/name", Input::Line).required(),
                field("code", "Code", "/code", Input::Line).required(),
                field("rate", "Percent", "/rate", Input::Amount).required(),
            ],
            ..FORM
        },
    ],
    ..PLAIN
};

pub(super) static SHIPPING_OPTIONS: Kind = Kind {
    name: "shipping-options",
    title: "Shipping",
    noun: "Shipping option",
    section: Section::Settings,
    api: "/admin/shipping-options",
    plural: "shipping_options",
    singular: "shipping_option",
    order: "id",
    sorts: &["name"],
    columns: &[
        column("Option", "/name", Cell::Link("shipping-options", "/id")),
        column("Where", "/service_zone/name", Cell::Text),
        column("Kind of price", "/price_type", Cell::Text),
        column("Prices", "/prices", Cell::Prices),
    ],
    empty: "How orders are sent, where and for how much, will be listed here.",
    heading: &["/name"],
    facts: &[
        column("Where", "/service_zone/name", Cell::Text),
        column("For", "/shipping_profile/name", Cell::Text),
        column("Sent by", "/provider_id", Cell::Text),
        column("Kind of price", "/price_type", Cell::Text),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Prices",
        source: Source::Inside("/prices"),
        columns: &[
            column("Currency", "/currency_code", Cell::Text),
            column("From", "/min_quantity", Cell::Text),
            column("To", "/max_quantity", Cell::Text),
            column("Price", "/amount", Cell::Money("/currency_code")),
        ],
    }],
    forms: &[FormSpec {
        word: "change",
        label: "Rename",
        api: "/admin/shipping-options/{id}",
        present: Some(("/admin/shipping-options/{id}", "/shipping_option")),
        fields: &[field("name", "Name", "/name", Input::Line).required()],
        ..FORM
    }],
    ..PLAIN
};

const LOCATION: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    field("street", "Street", "/address/address_1", Input::Line),
    field("city", "City", "/address/city", Input::Line),
    field("postal_code", "Postal code", "/address/postal_code", Input::Line),
    field("country", "Country", "/address/country_code", Input::Line)
        .hint("Its code of two letters, such as gb."),
];

pub(super) static LOCATIONS: Kind = Kind {
    name: "locations",
    title: "Locations",
    noun: "Location",
    section: Section::Settings,
    api: "/admin/stock-locations",
    plural: "stock_locations",
    singular: "stock_location",
    order: "id",
    sorts: &["name"],
    columns: &[
        column("Location", "/name", Cell::Link("locations", "/id")),
        column("City", "/address/city", Cell::Text),
        column("Country", "/address/country_code", Cell::Text),
        column("Sells through", "/sales_channels", Cell::Names("/name")),
    ],
    empty: "Where stock is kept will be listed here. Begin with New location.",
    heading: &["/name"],
    facts: &[
        column("Street", "/address/address_1", Cell::Text),
        column("City", "/address/city", Cell::Text),
        column("Postal code", "/address/postal_code", Cell::Text),
        column("Country", "/address/country_code", Cell::Text),
        column("Sells through", "/sales_channels", Cell::Names("/name")),
        column("Sent by", "/fulfillment_providers", Cell::Names("/id")),
        CREATED,
    ],
    forms: &[
        FormSpec {
            word: "new",
            label: "New location",
            place: Place::List,
            api: "/admin/stock-locations",
            fields: LOCATION,
            then: Then::Made("/stock_location/id"),
            ..FORM
        },
        FormSpec {
            word: "change",
            label: "Rename",
            api: "/admin/stock-locations/{id}",
            present: Some(("/admin/stock-locations/{id}", "/stock_location")),
            fields: &[field("name", "Name", "/name", Input::Line).required()],
            ..FORM
        },
    ],
    ..PLAIN
};

const CHANNEL: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    field("description", "Description", "/description", Input::Line),
    field("off", "Off", "/is_disabled", Input::Yes),
];

pub(super) static CHANNELS: Kind = Kind {
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
    heading: &["/name"],
    facts: &[
        column("Description", "/description", Cell::Text),
        column("Off", "/is_disabled", Cell::Text),
        CREATED,
    ],
    forms: &[
        FormSpec {
            word: "new",
            label: "New channel",
            place: Place::List,
            api: "/admin/sales-channels",
            fields: CHANNEL,
            then: Then::Made("/sales_channel/id"),
            ..FORM
        },
        FormSpec {
            word: "change",
            label: "Change",
            api: "/admin/sales-channels/{id}",
            present: Some(("/admin/sales-channels/{id}", "/sales_channel")),
            fields: CHANNEL,
            ..FORM
        },
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
        column("Currency", "/default_currency_code", Cell::Text),
        column("Time zone", "/time_zone", Cell::Text),
    ],
    empty: "The store itself will be here.",
    heading: &["/name"],
    facts: &[
        column("Currency", "/default_currency_code", Cell::Text),
        column("Also sells in", "/supported_currencies", Cell::Names("/currency_code")),
        column("Time zone", "/time_zone", Cell::Text),
        CREATED,
    ],
    forms: &[FormSpec {
        word: "change",
        label: "Change",
        lead: "Days begin and end in the time zone, in every report and metric.",
        api: "/admin/stores/{id}",
        present: Some(("/admin/stores/{id}", "/store")),
        fields: &[
            field("name", "Name", "/name", Input::Line).required(),
            field("zone", "Time zone", "/time_zone", Input::Line)
                .required()
                .hint("Such as Europe/London."),
        ],
        ..FORM
    }],
    ..PLAIN
};
