//! Products for admins: `/admin/products`.

use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::product_requests::{CreateProductRequest, UpdateProductRequest};
use super::responses::{
    BatchDeleted, DeletedResponse, ProductBatchResponse, ProductListResponse, ProductResponse,
};
use super::shape::Products;
use crate::auth::{AdminReader, AdminWriter};
use crate::catalog::change::{self, ProductChange};
use crate::catalog::new::NewProduct;
use crate::catalog::queries::products;
use crate::catalog::view::Product;
use crate::catalog::view::load::{self, Viewer};
use crate::catalog::{CatalogError, ProductCounts, create_product};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::{self, ProductId};
use crate::openapi::identified;

/// Limit: products that one batch makes, changes or deletes.
const MAX_BATCH: usize = 100;

/// List products
#[utoipa::path(get, path = "/admin/products", tag = "Admin products", params(ListRequest<Products>),
    responses((status = 200, description = "A page", body = ProductListResponse)))]
pub(in crate::catalog) async fn list_products(
    State(db): State<Db>,
    State(counts): State<ProductCounts>,
    _admin: AdminReader,
    list: ListRequest<Products>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (rows, count) = db
        .read(move |tx| {
            let query = products::existing(query);
            let mut rows = products::page(tx, &query)?;
            load::attach(tx, &mut rows, &selection, &Viewer::Admin)?;
            Ok::<_, CatalogError>((rows, counts.count(tx, &query)?))
        })
        .await?;
    list.answer(&rows, count)
}

/// Create a product
///
/// With its options, variants and prices. A counted variant that names no inventory item gets one of its own, which lies
/// nowhere until it is given a level.
#[utoipa::path(post, path = "/admin/products", tag = "Admin products", params(Fields<Products>),
    request_body = CreateProductRequest,
    responses((status = 200, description = "The product", body = ProductResponse),
              (status = 422, description = "A handle or code is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn create_admin_product(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Products>,
    Json(request): Json<CreateProductRequest>,
) -> Result<Answer, HttpError> {
    let new = request.into_new()?;
    let selection = fields.selection.clone();
    let product = db
        .write(move |tx| {
            let id = create_product(tx, &new)?;
            shown(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("product", &product)
}

/// Show a product
#[utoipa::path(get, path = "/admin/products/{id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), Fields<Products>),
    responses((status = 200, description = "The product", body = ProductResponse)))]
pub(in crate::catalog) async fn show_product(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<ProductId>,
    fields: Fields<Products>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let product = db.read(move |tx| shown(tx, &id, &selection)).await?;
    fields.selection.answer("product", &product)
}

/// Change a product
///
/// What is not sent stays; a list that is sent replaces the one that is there.
#[utoipa::path(post, path = "/admin/products/{id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), Fields<Products>),
    request_body = UpdateProductRequest,
    responses((status = 200, description = "The product", body = ProductResponse),
              (status = 422, description = "A handle or code is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn update_product(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<ProductId>,
    fields: Fields<Products>,
    Json(request): Json<UpdateProductRequest>,
) -> Result<Answer, HttpError> {
    let (_id, sent) = request.into_change()?;
    let selection = fields.selection.clone();
    let product = db
        .write(move |tx| {
            change::update_product(tx, &id, sent)?;
            shown(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("product", &product)
}

/// Delete a product
///
/// With its variants. Orders keep what they copied from it.
#[utoipa::path(delete, path = "/admin/products/{id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::catalog) async fn delete_product(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<ProductId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| change::delete_products(tx, std::slice::from_ref(&id))).await?;
    Ok(Json(DeletedResponse::of("product", &deleted)))
}

/// Products to make, to change and to delete, all or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::catalog) struct ProductBatchRequest {
    /// Products to make.
    #[serde(default)]
    create: Vec<CreateProductRequest>,
    /// Products to change, each with its id.
    #[serde(default)]
    #[schema(schema_with = identified::<UpdateProductRequest, ProductId>)]
    update: Vec<UpdateProductRequest>,
    /// Products to delete.
    #[serde(default)]
    delete: Vec<ProductId>,
}

/// Make, change and delete products
///
/// All of it or nothing; 100 products at most.
#[utoipa::path(post, path = "/admin/products/batch", tag = "Admin products", params(Fields<Products>),
    request_body = ProductBatchRequest,
    responses((status = 200, description = "What was done", body = ProductBatchResponse),
              (status = 422, description = "A handle or code is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn batch_products(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Products>,
    Json(request): Json<ProductBatchRequest>,
) -> Result<Answer, HttpError> {
    let ProductBatchRequest { create, update, delete } = request;
    let total = create.len().saturating_add(update.len()).saturating_add(delete.len());
    if total > MAX_BATCH {
        return Err(CatalogError::TooMany { what: "products", max: MAX_BATCH }.into());
    }
    let new: Vec<NewProduct> =
        create.into_iter().map(CreateProductRequest::into_new).collect::<Result<_, _>>()?;
    let mut changes = Vec::with_capacity(update.len());
    for sent in update {
        let (id, change) = sent.into_change()?;
        let missing =
            || HttpError::invalid_data("Invalid request: Field 'update[].id' is required");
        changes.push((id.ok_or_else(missing)?, change));
    }
    let deleted = BatchDeleted {
        ids: delete.iter().map(ToString::to_string).collect(),
        object: "product",
        deleted: true,
    };
    let selection = fields.selection.clone();
    let (created, updated) =
        db.write(move |tx| batch(tx, new, changes, &delete, &selection)).await?;
    let selection = &fields.selection;
    let rows = |rows: &[Product]| {
        rows.iter().map(|row| selection.value(row)).collect::<Result<Value, _>>()
    };
    let members: Map<String, Value> = [
        ("created".to_owned(), rows(&created)?),
        ("updated".to_owned(), rows(&updated)?),
        ("deleted".to_owned(), serde_json::to_value(deleted).map_err(HttpError::unexpected)?),
    ]
    .into_iter()
    .collect();
    Answer::of(&members)
}

/// Does a batch, and reads what it has made and changed.
fn batch(
    tx: &Tx<'_>,
    new: Vec<NewProduct>,
    changes: Vec<(ProductId, ProductChange)>,
    gone: &[ProductId],
    selection: &Selection,
) -> Result<(Vec<Product>, Vec<Product>), CatalogError> {
    if !gone.is_empty() {
        change::delete_products(tx, gone)?;
    }
    let mut updated = Vec::with_capacity(changes.len());
    for (id, change) in changes {
        change::update_product(tx, &id, change)?;
        updated.push(id);
    }
    let mut created = Vec::with_capacity(new.len());
    for product in new {
        created.push(create_product(tx, &product)?);
    }
    Ok((all_shown(tx, &created, selection)?, all_shown(tx, &updated, selection)?))
}

fn all_shown(
    tx: &Tx<'_>,
    wanted: &[ProductId],
    selection: &Selection,
) -> Result<Vec<Product>, CatalogError> {
    let mut found = products::find_all(tx, &ids::list(wanted.iter().map(ProductId::as_str)))?;
    found.sort_by_key(|product| wanted.iter().position(|id| *id == product.id));
    load::attach(tx, &mut found, selection, &Viewer::Admin)?;
    Ok(found)
}

/// A product with what is asked for.
pub(super) fn shown(
    tx: &Tx<'_>,
    id: &ProductId,
    selection: &Selection,
) -> Result<Product, CatalogError> {
    let mut product = change::find_product(tx, id)?;
    load::attach(tx, std::slice::from_mut(&mut product), selection, &Viewer::Admin)?;
    Ok(product)
}
