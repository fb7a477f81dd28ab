//! How orders are sent, and the locations that they are sent from.

use super::{CREATED, Cell, Kind, PLAIN, PROVIDERS, RecordPart, Source, column};
use crate::pages::page::Section;
use crate::pages::records::fields::{FORM, Field, FormSpec, Input, Place, Then, deletion, field};

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
        column("Sent by", "/provider_id", Cell::Word(PROVIDERS)),
        column("Kind of price", "/price_type", Cell::Text),
        CREATED,
    ],
    parts: &[RecordPart {
        title: "Prices",
        none: "What it costs will be listed here. Begin with Change.",
        source: Source::Inside("/prices"),
        columns: &[
            column("Currency", "/currency_code", Cell::Code),
            column("If", "/price_rules", Cell::Conditions),
            column("Price", "/amount", Cell::Money("/currency_code")),
        ],
    }],
    forms: &[
        FormSpec {
            word: "change",
            label: "Change",
            lead: "Orders that were placed keep their price.",
            api: "/admin/shipping-options/{id}",
            present: Some(("/admin/shipping-options/{id}", "/shipping_option")),
            fields: &[
                field("name", "Name", "/name", Input::Line).required(),
                field("price", "Price", "/prices", Input::Prices)
                    .hint("In a currency without a price it cannot be chosen. Prices with a condition stay."),
            ],
            ..FORM
        },
        deletion(
            "/admin/shipping-options/{id}",
            "It can be chosen no more. Carts that have chosen it keep it. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

const LOCATION: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    field("street", "Street", "/address/address_1", Input::Line),
    field("city", "City", "/address/city", Input::Line),
    field("postal_code", "Postal code", "/address/postal_code", Input::Line),
    field("country", "Country", "/address/country_code", Input::Country),
];

pub(super) static LOCATIONS: Kind = Kind {
    name: "locations",
    title: "Locations",
    noun: "Location",
    section: Section::Settings,
    api: "/admin/stock-locations",
    plural: "stock_locations",
    singular: "stock_location",
    query: "?fields=*sales_channels,*fulfillment_providers",
    list_fields: "*sales_channels",
    order: "id",
    sorts: &["name"],
    columns: &[
        column("Location", "/name", Cell::Link("locations", "/id")),
        column("City", "/address/city", Cell::Text),
        column("Country", "/address/country_code", Cell::Country),
        column("Sells through", "/sales_channels", Cell::Names("/name")),
    ],
    empty: "Where stock is kept will be listed here. Begin with New location.",
    heading: &["/name"],
    facts: &[
        column("Street", "/address/address_1", Cell::Text),
        column("City", "/address/city", Cell::Text),
        column("Postal code", "/address/postal_code", Cell::Text),
        column("Country", "/address/country_code", Cell::Country),
        column("Sells through", "/sales_channels", Cell::Names("/name")),
        column("Sent by", "/fulfillment_providers", Cell::Words("/id", PROVIDERS)),
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
            label: "Change",
            api: "/admin/stock-locations/{id}",
            present: Some(("/admin/stock-locations/{id}", "/stock_location")),
            fields: LOCATION,
            ..FORM
        },
        deletion(
            "/admin/stock-locations/{id}",
            "Its stock is counted no more. It is refused while pieces there are reserved for orders. It cannot be undone.",
        ),
    ],
    ..PLAIN
};
