//! Collections of products.

use super::{CREATED, Cell, Kind, PLAIN, RecordPart, Source, column};
use crate::pages::page::Section;
use crate::pages::records::fields::{CHANGE, Field, FormSpec, Input, creation, deletion, field};

const TITLE: Field = field("title", "Title", "/title", Input::Line).required();

/// The handle of something new, which may be left to the store.
pub(super) const NEW_HANDLE: Field = field("handle", "Handle", "/handle", Input::Line)
    .hint("The last part of its address in the shop. If it is empty, it is made of the title.");

/// The handle of something that has one; it cannot be cleared.
pub(super) const HANDLE: Field = field("handle", "Handle", "/handle", Input::Line)
    .required()
    .hint("The last part of its address in the shop. Links to the old one end.");

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
    parts: &[RecordPart {
        title: "Products",
        none: "Its products will be listed here. Begin with Change on the page of a product.",
        source: Source::Route("/admin/products?collection_id={id}&limit=50", "products"),
        columns: &[
            column("Product", "/title", Cell::Link("products", "/id")),
            column("Status", "/status", Cell::Chip),
        ],
    }],
    forms: &[
        FormSpec { fields: &[TITLE, NEW_HANDLE], ..creation("New collection") },
        FormSpec { fields: &[TITLE, HANDLE], ..CHANGE },
        deletion("Its products stay, and are in no collection then. It cannot be undone."),
    ],
    ..PLAIN
};
