//! How products are grouped: collections, categories and tags.

use super::prelude::*;

const TITLE: Field = field("title", "Title", "/title", Input::Line).required();

/// The handle of a new group, which may be left to the store.
pub(super) const NEW_HANDLE: Field = field("handle", "Handle", "/handle", Input::Line)
    .hint("The last part of its address in the shop. If it is empty, it is made of the title.");

/// The handle of an existing group; it cannot be cleared.
pub(super) const HANDLE: Field = field("handle", "Handle", "/handle", Input::Line)
    .required()
    .hint("The last part of its address in the shop. Links to the old one end.");

/// Returns the part with the products of a group, from the list that has them.
const fn products(route: &'static str, none: &'static str) -> RecordPart {
    RecordPart {
        title: "Products",
        none,
        source: Source::Route(route, "products"),
        columns: PRODUCTS,
    }
}

const PRODUCTS: &[Column] = &[
    column("Product", "/title", Cell::Link("products", "/id")),
    column("Status", "/status", Cell::Chip),
];

pub(super) static COLLECTIONS: Kind = Kind {
    name: "collections",
    title: "Collections",
    noun: "Collection",
    section: Section::Products,
    api: "/admin/collections",
    plural: "collections",
    singular: "collection",
    sorts: &["title", "handle", "created_at"],
    columns: &[
        column("Collection", "/title", Cell::Link("collections", "/id")),
        column("Handle", "/handle", Cell::Text),
        CREATED,
    ],
    empty: "What belongs together, such as a season, will be listed here. Begin with New collection.",
    heading: &["/title"],
    facts: &[column("Handle", "/handle", Cell::Text), CREATED],
    parts: &[products(
        "/admin/products?collection_id={id}&limit=50",
        "Its products will be listed here. Begin with Change on the page of a product.",
    )],
    forms: &[
        FormSpec { fields: &[TITLE, NEW_HANDLE], ..creation("New collection") },
        FormSpec { fields: &[TITLE, HANDLE], ..CHANGE },
        deletion("Its products stay, and are in no collection then. It cannot be undone."),
    ],
    ..PLAIN
};

/// The list of categories that forms offer.
pub(super) const CATEGORIES_LIST: &str = "/admin/product-categories?limit=200&order=name";

const NAME: Field = field("name", "Name", "/name", Input::Line).required();

const PARENT: Field = field(
    "parent",
    "In the category",
    "/parent_category_id",
    Input::Record(CATEGORIES_LIST, "product_categories", "/name"),
);

const DESCRIPTION: Field = field("description", "Description", "/description", Input::Text);

const SHOWN: Field = field("shown", "Customers see it", "/is_active", Input::Yes).checked();

const INTERNAL: Field = field("internal", "For internal use", "/is_internal", Input::Yes)
    .hint("Customers never see it then.");

const POSITION: Field = field("position", "Position", "/rank", Input::Count)
    .hint("Its place among the categories beside it: 0 is the first.");

const IS_SHOWN: Column = column("Customers see it", "/is_active", Cell::Text);

const YES_OR_NO: &[&str] = &["true", "false"];

pub(super) static CATEGORIES: Kind = Kind {
    name: "categories",
    title: "Categories",
    noun: "Category",
    section: Section::Products,
    api: "/admin/product-categories",
    plural: "product_categories",
    singular: "product_category",
    filters: &[
        filter("is_active", "Customers see it", YES_OR_NO),
        filter("is_internal", "For internal use", YES_OR_NO),
    ],
    order: "id",
    sorts: &["name", "handle", "created_at"],
    columns: &[
        column("Category", "/name", Cell::Link("categories", "/id")),
        column("In", "/parent_category/name", Cell::Text),
        column("Handle", "/handle", Cell::Text),
        IS_SHOWN,
        CREATED,
    ],
    empty: "The tree by which customers find products, such as Clothes with Shirts in it, will be listed here. Begin with New category.",
    facts: &[
        column("In the category", "/parent_category/name", Cell::Text),
        column("Handle", "/handle", Cell::Text),
        column("Description", "/description", Cell::Text),
        IS_SHOWN,
        column("For internal use", "/is_internal", Cell::Text),
        column("Position", "/rank", Cell::Count),
        CREATED,
    ],
    parts: &[
        RecordPart {
            title: "Categories in it",
            none: "The categories in it will be listed here. Begin with New category, or with Change on the page of one.",
            source: Source::Inside("category_children"),
            columns: &[column("Category", "/name", Cell::Link("categories", "/id")), IS_SHOWN],
        },
        products(
            "/admin/products?category_id={id}&limit=50",
            "Its products will be listed here. Begin with Categories on the page of a product.",
        ),
    ],
    forms: &[
        FormSpec {
            fields: &[NAME, NEW_HANDLE, PARENT, DESCRIPTION, SHOWN, INTERNAL, POSITION],
            ..creation("New category")
        },
        FormSpec {
            fields: &[NAME, HANDLE, PARENT, DESCRIPTION, SHOWN, INTERNAL, POSITION],
            ..CHANGE
        },
        deletion(
            "Its products stay. It is refused while there are categories in it. It cannot be undone.",
        ),
    ],
    ..PLAIN
};

/// The list of tags that forms offer.
pub(super) const TAGS_LIST: &str = "/admin/product-tags?limit=200&order=value";

const VALUE: Field = field("value", "Tag", "/value", Input::Line).required();

pub(super) static TAGS: Kind = Kind {
    name: "tags",
    title: "Tags",
    noun: "Tag",
    section: Section::Products,
    api: "/admin/product-tags",
    plural: "product_tags",
    singular: "product_tag",
    order: "id",
    sorts: &["value", "created_at"],
    columns: &[column("Tag", "/value", Cell::Link("tags", "/id")), CREATED],
    empty: "Words that products share, such as organic, will be listed here. Begin with New tag.",
    heading: &["/value"],
    facts: &[CREATED],
    parts: &[products(
        "/admin/products?tag_id={id}&limit=50",
        "The products with the tag will be listed here. Begin with Tags on the page of a product.",
    )],
    forms: &[
        FormSpec { fields: &[VALUE], ..creation("New tag") },
        FormSpec { fields: &[VALUE], ..CHANGE },
        deletion("No product has it any more. It cannot be undone."),
    ],
    ..PLAIN
};
