//! Tags: `/store/product-tags` and `/admin/product-tags`.

use axum::extract::State;

use super::responses::{DeletedResponse, TagListResponse, TagResponse};
use super::shape::Tags;
use super::value_requests::{CreateValueRequest, UpdateValueRequest};
use crate::auth::{AdminReader, AdminWriter, Shop};
use crate::catalog::CatalogError;
use crate::catalog::groupings;
use crate::catalog::queries::groupings as queries;
use crate::catalog::view::Tag;
use crate::database::listing::ListQuery;
use crate::database::{self, Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path};
use crate::ids::TagId;

/// List product tags
#[utoipa::path(get, path = "/store/product-tags", tag = "Store products", params(ListRequest<Tags>),
    responses((status = 200, description = "A page", body = TagListResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn list_store_tags(
    State(db): State<Db>,
    _shop: Shop,
    list: ListRequest<Tags>,
) -> Result<Answer, HttpError> {
    let query = queries::existing(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query)).await?;
    list.answer(&rows, count)
}

/// Show a product tag
#[utoipa::path(get, path = "/store/product-tags/{id}", tag = "Store products",
    params(("id" = TagId, Path, description = "The tag"), Fields<Tags>),
    responses((status = 200, description = "The tag", body = TagResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn show_store_tag(
    State(db): State<Db>,
    _shop: Shop,
    Path(id): Path<TagId>,
    fields: Fields<Tags>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| groupings::find_tag(tx, &id)).await?;
    fields.selection.answer("product_tag", &found)
}

/// List product tags
#[utoipa::path(get, path = "/admin/product-tags", tag = "Admin products", params(ListRequest<Tags>),
    responses((status = 200, description = "A page", body = TagListResponse)))]
pub(in crate::catalog) async fn list_tags(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Tags>,
) -> Result<Answer, HttpError> {
    let query = queries::existing(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query)).await?;
    list.answer(&rows, count)
}

/// Create a product tag
#[utoipa::path(post, path = "/admin/product-tags", tag = "Admin products", params(Fields<Tags>),
    request_body = CreateValueRequest,
    responses((status = 200, description = "The tag", body = TagResponse),
              (status = 422, description = "The name is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn create_tag(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Tags>,
    Json(request): Json<CreateValueRequest>,
) -> Result<Answer, HttpError> {
    let metadata = request.metadata.unwrap_or_default().create().map_err(CatalogError::from)?;
    let found = db
        .write(move |tx| {
            let id = groupings::create_tag(tx, request.value.as_str(), &metadata)?;
            groupings::find_tag(tx, &id)
        })
        .await?;
    fields.selection.answer("product_tag", &found)
}

/// Show a product tag
#[utoipa::path(get, path = "/admin/product-tags/{id}", tag = "Admin products",
    params(("id" = TagId, Path, description = "The tag"), Fields<Tags>),
    responses((status = 200, description = "The tag", body = TagResponse)))]
pub(in crate::catalog) async fn show_tag(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<TagId>,
    fields: Fields<Tags>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| groupings::find_tag(tx, &id)).await?;
    fields.selection.answer("product_tag", &found)
}

/// Change a product tag
#[utoipa::path(post, path = "/admin/product-tags/{id}", tag = "Admin products",
    params(("id" = TagId, Path, description = "The tag"), Fields<Tags>),
    request_body = UpdateValueRequest,
    responses((status = 200, description = "The tag", body = TagResponse),
              (status = 422, description = "The name is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn update_tag(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<TagId>,
    fields: Fields<Tags>,
    Json(request): Json<UpdateValueRequest>,
) -> Result<Answer, HttpError> {
    let metadata = request.metadata.sent().flatten().unwrap_or_default();
    let found = db
        .write(move |tx| {
            groupings::update_tag(tx, &id, request.value.map(String::from), metadata)?;
            groupings::find_tag(tx, &id)
        })
        .await?;
    fields.selection.answer("product_tag", &found)
}

/// Delete a product tag
///
/// No product has it any more.
#[utoipa::path(delete, path = "/admin/product-tags/{id}", tag = "Admin products",
    params(("id" = TagId, Path, description = "The tag")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::catalog) async fn delete_tag(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<TagId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| groupings::delete_tag(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("product_tag", &deleted)))
}

fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<(Vec<Tag>, u64), database::Error> {
    Ok((queries::tags(tx, query)?, query.count(tx)?))
}
