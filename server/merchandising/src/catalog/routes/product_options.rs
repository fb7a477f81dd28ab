//! `/admin/product-options`: the options of all products, each by its id. An option belongs to one product.

use std::collections::BTreeMap;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::responses::{DeletedResponse, ProductOptionResponse, ProductOptionsResponse};
use super::shape::Options;
use crate::auth::{AdminReader, AdminWriter};
use crate::catalog::option_change::OptionChange;
use crate::catalog::queries::{options as queries, relations};
use crate::catalog::view::ProductOption;
use crate::catalog::{CatalogError, change, option_change};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Text};
use crate::ids::{self, OptionId, ProductId};

/// An option to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "title": "Size", "values": ["S", "M"],
}))]
pub(in crate::catalog) struct CreateProductOptionRequest {
    /// The product that it belongs to; it must not have variants yet.
    product_id: ProductId,
    /// What varies.
    title: Text,
    /// What it can be, in this order.
    #[schema(max_items = 500)]
    values: Vec<Text>,
}

/// What changes of an option; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "values": ["S", "M", "L"] }))]
pub(in crate::catalog) struct UpdateProductOptionRequest {
    /// What varies.
    title: Option<Text>,
    /// All that it can be, in this order.
    #[schema(max_items = 500)]
    values: Option<Vec<Text>>,
}

/// List product options
#[utoipa::path(get, path = "/admin/product-options", tag = "Admin products", params(ListRequest<Options>),
    responses((status = 200, description = "A page", body = ProductOptionsResponse)))]
pub(in crate::catalog) async fn list_product_options(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Options>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db
        .read(move |tx| {
            let (page, count) = queries::page(tx, &query)?;
            Ok::<_, CatalogError>((load(tx, &page)?, count))
        })
        .await?;
    list.answer(&rows, count)
}

/// Create a product option
///
/// An option belongs to one product, which is named. Refused while the product has variants, for they would have no
/// value of it.
#[utoipa::path(post, path = "/admin/product-options", tag = "Admin products", params(Fields<Options>),
    request_body = CreateProductOptionRequest,
    responses((status = 200, description = "The option", body = ProductOptionResponse)))]
pub(in crate::catalog) async fn create_product_option(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Options>,
    Json(request): Json<CreateProductOptionRequest>,
) -> Result<Answer, HttpError> {
    let option = db
        .write(move |tx| {
            let CreateProductOptionRequest { product_id, title, values } = request;
            let title = String::from(title);
            let values = Some(values.into_iter().map(String::from).collect());
            let new = OptionChange { id: None, title: Some(title.clone()), values };
            change::find_product(tx, &product_id)?;
            option_change::add_option(tx, &product_id, new)?;
            let id = queries::titled(tx, &product_id, &title)?;
            one(tx, &id.ok_or(CatalogError::UnknownOption { title })?)
        })
        .await?;
    fields.selection.answer("product_option", &option)
}

/// Show a product option
#[utoipa::path(get, path = "/admin/product-options/{id}", tag = "Admin products",
    params(("id" = OptionId, Path, description = "The option"), Fields<Options>),
    responses((status = 200, description = "The option", body = ProductOptionResponse)))]
pub(in crate::catalog) async fn show_product_option(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<OptionId>,
    fields: Fields<Options>,
) -> Result<Answer, HttpError> {
    let option = db.read(move |tx| one(tx, &id)).await?;
    fields.selection.answer("product_option", &option)
}

/// Change a product option
///
/// A value that a variant has stays.
#[utoipa::path(post, path = "/admin/product-options/{id}", tag = "Admin products",
    params(("id" = OptionId, Path, description = "The option"), Fields<Options>),
    request_body = UpdateProductOptionRequest,
    responses((status = 200, description = "The option", body = ProductOptionResponse)))]
pub(in crate::catalog) async fn update_product_option(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<OptionId>,
    fields: Fields<Options>,
    Json(request): Json<UpdateProductOptionRequest>,
) -> Result<Answer, HttpError> {
    let option = db
        .write(move |tx| {
            let values = request.values.map(|all| all.into_iter().map(String::from).collect());
            let change = OptionChange { id: None, title: request.title.map(String::from), values };
            option_change::update_option(tx, &product_of(tx, &id)?, &id, change)?;
            one(tx, &id)
        })
        .await?;
    fields.selection.answer("product_option", &option)
}

/// Delete a product option
///
/// Refused while a variant has a value of it.
#[utoipa::path(delete, path = "/admin/product-options/{id}", tag = "Admin products",
    params(("id" = OptionId, Path, description = "The option")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::catalog) async fn delete_product_option(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<OptionId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| option_change::delete_option(tx, &product_of(tx, &id)?, &id)).await?;
    Ok(Json(DeletedResponse::of("product_option", &deleted)))
}

fn product_of(tx: &Tx<'_>, id: &OptionId) -> Result<ProductId, CatalogError> {
    let what = "Product option";
    queries::product_of(tx, id)?.ok_or_else(|| CatalogError::missing(what, &id))
}

fn one(tx: &Tx<'_>, id: &OptionId) -> Result<ProductOption, CatalogError> {
    product_of(tx, id)?;
    let what = "Product option";
    let missing = || CatalogError::missing(what, &id);
    load(tx, std::slice::from_ref(id))?.pop().ok_or_else(missing)
}

/// Options in the order of their ids as given.
fn load(tx: &Tx<'_>, page: &[OptionId]) -> Result<Vec<ProductOption>, CatalogError> {
    let found = relations::options_by_ids(tx, &ids::list(page.iter().map(OptionId::as_str)))?;
    let mut found: BTreeMap<OptionId, ProductOption> =
        found.into_iter().map(|option| (option.id.clone(), option)).collect();
    Ok(page.iter().filter_map(|id| found.remove(id)).collect())
}
