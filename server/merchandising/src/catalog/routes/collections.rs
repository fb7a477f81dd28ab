//! Collections: `/store/collections` and `/admin/collections`.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::categories::ProductLinksRequest;
use super::responses::{CollectionListResponse, CollectionResponse, DeletedResponse};
use super::shape::{Collections, StoreCollections};
use super::variant_requests::text;
use crate::auth::{AdminReader, AdminWriter, Shop};
use crate::catalog::groupings::{self, CollectionChange};
use crate::catalog::queries::groupings as queries;
use crate::catalog::view::Collection;
use crate::database::listing::ListQuery;
use crate::database::{self, Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Patch, Path, Text};
use crate::ids::CollectionId;
use crate::metadata::MetadataPatch;

/// List collections
#[utoipa::path(get, path = "/store/collections", tag = "Store collections", params(ListRequest<StoreCollections>),
    responses((status = 200, description = "A page", body = CollectionListResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn list_store_collections(
    State(db): State<Db>,
    _shop: Shop,
    list: ListRequest<StoreCollections>,
) -> Result<Answer, HttpError> {
    let query = queries::existing(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query)).await?;
    list.answer(&rows, count)
}

/// Show a collection
#[utoipa::path(get, path = "/store/collections/{id}", tag = "Store collections",
    params(("id" = CollectionId, Path, description = "The collection"), Fields<StoreCollections>),
    responses((status = 200, description = "The collection", body = CollectionResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn show_store_collection(
    State(db): State<Db>,
    _shop: Shop,
    Path(id): Path<CollectionId>,
    fields: Fields<StoreCollections>,
) -> Result<Answer, HttpError> {
    let collection = db.read(move |tx| groupings::find_collection(tx, &id)).await?;
    fields.selection.answer("collection", &collection)
}

/// List collections
#[utoipa::path(get, path = "/admin/collections", tag = "Admin collections", params(ListRequest<Collections>),
    responses((status = 200, description = "A page", body = CollectionListResponse)))]
pub(in crate::catalog) async fn list_collections(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Collections>,
) -> Result<Answer, HttpError> {
    let query = queries::existing(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query)).await?;
    list.answer(&rows, count)
}

/// A new collection.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "Summer" }))]
pub(in crate::catalog) struct CreateCollectionRequest {
    /// Its title.
    title: Text,
    /// Its name in addresses, which no other has; made from the title unless said.
    handle: Option<Text<200>>,
    /// Its id elsewhere.
    external_id: Option<Text>,
    /// The caller's own data.
    metadata: Option<MetadataPatch>,
}

/// What is to be set of a collection.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "Summer" }))]
pub(in crate::catalog) struct UpdateCollectionRequest {
    /// Its title.
    title: Option<Text>,
    /// Its name in addresses, which no other has.
    handle: Option<Text<200>>,
    /// Its id elsewhere.
    #[serde(default)]
    external_id: Patch<Text>,
    /// The caller's own data: keys are merged, null removes one.
    #[serde(default)]
    metadata: Patch<MetadataPatch>,
}

/// Create a collection
#[utoipa::path(post, path = "/admin/collections", tag = "Admin collections", params(Fields<Collections>),
    request_body = CreateCollectionRequest,
    responses((status = 200, description = "The collection", body = CollectionResponse),
              (status = 422, description = "The handle is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn create_collection(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Collections>,
    Json(request): Json<CreateCollectionRequest>,
) -> Result<Answer, HttpError> {
    let title = request.title.into();
    let change = CollectionChange {
        title: None,
        handle: request.handle.map(String::from),
        external_id: Some(request.external_id.map(String::from)),
        metadata: request.metadata.unwrap_or_default(),
    };
    let collection = db
        .write(move |tx| {
            let id = groupings::create_collection(tx, title, change)?;
            groupings::find_collection(tx, &id)
        })
        .await?;
    fields.selection.answer("collection", &collection)
}

/// Show a collection
#[utoipa::path(get, path = "/admin/collections/{id}", tag = "Admin collections",
    params(("id" = CollectionId, Path, description = "The collection"), Fields<Collections>),
    responses((status = 200, description = "The collection", body = CollectionResponse)))]
pub(in crate::catalog) async fn show_collection(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<CollectionId>,
    fields: Fields<Collections>,
) -> Result<Answer, HttpError> {
    let collection = db.read(move |tx| groupings::find_collection(tx, &id)).await?;
    fields.selection.answer("collection", &collection)
}

/// Change a collection
#[utoipa::path(post, path = "/admin/collections/{id}", tag = "Admin collections",
    params(("id" = CollectionId, Path, description = "The collection"), Fields<Collections>),
    request_body = UpdateCollectionRequest,
    responses((status = 200, description = "The collection", body = CollectionResponse),
              (status = 422, description = "The handle is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn update_collection(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CollectionId>,
    fields: Fields<Collections>,
    Json(request): Json<UpdateCollectionRequest>,
) -> Result<Answer, HttpError> {
    let change = CollectionChange {
        title: request.title.map(String::from),
        handle: request.handle.map(String::from),
        external_id: text(request.external_id),
        metadata: request.metadata.sent().flatten().unwrap_or_default(),
    };
    let collection = db
        .write(move |tx| {
            groupings::update_collection(tx, &id, change)?;
            groupings::find_collection(tx, &id)
        })
        .await?;
    fields.selection.answer("collection", &collection)
}

/// Delete a collection
///
/// Its products stay and are in none.
#[utoipa::path(delete, path = "/admin/collections/{id}", tag = "Admin collections",
    params(("id" = CollectionId, Path, description = "The collection")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::catalog) async fn delete_collection(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CollectionId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| groupings::delete_collection(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("collection", &deleted)))
}

/// Change the products of a collection
#[utoipa::path(post, path = "/admin/collections/{id}/products", tag = "Admin collections",
    params(("id" = CollectionId, Path, description = "The collection"), Fields<Collections>),
    request_body = ProductLinksRequest,
    responses((status = 200, description = "The collection", body = CollectionResponse)))]
pub(in crate::catalog) async fn change_collection_products(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CollectionId>,
    fields: Fields<Collections>,
    Json(request): Json<ProductLinksRequest>,
) -> Result<Answer, HttpError> {
    let collection = db
        .write(move |tx| {
            groupings::change_collected(tx, &id, &request.add, &request.remove)?;
            groupings::find_collection(tx, &id)
        })
        .await?;
    fields.selection.answer("collection", &collection)
}

fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<(Vec<Collection>, u64), database::Error> {
    Ok((queries::collections(tx, query)?, query.count(tx)?))
}
