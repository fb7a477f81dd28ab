//! What stock looks like from outside.

use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape};
use crate::inventory::queries::{admin_reservations, items, levels, locations};

static ADDRESS: Shape = Shape {
    name: "address",
    defaults: &[
        "address_1",
        "address_2",
        "company",
        "city",
        "province",
        "postal_code",
        "country_code",
        "phone",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static CHANNEL: Shape = Shape {
    name: "sales channel",
    defaults: &["id", "name", "description", "is_disabled"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static FULFILLMENT_SET: Shape = Shape {
    name: "fulfillment set",
    defaults: &["id", "name", "type"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static PROVIDER: Shape = Shape {
    name: "fulfillment provider",
    defaults: &["id", "is_enabled"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static LOCATION: Shape = Shape {
    name: "stock location",
    defaults: &["id", "name", "metadata", "created_at", "updated_at"],
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("address", &ADDRESS),
        Relation::on_request("sales_channels", &CHANNEL),
        Relation::on_request("fulfillment_sets", &FULFILLMENT_SET),
        Relation::on_request("fulfillment_providers", &PROVIDER),
    ],
};

const ITEM_FIELDS: &[&str] = &[
    "id",
    "sku",
    "title",
    "description",
    "thumbnail",
    "requires_shipping",
    "weight",
    "length",
    "height",
    "width",
    "hs_code",
    "origin_country",
    "mid_code",
    "material",
    "metadata",
    "created_at",
    "updated_at",
    "reserved_quantity",
    "stocked_quantity",
];

static LEVEL: Shape = Shape {
    name: "location level",
    defaults: &[
        "id",
        "inventory_item_id",
        "location_id",
        "stocked_quantity",
        "reserved_quantity",
        "incoming_quantity",
        "available_quantity",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static ITEM: Shape = Shape {
    name: "inventory item",
    defaults: ITEM_FIELDS,
    extras: &[],
    computed: &[],
    relations: &[Relation::default("location_levels", &LEVEL)],
};

static RESERVED_ITEM: Shape = Shape {
    name: "inventory item",
    defaults: ITEM_FIELDS,
    extras: &[],
    computed: &[],
    relations: &[],
};

static RESERVATION: Shape = Shape {
    name: "reservation",
    defaults: &[
        "id",
        "location_id",
        "inventory_item_id",
        "quantity",
        "line_item_id",
        "description",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &["order_id", "required_quantity", "allow_backorder", "external_id", "created_by"],
    computed: &[],
    relations: &[Relation::default("inventory_item", &RESERVED_ITEM)],
};

/// Stock locations.
#[derive(Debug)]
pub struct AdminStockLocations;
impl Resource for AdminStockLocations {
    const SHAPE: &'static Shape = &LOCATION;
}
impl Listed for AdminStockLocations {
    const LISTING: &'static Listing = &locations::LOCATIONS;
}

/// Inventory items.
pub(super) struct AdminInventoryItems;
impl Resource for AdminInventoryItems {
    const SHAPE: &'static Shape = &ITEM;
}
impl Listed for AdminInventoryItems {
    const LISTING: &'static Listing = &items::ITEMS;
}

/// Levels.
pub(super) struct AdminLevels;
impl Resource for AdminLevels {
    const SHAPE: &'static Shape = &LEVEL;
}
impl Listed for AdminLevels {
    const LISTING: &'static Listing = &levels::LEVELS;
}

/// Reservations.
pub(super) struct AdminReservations;
impl Resource for AdminReservations {
    const SHAPE: &'static Shape = &RESERVATION;
}
impl Listed for AdminReservations {
    const LISTING: &'static Listing = &admin_reservations::RESERVATIONS;
}
