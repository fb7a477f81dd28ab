//! Products.

use super::groupings::{CATEGORIES_LIST, HANDLE, NEW_HANDLE, TAGS_LIST};
use super::prelude::*;
use super::selling::CHANNELS_LIST;

const STATUSES: &[(&str, &str)] = &[
    ("draft", "draft: nobody sees it"),
    ("proposed", "proposed"),
    ("published", "published: customers can buy it"),
    ("rejected", "rejected"),
];

/// The fields of an existing product.
const CHANGED: &[Field] = &[
    field("title", "Title", "/title", Input::Line).required(),
    HANDLE,
    field("status", "Status", "/status", Input::Choice(STATUSES)).required(),
    field("subtitle", "Subtitle", "/subtitle", Input::Line),
    field("description", "Description", "/description", Input::Text),
    field(
        "collection",
        "Collection",
        "/collection_id",
        Input::Record("/admin/collections?limit=200", "collections", "/title"),
    ),
];

/// A value for each of the product's options; products without options have no control.
const OPTIONS: Field = field("option", "Options", "/options", Input::Options).required();

const VALUES: Field = field("values", "Values", "/values", Input::Rows)
    .required()
    .hint("One a line, such as S, M and L. A value that a variant has cannot be taken away.");

const STOCK: FormLink = FormLink {
    text: "Change",
    kind: "inventory",
    id: "/inventory_item_id",
    form: "level",
    of: "/location_id",
};

const INTERVALS: &[(&str, &str)] =
    &[("month", "month"), ("week", "week"), ("day", "day"), ("year", "year")];

const CHANNELS: Input = Input::Several(CHANNELS_LIST, "sales_channels", Chosen::Objects);

const CATEGORIES: Input = Input::Several(CATEGORIES_LIST, "product_categories", Chosen::Objects);

const TAGS: Input = Input::Several(TAGS_LIST, "product_tags", Chosen::Objects);

pub(crate) static PRODUCTS: Kind = Kind {
    name: "products",
    title: "Products",
    noun: "Product",
    section: Section::Products,
    api: "/admin/products",
    query: "?fields=%2Bvariants.inventory_quantity,*sales_channels,*categories",
    plural: "products",
    singular: "product",
    filters: &[filter("status", "Status", &["draft", "proposed", "published", "rejected"])],
    order: "id",
    sorts: &["title", "status", "created_at"],
    columns: &[
        column("Product", "/title", Cell::Link("products", "/id")),
        column("Status", "/status", Cell::Chip),
        column("Collection", "/collection/title", Cell::Text),
        column("SKUs", "/variants", Cell::Names("/sku")),
        CREATED,
    ],
    empty: "What the store sells will be listed here. Begin with New product: a title and a price are enough.",
    heading: &["/title"],
    facts: &[
        column("Status", "/status", Cell::Chip),
        column("Handle", "/handle", Cell::Text),
        column("Subtitle", "/subtitle", Cell::Text),
        column("Description", "/description", Cell::Text),
        column("Collection", "/collection/title", Cell::Text),
        column("Sold through", "/sales_channels", Cell::Names("/name")),
        column("Type", "/type/value", Cell::Text),
        column("Categories", "/categories", Cell::Names("/name")),
        column("Tags", "/tags", Cell::Names("/value")),
        CREATED,
        column("Changed", "/updated_at", Cell::Moment),
    ],
    parts: &[
        RecordPart {
            title: "Variants, prices and stock",
            none: "What can be bought of the product will be listed here, with its prices. Begin with Add a variant.",
            source: Source::Inside("variants"),
            columns: &[
                column("Variant", "/title", Cell::Text),
                column("SKU", "/sku", Cell::Text),
                column("Options", "/options", Cell::Names("/value")),
                column("Prices", "/prices", Cell::Prices),
                column("Stock is kept", "/manage_inventory", Cell::Text),
                column("Sold without stock", "/allow_backorder", Cell::Text),
                column(
                    "Can be sold",
                    "/inventory_quantity",
                    Cell::Narrowed("inventory", "variant_id", "/id"),
                ),
                row_form("Change", "products", "variant", "/id"),
                row_form("Delete", "products", "remove-variant", "/id"),
            ],
        },
        RecordPart {
            title: "Stock at each location",
            none: "How many there are at each location will be listed here. The number that can be sold leads to where it is kept.",
            source: Source::Stock("variants"),
            columns: &[
                column("SKU", "/sku", Cell::Link("inventory", "/inventory_item_id")),
                column("Location", "/location_id", Cell::Record),
                column("In stock", "/stocked_quantity", Cell::Count),
                column("Reserved", "/reserved_quantity", Cell::Count),
                column("On the way", "/incoming_quantity", Cell::Count),
                column("Can be sold", "/available_quantity", Cell::Count),
                column("Change", "", Cell::Form(STOCK)),
            ],
        },
        RecordPart {
            title: "Options",
            none: "In options the variants differ, such as in their size. They will be listed here. Begin with Add an option.",
            source: Source::Inside("options"),
            columns: &[
                column("Option", "/title", Cell::Text),
                column("Values", "/values", Cell::Names("/value")),
                row_form("Change", "products", "option", "/id"),
                row_form("Delete", "products", "remove-option", "/id"),
            ],
        },
        RecordPart {
            title: "Pictures",
            none: "The addresses of pictures will be listed here. Begin with Pictures.",
            source: Source::Inside("images"),
            columns: &[column("Picture", "/url", Cell::Address)],
        },
    ],
    forms: &[
        FormSpec {
            fields: &[
                field("title", "Title", "/title", Input::Line).required(),
                NEW_HANDLE,
                field("status", "Status", "/status", Input::Choice(STATUSES)).required(),
                field("description", "Description", "/description", Input::Text),
                field("sku", "SKU", "/variants/0/sku", Input::Line),
                field("price", "Price", "/variants/0/prices", Input::Prices),
                field("stock", "Stock is kept", "/variants/0/manage_inventory", Input::Yes)
                    .checked()
                    .hint("If it is, no more are sold than there are."),
                field("pictures", "Pictures", "/images", Input::Lines("url"))
                    .hint("The address of each picture, one a line."),
            ],
            fixed: &[("/variants/0/title", Fixed::Text("Default"))],
            ..creation("New product")
        },
        FormSpec { fields: CHANGED, ..CHANGE },
        FormSpec {
            word: "pictures",
            label: "Pictures",
            fields: &[field("pictures", "Pictures", "/images", Input::Lines("url"))
                .hint("The address of each picture, one a line, the first one first.")],
            ..CHANGE
        },
        FormSpec {
            word: "channels",
            label: "Sales channels",
            lead: "It is sold through these channels, and no others.",
            present: Present::At("/admin/products/{id}?fields=*sales_channels", "/product"),
            fields: &[field("channel", "Sold through", "/sales_channels", CHANNELS)],
            ..FORM
        },
        FormSpec {
            word: "categories",
            label: "Categories",
            lead: "It is in these categories, and no others. A new one is made on the list of categories.",
            present: Present::At("/admin/products/{id}?fields=*categories", "/product"),
            fields: &[field("category", "In", "/categories", CATEGORIES)],
            ..FORM
        },
        FormSpec {
            word: "tags",
            label: "Tags",
            lead: "It has these tags, and no others. A new one is made on the list of tags.",
            fields: &[field("tag", "Tag", "/tags", TAGS)],
            ..CHANGE
        },
        FormSpec {
            word: "add-variant",
            label: "Add a variant",
            api: "/admin/products/{id}/variants",
            fields: &[
                field("title", "Title", "/title", Input::Line).required().hint("Such as Large."),
                OPTIONS,
                field("sku", "SKU", "/sku", Input::Line),
                field("price", "Price", "/prices", Input::Prices),
                field("stock", "Stock is kept", "/manage_inventory", Input::Yes).checked(),
            ],
            ..FORM
        },
        FormSpec {
            word: "add-option",
            label: "Add an option",
            lead: "In an option the variants differ, such as in their size. Each variant then gets a value of it.",
            api: "/admin/products/{id}/options",
            fields: &[
                field("title", "Option", "/title", Input::Line).required().hint("Such as Size."),
                VALUES,
            ],
            ..FORM
        },
        FormSpec {
            word: "option",
            label: "Change an option",
            api: "/admin/products/{id}/options/{of}",
            present: Present::At("/admin/products/{id}/options/{of}", "/product_option"),
            fields: &[field("title", "Option", "/title", Input::Line).required(), VALUES],
            ..ROW
        },
        FormSpec {
            word: "variant",
            label: "Change a variant",
            api: "/admin/products/{id}/variants/{of}",
            present: Present::At(
                "/admin/products/{id}/variants/{of}?fields=%2Bprices.title",
                "/variant",
            ),
            fields: &[
                field("title", "Title", "/title", Input::Line).required(),
                OPTIONS,
                field("sku", "SKU", "/sku", Input::Line),
                field("price", "Price", "/prices", Input::Prices)
                    .hint("In a currency without a price it cannot be bought."),
                field("stock", "Stock is kept", "/manage_inventory", Input::Yes),
                field("backorder", "Sold without stock", "/allow_backorder", Input::Yes),
            ],
            ..ROW
        },
        FormSpec {
            word: "plan",
            label: "Add a plan",
            lead: "Customers can subscribe to the product with it. It is listed among the plans of subscriptions.",
            api: "/admin/subscription-plans",
            fields: &[
                field("name", "Name", "/name", Input::Line).required().hint("Customers read it."),
                field("count", "Every", "/interval_count", Input::Count)
                    .required()
                    .hint("Such as 2, for every second one of the next."),
                field("interval", "Interval", "/interval", Input::Choice(INTERVALS)).required(),
                field("percent", "Percent off", "/discount/value", Input::Amount)
                    .required()
                    .hint("0 for none."),
            ],
            fixed: &[("/product_ids/0", Fixed::Id), ("/discount/type", Fixed::Text("percent"))],
            ..FORM
        },
        deletion(
            "Nobody can buy it any more, and its variants go with it. Orders that were placed keep what they have of it. It cannot be undone.",
        ),
        removal(
            "remove-variant",
            "Delete a variant",
            "/admin/products/{id}/variants/{of}",
            "Nobody can buy it any more. Orders that were placed keep what they have of it. It cannot be undone.",
        ),
        removal(
            "remove-option",
            "Delete an option",
            "/admin/products/{id}/options/{of}",
            "It is refused while a variant has a value of it. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

/// Variants, which are shown on the pages of their products.
pub(crate) static VARIANTS: Kind = Kind {
    name: "products",
    noun: "Variant",
    api: "/admin/product-variants",
    plural: "variants",
    ..PLAIN
};
