//! `#[derive(Record)]` and `#[derive(Resource)]`: a struct declares its columns and the API fields once; and
//! `#[derive(FromRow)]`, for the rows of statements written by hand; and `#[derive(HttpError)]`, for errors.
//!
//! ```text
//! /// A collection of products.
//! #[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
//! #[record(table = "product_collection g")]
//! #[record(list(plural = "collections", usual, search = ["g.title"], order = "-created_at", limit = 10))]
//! #[resource(name = "collection", store = StoreCollection)]
//! pub(crate) struct Collection {
//!     pub(crate) id: CollectionId,
//!     #[column(filter, order)]
//!     pub(crate) title: String,
//!     /// Identifier in an external system.
//!     #[column(filter, kind = Kind::Id)]
//!     pub(crate) external_id: Option<String>,
//!     #[field(store(extra))]
//!     pub(crate) metadata: Metadata,
//!     pub(crate) created_at: Timestamp,
//!     pub(crate) updated_at: Timestamp,
//!     #[field(store(hidden))]
//!     pub(crate) deleted_at: Option<Timestamp>,
//!     #[field(on_request)]
//!     pub(crate) products: Vec<Product>,
//! }
//! ```
//!
//! This provides `Collection::find(tx, &id)`, `collection.put(tx)` and `Collection::page(tx, query)`, and
//! `Fields<Collection>` and `ListRequest<StoreCollection>` parse requests.
//!
//! # `Record`: the database
//!
//! Implements `database::Record` (the columns, and reading a row), with an `id` also `database::Table` (find, insert,
//! put, update, delete), and with `list(…)` also `database::Listable` (filters, order, search, a page).
//!
//! | on the struct: `#[record(…)]` | |
//! |---|---|
//! | `table = "product_tag g"` | the table and its alias, optionally with joins; custom statements use the same alias |
//! | `title = "Product tag"` | the name in error messages; defaults to the table's name in words |
//! | `soft_delete` | the table has a column `deleted_at` that the struct lacks |
//! | `list(plural, search, order, limit, columns, extra)` | the members of `database::listing::Listing`; `columns` are
//! additional ones |
//! | `list(usual)` | the list can be filtered and ordered by `id`, `created_at` and `updated_at` |
//!
//! | on a field: `#[column(…)]` | |
//! |---|---|
//! | `name = "type_id"` | the column; defaults to the field's name in JSON |
//! | `sql = "…"` | an expression that is read but not written |
//! | `skip` | no column: read as the type's default; so are relations |
//! | `json` | stored as JSON text |
//! | `key` | the key instead of `id` |
//! | `once` | written on insert and never changed |
//! | `filter`, `order` | lists can be filtered and ordered by it |
//! | `kind = Kind::Id` | the kind of filter values, if the field's type does not determine it |
//!
//! `created_at` and `updated_at` are set to the transaction's instant; a put keeps the first. A field or table with
//! `deleted_at` is soft-deleted: deleted rows are not found.
//!
//! # `FromRow`: rows of other statements
//!
//! Implements `database::FromRow`: each field is read from the column with its name, so that
//! `tx.sql("select …").all(named_params! { … }, Totals::from_row)` needs no list of the fields. A field can be
//! `#[column(name = "…")]`, `json` or `skip`, as above, and `flatten`: read as a `FromRow` from the same row. `columns()`
//! are their names, for rows that are written as JSON.
//!
//! # `Word`: words
//!
//! An enum is stored as the names of its variants in snake case; `stored_as_word!` is for other words. With
//! `#[word(inherent)]` it has its own `ALL`, `as_str` and `parse`, so that its users need not import the trait.
//!
//! # `Resource`: the API
//!
//! Implements `http::Resource` (the shape: the fields that `fields` may name) and `http::Keyed` (the key in responses),
//! and with `error = …` also `resource::View`, for the usual operations.
//!
//! | on the struct: `#[resource(…)]` | |
//! |---|---|
//! | `name = "tag"` | the resource in the singular |
//! | `key = "product_tag"` | the key in responses; defaults to the name |
//! | `object = "product-tag"` | the value of `object` in deletion responses; defaults to the key |
//! | `store = StoreTag` | declares a marker for the store API, which may have fewer fields |
//! | `rows = TagRow` | the record of its list, if it is not a record itself |
//! | `list = TAGS` | the definition of its list, if there is no record |
//! | `id = TagId` | the type of its id, if a field with `#[serde(flatten)]` has it |
//! | `error = CatalogError` | also implements `resource::View`: its rows are the resource, without relations to load |
//!
//! | on a field: `#[field(…)]` | returned |
//! |---|---|
//! | nothing | by default |
//! | `extra` | on request, and by `*` |
//! | `computed` | only when it is named |
//! | `hidden` | never |
//! | `relation`, `on_request` | as a resource of its own: by default, or on request; `relation(Type)` uses the fields
//! of `Type` |
//! | `store(…)` | one of these for the store API, if it differs |
//! | `#[serde(flatten)]` | as the fields of its type; all on request with `extra` |
//!
//! # `HttpError`: errors
//!
//! Implements `From<…> for http::HttpError` for the error of a domain, which derives `thiserror::Error`: each variant
//! defines its response beside its message. A variant with `#[error(transparent)]` responds like its cause.
//!
//! | on a variant: `#[http(…)]` | |
//! |---|---|
//! | `not_found` | the constructor of `HttpError`, called with the message |
//! | `unavailable(1)` | the same, called with something else |
//! | `code = "INSUFFICIENT_CREDIT"` | replaces the code |
//! | `with = function` | a function from the error to the answer |
//!
//! # `#[request]`: bodies
//!
//! `#[request] struct UpdateTagRequest { … }` is `#[derive(Debug, Deserialize, ToSchema)]` with
//! `#[serde(deny_unknown_fields)]`, and `#[serde(default)]` on each field of the type `Patch`.

mod attributes;
mod http_error;
mod record;
mod request;
mod resource;
mod row;
mod undescribed;
mod word;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemStruct, parse_macro_input};

/// Derives reading a struct from rows, and writing it to a table. See the crate's front page.
#[proc_macro_derive(Record, attributes(record, column))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    record::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Derives reading a struct from the columns of a row by their names. See the crate's front page.
#[proc_macro_derive(FromRow, attributes(column))]
pub fn derive_from_row(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    row::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Derives the API shape of a struct. See the crate's front page.
#[proc_macro_derive(Resource, attributes(resource, field))]
pub fn derive_resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    resource::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Derives the responses of an error's variants. See the crate's front page.
#[proc_macro_derive(HttpError, attributes(http))]
pub fn derive_http_error(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    http_error::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Derives that an enum is stored as words. See the crate's front page.
#[proc_macro_derive(Word, attributes(word))]
pub fn derive_word(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    word::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes a struct the body of a request: it is deserialized without unknown fields and described, and its `Patch`
/// fields may be absent.
#[proc_macro_attribute]
pub fn request(_options: TokenStream, item: TokenStream) -> TokenStream {
    request::expand(parse_macro_input!(item as ItemStruct)).into()
}

/// Takes the place of utoipa's derive in builds that do not describe their operations.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn derive_to_schema(input: TokenStream) -> TokenStream {
    undescribed::schema(&parse_macro_input!(input as DeriveInput)).into()
}

/// Takes the place of utoipa's derive in builds that do not describe their operations.
#[proc_macro_derive(IntoParams, attributes(into_params, param))]
pub fn derive_into_params(input: TokenStream) -> TokenStream {
    undescribed::parameters(&parse_macro_input!(input as DeriveInput)).into()
}

/// Takes the place of utoipa's attribute in builds that do not describe their operations.
#[proc_macro_attribute]
pub fn operation(options: TokenStream, handler: TokenStream) -> TokenStream {
    let operation = undescribed::operation(options.into(), &handler.into());
    operation.unwrap_or_else(|error| error.to_compile_error()).into()
}
