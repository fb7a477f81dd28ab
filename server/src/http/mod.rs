//! HTTP as every route speaks it: errors, JSON, queries, paths, `fields` and lists.
//!
//! A handler takes narrow state and the extractors of this module, does one read or one write, and answers. Its
//! errors become [`HttpError`] by the one mapping in its domain's `error.rs`. `Json`, `Path` and `Query` here stand in
//! for those of axum, so that every refusal has our shape; axum's own are not to be used.
//!
//! # A resource, its fields and its list
//!
//! A shape says what can be answered, a listing what a list can be asked for. Both are static, and a marker type
//! carries them: one for each surface, so that the store cannot name what only an admin may see.
//!
//! ```text
//! // routes/shape.rs: what can be answered.
//! pub(super) static STORE_COLLECTION: Shape = Shape {
//!     name: "collection",
//!     defaults: &["id", "title", "handle", "created_at", "updated_at"],
//!     extras: &["metadata"],          // stored, answered on request and by `*collection`
//!     computed: &[],                  // worked out, answered only when named
//!     relations: &[Relation::on_request("products", &STORE_PRODUCT)],
//! };
//! pub(super) struct StoreCollections;
//! impl Resource for StoreCollections {
//!     const SHAPE: &'static Shape = &STORE_COLLECTION;
//! }
//! impl Listed for StoreCollections {
//!     const LISTING: &'static Listing = &queries::STORE_COLLECTIONS;
//! }
//!
//! // queries.rs: what can be asked for. Conditions of the route's own are added by `narrow`.
//! pub(super) static STORE_COLLECTIONS: Listing = Listing {
//!     plural: "collections",
//!     table: "collection c",
//!     id: "c.id",
//!     columns: &[
//!         Column::new("id", "c.id", Kind::Id),
//!         Column::new("title", "c.title", Kind::Text),
//!         Column::new("created_at", "c.created_at", Kind::Time),
//!     ],
//!     search: &["c.title"],
//!     default_limit: 10,
//!     default_order: "-created_at",
//!     extra: &[],
//! };
//! pub(super) fn collections(
//!     tx: &Tx<'_>,
//!     query: ListQuery,
//!     selection: &Selection,
//! ) -> Result<(Vec<CollectionRow>, u64), database::Error> {
//!     let query = query.narrow("c.deleted_at is null", []);
//!     let mut rows = query.page(tx, "c.id, c.title, c.handle", CollectionRow::read)?;
//!     if selection.wants("products") {
//!         attach_products(tx, &mut rows)?;   // one statement for the whole page
//!     }
//!     Ok((rows, query.count(tx)?))
//! }
//! ```
//!
//! # A list, one resource, an update
//!
//! ```text
//! #[utoipa::path(get, path = "/store/collections", tag = "Store collections", params(ListRequest<StoreCollections>),
//!     responses((status = 200, body = CollectionListResponse)), security(("publishable_key" = [])))]
//! pub(super) async fn list_collections(
//!     State(db): State<Db>,
//!     list: ListRequest<StoreCollections>,
//! ) -> Result<Answer, HttpError> {
//!     let (query, selection) = (list.query.clone(), list.selection.clone());
//!     let (rows, count) = db.read(move |tx| queries::collections(tx, query, &selection)).await?;
//!     list.answer(&rows, count)
//! }
//!
//! #[utoipa::path(post, path = "/admin/collections/{id}", params(("id" = String, Path), Fields<AdminCollections>), …)]
//! pub(super) async fn update_collection(
//!     State(db): State<Db>,
//!     Path(id): Path<CollectionId>,
//!     fields: Fields<AdminCollections>,
//!     Json(request): Json<UpdateCollectionRequest>,
//! ) -> Result<Answer, HttpError> {
//!     let collection = db.write(move |tx| update(tx, id, request)).await?;
//!     fields.selection.answer("collection", &collection)
//! }
//!
//! #[derive(Debug, Deserialize, ToSchema)]
//! #[serde(deny_unknown_fields)]
//! pub(super) struct UpdateCollectionRequest {
//!     title: Option<Text<255>>,          // trimmed, in one normal form, checked, not empty
//!     #[serde(default)]
//!     handle: Patch<Text<255>>,          // absent, null and a value told apart
//! }
//! ```
//!
//! The responses of errors, the request id and the security headers are added for all routes elsewhere; a handler
//! names none of them.

mod document;
mod envelope;
mod error;
mod explain;
mod fields;
mod json;
mod list;
mod optional_text;
mod patch;
mod path;
mod query;
mod scan;
pub mod text;

pub(crate) use crate::request_id;
pub(crate) use envelope::add_schema;
pub use envelope::{Deleted, One, Page};
pub use error::{ErrorBody, ErrorDetail, HttpError};
pub(crate) use fields::Kept;
pub use fields::{Answer, Fields, Keyed, Relation, Resource, Selection, Shape};
pub use json::{Json, MAX_BODY_BYTES, parse};
pub(crate) use json::{json_bytes, read_body};
pub use list::{ListRequest, Listed, MAX_LIMIT, MAX_OFFSET};
pub(crate) use optional_text::OptionalText;
pub use patch::Patch;
pub use path::Path;
pub use query::{MAX_SEARCH_CHARS, Query};
pub use quotient_macros::Resource;
pub use text::Text;
