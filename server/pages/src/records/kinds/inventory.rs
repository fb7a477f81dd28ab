//! Stock: how many of each variant are available, and where.

use super::prelude::*;

const LOCATION: Input =
    Input::Record("/admin/stock-locations?limit=200", "stock_locations", "/name");

pub(super) static INVENTORY: Kind = Kind {
    name: "inventory",
    title: "Stock",
    noun: "Stock",
    section: Section::Products,
    api: "/admin/inventory-items",
    plural: "inventory_items",
    singular: "inventory_item",
    order: "id",
    sorts: &["sku", "title"],
    columns: &[
        column("SKU", "/sku", Cell::Link("inventory", "/id")),
        column("Product", "/description", Cell::Text),
        column("Variant", "/title", Cell::Text),
        column("In stock", "/stocked_quantity", Cell::Count),
        column("Reserved", "/reserved_quantity", Cell::Count),
    ],
    empty: "How many there are of each variant will be listed here. It begins with a product whose stock is kept.",
    heading: &["/sku"],
    facts: &[
        column("Product", "/description", Cell::Text),
        column("Variant", "/title", Cell::Text),
        column("In stock", "/stocked_quantity", Cell::Count),
        column("Reserved", "/reserved_quantity", Cell::Count),
    ],
    parts: &[RecordPart {
        title: "At each location",
        none: "How many there are at each location will be listed here. Begin with Keep at a location.",
        source: Source::Inside("location_levels"),
        columns: &[
            column("Location", "/location_id", Cell::Record),
            column("In stock", "/stocked_quantity", Cell::Count),
            column("Reserved", "/reserved_quantity", Cell::Count),
            column("On the way", "/incoming_quantity", Cell::Count),
            column("Can be sold", "/available_quantity", Cell::Count),
            row_form("Change", "inventory", "level", "/location_id"),
            row_form("Delete", "inventory", "remove-level", "/location_id"),
        ],
    }],
    forms: &[
        FormSpec {
            word: "add-level",
            label: "Keep at a location",
            api: "/admin/inventory-items/{id}/location-levels",
            fields: &[
                field("location", "Location", "/location_id", LOCATION).required(),
                field("stocked", "In stock", "/stocked_quantity", Input::Count).required(),
            ],
            ..FORM
        },
        FormSpec {
            word: "level",
            label: "Change the stock",
            lead: "Pieces that are reserved for orders stay reserved.",
            api: "/admin/inventory-items/{id}/location-levels/{of}",
            present: Present::At("/admin/inventory-items/{id}", "/inventory_item/location_levels"),
            fields: &[field("stocked", "In stock", "/stocked_quantity", Input::Count).required()],
            ..ROW
        },
        removal(
            "remove-level",
            "Keep it here no more",
            "/admin/inventory-items/{id}/location-levels/{of}",
            "The pieces at this location are counted no more. It is refused while some of them are reserved for orders. It cannot be undone.",
        ),
    ],
    ..PLAIN
};
