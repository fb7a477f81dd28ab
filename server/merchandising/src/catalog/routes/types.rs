//! Types: `/store/product-types` and `/admin/product-types`.

use axum::extract::State;

use super::responses::{DeletedResponse, TypeListResponse, TypeResponse};
use super::shape::Types;
use super::value_requests::{CreateValueRequest, UpdateValueRequest};
use crate::auth::{AdminReader, AdminWriter, Shop};
use crate::catalog::CatalogError;
use crate::catalog::groupings;
use crate::catalog::queries::groupings as queries;
use crate::catalog::view::ProductType;
use crate::database::listing::ListQuery;
use crate::database::{self, Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path};
use crate::ids::ProductTypeId;

/// List product types
#[utoipa::path(get, path = "/store/product-types", tag = "Store products", params(ListRequest<Types>),
    responses((status = 200, description = "A page", body = TypeListResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn list_store_types(
    State(db): State<Db>,
    _shop: Shop,
    list: ListRequest<Types>,
) -> Result<Answer, HttpError> {
    let query = queries::existing(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query)).await?;
    list.answer(&rows, count)
}

/// Show a product type
#[utoipa::path(get, path = "/store/product-types/{id}", tag = "Store products",
    params(("id" = ProductTypeId, Path, description = "The type"), Fields<Types>),
    responses((status = 200, description = "The type", body = TypeResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn show_store_type(
    State(db): State<Db>,
    _shop: Shop,
    Path(id): Path<ProductTypeId>,
    fields: Fields<Types>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| groupings::find_type(tx, &id)).await?;
    fields.selection.answer("product_type", &found)
}

/// List product types
#[utoipa::path(get, path = "/admin/product-types", tag = "Admin products", params(ListRequest<Types>),
    responses((status = 200, description = "A page", body = TypeListResponse)))]
pub(in crate::catalog) async fn list_types(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Types>,
) -> Result<Answer, HttpError> {
    let query = queries::existing(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query)).await?;
    list.answer(&rows, count)
}

/// Create a product type
#[utoipa::path(post, path = "/admin/product-types", tag = "Admin products", params(Fields<Types>),
    request_body = CreateValueRequest,
    responses((status = 200, description = "The type", body = TypeResponse),
              (status = 422, description = "The name is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn create_type(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Types>,
    Json(request): Json<CreateValueRequest>,
) -> Result<Answer, HttpError> {
    let metadata = request.metadata.unwrap_or_default().create().map_err(CatalogError::from)?;
    let found = db
        .write(move |tx| {
            let id = groupings::create_type(tx, request.value.as_str(), &metadata)?;
            groupings::find_type(tx, &id)
        })
        .await?;
    fields.selection.answer("product_type", &found)
}

/// Show a product type
#[utoipa::path(get, path = "/admin/product-types/{id}", tag = "Admin products",
    params(("id" = ProductTypeId, Path, description = "The type"), Fields<Types>),
    responses((status = 200, description = "The type", body = TypeResponse)))]
pub(in crate::catalog) async fn show_type(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<ProductTypeId>,
    fields: Fields<Types>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| groupings::find_type(tx, &id)).await?;
    fields.selection.answer("product_type", &found)
}

/// Change a product type
#[utoipa::path(post, path = "/admin/product-types/{id}", tag = "Admin products",
    params(("id" = ProductTypeId, Path, description = "The type"), Fields<Types>),
    request_body = UpdateValueRequest,
    responses((status = 200, description = "The type", body = TypeResponse),
              (status = 422, description = "The name is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn update_type(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<ProductTypeId>,
    fields: Fields<Types>,
    Json(request): Json<UpdateValueRequest>,
) -> Result<Answer, HttpError> {
    let metadata = request.metadata.sent().flatten().unwrap_or_default();
    let found = db
        .write(move |tx| {
            groupings::update_type(tx, &id, request.value.map(String::from), metadata)?;
            groupings::find_type(tx, &id)
        })
        .await?;
    fields.selection.answer("product_type", &found)
}

/// Delete a product type
///
/// No product has it any more.
#[utoipa::path(delete, path = "/admin/product-types/{id}", tag = "Admin products",
    params(("id" = ProductTypeId, Path, description = "The type")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::catalog) async fn delete_type(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<ProductTypeId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| groupings::delete_type(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("product_type", &deleted)))
}

fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<(Vec<ProductType>, u64), database::Error> {
    Ok((queries::types(tx, query)?, query.count(tx)?))
}
