//! Shared HTTP handling of all routes: errors, JSON, queries, paths, `fields` and lists.
//!
//! A handler takes narrow state and the extractors of this module, does one read or one write, and responds. Its errors
//! become [`HttpError`](struct@HttpError) by the single mapping in its domain's `error.rs`. `Json`, `Path` and `Query`
//! here replace those of axum, so that every rejection has the same body; axum's own must not be used.
//!
//! # A resource, its fields and its list
//!
//! A shape defines the selectable fields, a listing the filters and orders of a list. Both are static, and attached to
//! a type: one per API surface, so that store requests cannot name fields for admins. Both are derived from the struct
//! of the response, as `server/macros` describes; `crate::resource` mounts the usual operations of such a resource. A
//! [`Shape`] or a `Listing` can also be written out as a static, if a resource is not based on one table.
//!
//! # Custom handlers
//!
//! Anything beyond the usual operations has its own handler.
//!
//! ```text
//! #[crate::http::operation(get, path = "/store/collections", tag = "Store collections", params(ListRequest<StoreCollection>),
//!     responses((status = 200, body = CollectionListResponse)), security(("publishable_key" = [])))]
//! pub(super) async fn list_collections(
//!     State(db): State<Db>,
//!     list: ListRequest<StoreCollection>,
//! ) -> Result<Answer, HttpError> {
//!     let (query, selection) = (list.query.clone(), list.selection.clone());
//!     let (rows, count) = db.read(move |tx| queries::collections(tx, query, &selection)).await?;
//!     list.answer(&rows, count)
//! }
//!
//! #[crate::http::operation(post, path = "/admin/collections/{id}", params(("id" = String, Path), Fields<Collection>), …)]
//! pub(super) async fn update_collection(
//!     OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, CollectionId, Collection>,
//!     Json(request): Json<UpdateCollectionRequest>,
//! ) -> Result<Answer, HttpError> {
//!     fields.write(db, move |tx, _| update(tx, id, request)).await
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
//! Error responses, the request id and the security headers are added for all routes elsewhere; handlers do not mention
//! them.

mod cookies;
mod document;
mod envelope;
mod error;
mod etag;
mod explain;
mod fields;
mod json;
mod link;
mod list;
mod located;
mod patch;
mod path;
mod query;
mod refusal;
mod scan;
pub mod streaming;
pub mod text;
pub mod user_agent;

pub use crate::describe::{IntoParams, ToSchema, operation};
pub use cookies::cookie;
pub(crate) use envelope::add_schema;
pub use envelope::{Deleted, One, Page, PartDeleted};
pub use error::{ErrorBody, ErrorDetail, HttpError};
pub use etag::{IfMatch, etag, has_state};
pub use fields::{
    Answer, Fields, Keyed, Relation, ReplayBody, Resource, Selection, Shape, count_names,
    join_names,
};
pub use json::{
    Json, MAX_BODY_BYTES, MAX_RESPONSE_BYTES, WrittenJson, json_bytes, parse, read_body, to_value,
};
pub use link::{Link, PictureUrl};
pub use list::{ListRequest, Listed, MAX_LIMIT, MAX_OFFSET};
pub use patch::{AssignTo, Patch};
pub use path::{OneRequest, Path};
pub use query::{MAX_SEARCH_CHARS, Query};
pub use quotient_macros::{HttpError, Resource, request};
pub use refusal::Refusal;
pub use text::{OptionalText, Text};
