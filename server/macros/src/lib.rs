//! `#[derive(Record)]` and `#[derive(Resource)]`: a struct says once which columns it is stored in, and which of its
//! fields the API shows.
//!
//! ```text
//! /// A collection of products.
//! #[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
//! #[record(table = "product_collection g")]
//! #[record(list(plural = "collections", search = ["g.title", "g.handle"], order = "-created_at", limit = 10))]
//! #[resource(name = "collection", store = StoreCollection)]
//! pub(crate) struct Collection {
//!     #[column(filter, order)]
//!     pub(crate) id: CollectionId,
//!     #[column(filter, order)]
//!     pub(crate) title: String,
//!     /// Identifier in an external system.
//!     #[column(filter, kind = Kind::Id)]
//!     pub(crate) external_id: Option<String>,
//!     #[field(store(extra))]
//!     pub(crate) metadata: Metadata,
//!     #[column(filter, order)]
//!     pub(crate) created_at: Timestamp,
//!     #[column(filter, order)]
//!     pub(crate) updated_at: Timestamp,
//!     #[field(store(hidden))]
//!     pub(crate) deleted_at: Option<Timestamp>,
//!     #[column(skip)]
//!     #[field(on_request)]
//!     pub(crate) products: Vec<Product>,
//! }
//! ```
//!
//! Then `Collection::find(tx, &id)`, `collection.put(tx)` and `Collection::page(tx, query)` are there, and
//! `Fields<Collection>` and `ListRequest<StoreCollection>` read what a request asks for.
//!
//! # `Record`: the database
//!
//! It implements `database::Record` (the columns, and a row's reading), with an `id` also `database::Table` (find,
//! insert, put, update, delete), and with `list(…)` also `database::Listable` (filters, order, search, a page).
//!
//! | on the struct: `#[record(…)]` | |
//! |---|---|
//! | `table = "product_tag g"` | the table and its alias, and joins behind them; statements written by hand use the same alias |
//! | `title = "Product tag"` | what errors call it; the table's name in words unless said |
//! | `soft_delete` | the table has a column `deleted_at` that the struct has not |
//! | `list(plural, search, order, limit, columns, extra)` | the members of `database::listing::Listing`; `columns` are further ones |
//!
//! | on a field: `#[column(…)]` | |
//! |---|---|
//! | `name = "type_id"` | its column; the field's name in JSON unless said |
//! | `sql = "…"` | an expression that is read and never written |
//! | `skip` | no column: read as the type's default |
//! | `json` | stored as JSON text |
//! | `key` | found by this one instead of `id` |
//! | `once` | written when the row is made and never changed |
//! | `filter`, `order` | lists may be filtered and ordered by it |
//! | `kind = Kind::Id` | what a filter's values are, where the field's type does not say it |
//!
//! `created_at` and `updated_at` are the transaction's instant; a put keeps the first. A field or table with `deleted_at`
//! is deleted softly: nothing finds the row any more.
//!
//! # `Resource`: the API
//!
//! It implements `http::Resource` (the shape: what `fields` may name) and `http::Keyed` (the key in answers).
//!
//! | on the struct: `#[resource(…)]` | |
//! |---|---|
//! | `name = "tag"` | the resource in the singular |
//! | `key = "product_tag"` | its key in answers; the name unless said |
//! | `object = "product-tag"` | what `object` says where one is deleted; the key unless said |
//! | `store = StoreTag` | declares a marker for the surface of shoppers, which may show less |
//! | `rows = TagRow` | the record its list is of, where it is not a record itself |
//! | `id = TagId` | the type of its id, where a field with `#[serde(flatten)]` has it |
//!
//! | on a field: `#[field(…)]` | answered |
//! |---|---|
//! | nothing | by default |
//! | `extra` | on request, and by `*` |
//! | `computed` | only when it is named |
//! | `hidden` | never |
//! | `relation`, `on_request` | as a resource of its own: by default, or on request; `relation(Type)` shows it as `Type` does |
//! | `store(…)` | one of these for shoppers, where it differs |
//! | `#[serde(flatten)]` | as the fields of its type are; all on request with `extra` |

mod attributes;
mod record;
mod resource;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// A struct that is read from rows, and written to a table. See the crate's front page.
#[proc_macro_derive(Record, attributes(record, column))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    record::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// A struct that the API answers with. See the crate's front page.
#[proc_macro_derive(Resource, attributes(resource, field))]
pub fn derive_resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    resource::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
