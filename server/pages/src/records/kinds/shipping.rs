//! How orders are shipped: the locations that they are shipped from, the zones that these serve, and the
//! prices.

use super::prelude::*;
use super::selling::CHANNELS;

/// Ways of delivery.
const WAYS: &[(&str, &str)] = &[("shipping", "sent"), ("pickup", "picked up")];

const ZONE: Input = Input::Record(
    "/admin/stock-locations?limit=200&fields=*fulfillment_sets.service_zones",
    "stock_locations/fulfillment_sets/service_zones",
    "/name",
);

const PROFILE_RECORD: Input =
    Input::Record("/admin/shipping-profiles?limit=200", "shipping_profiles", "/name");

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
    empty: "How orders are sent, where and for how much, will be listed here. Begin with a location and its zones, then with New shipping option.",
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
        source: Source::Inside("prices"),
        columns: &[
            column("Currency", "/currency_code", Cell::Code),
            column("If", "/price_rules", Cell::Conditions),
            column("Price", "/amount", Cell::Money("/currency_code")),
        ],
    }],
    forms: &[
        FormSpec {
            fields: &[
                field("name", "Name", "/name", Input::Line)
                    .required()
                    .hint("Customers read it, such as Letter or Next day."),
                field("zone", "Where", "/service_zone_id", ZONE)
                    .required()
                    .hint("A zone of a location. The page of the location has the form for another one."),
                field("profile", "For", "/shipping_profile_id", PROFILE_RECORD)
                    .required()
                    .hint("What is sent this way."),
                field("price", "Price", "/prices", Input::Prices)
                    .hint("In a currency without a price it cannot be chosen."),
            ],
            fixed: &[
                ("/price_type", Fixed::Text("flat")),
                ("/provider_id", Fixed::Text("manual_manual")),
            ],
            ..creation("New shipping option")
        },
        FormSpec {
            lead: "Orders that were placed keep their price.",
            fields: &[
                field("name", "Name", "/name", Input::Line).required(),
                field("price", "Price", "/prices", Input::Prices)
                    .hint("In a currency without a price it cannot be chosen. Prices with a condition stay."),
            ],
            ..CHANGE
        },
        deletion("It can be chosen no more. Carts that have chosen it keep it. It cannot be undone."),
    ],
    ..PLAIN
};

const PROFILE: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required().hint("Such as Parcels or Furniture."),
    field("type", "Kind", "/type", Input::Line)
        .required()
        .hint("A word for programs, such as default."),
];

pub(super) static PROFILES: Kind = Kind {
    name: "shipping-profiles",
    title: "Shipping profiles",
    noun: "Shipping profile",
    section: Section::Settings,
    api: "/admin/shipping-profiles",
    plural: "shipping_profiles",
    singular: "shipping_profile",
    order: "id",
    sorts: &["name", "created_at"],
    columns: &[
        column("Profile", "/name", Cell::Link("shipping-profiles", "/id")),
        column("Kind", "/type", Cell::Text),
        CREATED,
    ],
    empty: "What is sent in a way of its own, such as furniture, will be listed here. Begin with New shipping profile: one for everything is enough.",
    facts: &[column("Kind", "/type", Cell::Text), CREATED],
    forms: &[
        FormSpec { fields: PROFILE, ..creation("New shipping profile") },
        FormSpec { fields: PROFILE, ..CHANGE },
        deletion("It is refused while products or shipping options have it. It cannot be undone."),
    ],
    ..PLAIN
};

/// The API's route for the zones of a location.
const ZONES: Present = Present::At(
    "/admin/stock-locations/{id}?fields=*fulfillment_sets,*fulfillment_sets.service_zones,*fulfillment_sets.service_zones.geo_zones",
    "/stock_location/fulfillment_sets/service_zones",
);

const ZONE_FIELDS: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required().hint("Such as Britain."),
    field("countries", "Countries", "/geo_zones", Input::Places)
        .required()
        .hint("Their codes of two letters, such as gb, ie."),
];

const SENDERS: Input = Input::Several(
    "/admin/fulfillment-providers?limit=100",
    "fulfillment_providers",
    Chosen::Changes(PROVIDERS),
);

const LOCATION: &[Field] = &[
    field("name", "Name", "/name", Input::Line).required(),
    // The whole address is sent, because the API replaces it as a whole.
    field("company", "Company", "/address/company", Input::Line),
    field("street", "Street", "/address/address_1", Input::Line),
    field("street_2", "Second line of the street", "/address/address_2", Input::Line),
    field("city", "City", "/address/city", Input::Line),
    field("province", "Province", "/address/province", Input::Line),
    field("postal_code", "Postal code", "/address/postal_code", Input::Line),
    field("phone", "Phone", "/address/phone", Input::Line),
    field("country", "Country", "/address/country_code", Input::Country),
];

pub(crate) static LOCATIONS: Kind = Kind {
    name: "locations",
    title: "Locations",
    noun: "Location",
    section: Section::Settings,
    api: "/admin/stock-locations",
    plural: "stock_locations",
    singular: "stock_location",
    query: "?fields=*sales_channels,*fulfillment_providers,*fulfillment_sets,*fulfillment_sets.service_zones,*fulfillment_sets.service_zones.geo_zones",
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
    facts: &[
        column("Company", "/address/company", Cell::Text),
        column("Street", "/address/address_1", Cell::Text),
        column("Second line of the street", "/address/address_2", Cell::Text),
        column("City", "/address/city", Cell::Text),
        column("Province", "/address/province", Cell::Text),
        column("Postal code", "/address/postal_code", Cell::Text),
        column("Phone", "/address/phone", Cell::Text),
        column("Country", "/address/country_code", Cell::Country),
        column("Sells through", "/sales_channels", Cell::Names("/name")),
        column("Sent by", "/fulfillment_providers", Cell::Words("/id", PROVIDERS)),
        CREATED,
    ],
    parts: &[
        RecordPart {
            title: "Ways of sending",
            none: "Whether orders are sent from here or picked up will be listed here. Begin with Add a way of sending.",
            source: Source::Inside("fulfillment_sets"),
            columns: &[
                column("Name", "/name", Cell::Text),
                column("Kind", "/type", Cell::Word(WAYS)),
                column("Zones", "/service_zones", Cell::Names("/name")),
                row_form("Add a zone", "locations", "add-zone", "/id"),
            ],
        },
        RecordPart {
            title: "Zones",
            none: "Where orders are sent from here will be listed here. Begin with Add a zone, beside a way of sending.",
            source: Source::Inside("fulfillment_sets/service_zones"),
            columns: &[
                column("Zone", "/name", Cell::Text),
                column("Countries", "/geo_zones", Cell::Names("/country_code")),
                row_form("Change", "locations", "zone", "/id"),
                row_form("Delete", "locations", "remove-zone", "/id"),
            ],
        },
    ],
    forms: &[
        FormSpec { fields: LOCATION, ..creation("New location") },
        FormSpec { fields: LOCATION, ..CHANGE },
        FormSpec {
            word: "channels",
            label: "Sales channels",
            lead: "These channels sell what is kept here.",
            api: "/admin/stock-locations/{id}/sales-channels",
            present: Present::At(
                "/admin/stock-locations/{id}?fields=*sales_channels",
                "/stock_location",
            ),
            fields: &[CHANNELS],
            ..FORM
        },
        FormSpec {
            word: "providers",
            label: "Sent by",
            lead: "They send what is kept here.",
            api: "/admin/stock-locations/{id}/fulfillment-providers",
            present: Present::At(
                "/admin/stock-locations/{id}?fields=*fulfillment_providers",
                "/stock_location",
            ),
            fields: &[
                field("provider", "Sent by", "", SENDERS).shown_from("/fulfillment_providers")
            ],
            ..FORM
        },
        FormSpec {
            word: "add-way",
            label: "Add a way of sending",
            api: "/admin/stock-locations/{id}/fulfillment-sets",
            fields: &[
                field("name", "Name", "/name", Input::Line).required().hint("Such as Delivery."),
                field("kind", "Kind", "/type", Input::Choice(WAYS)).required(),
            ],
            ..FORM
        },
        FormSpec {
            word: "add-zone",
            label: "Add a zone",
            lead: "Shipping options are chosen by the zone of the address.",
            api: "/admin/fulfillment-sets/{of}/service-zones",
            fields: ZONE_FIELDS,
            ..ROW
        },
        FormSpec {
            word: "zone",
            label: "Change a zone",
            lead: "A place that is a part of a country stays.",
            api: "/admin/fulfillment-sets/{fulfillment_set_id}/service-zones/{of}",
            present: ZONES,
            fields: ZONE_FIELDS,
            ..ROW
        },
        FormSpec {
            present: ZONES,
            ..removal(
                "remove-zone",
                "Delete a zone",
                "/admin/fulfillment-sets/{fulfillment_set_id}/service-zones/{of}",
                "Its shipping options go with it. Orders that were placed stay. It cannot be undone.",
            )
        },
        deletion(
            "Its stock is counted no more. It is refused while pieces there are reserved for orders. It cannot be undone.",
        ),
    ],
    ..PLAIN
};
