//! Variants for admins: below `/admin/products/{id}`, and all of them at `/admin/product-variants`.

use std::collections::BTreeMap;

use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::products::shown;
use super::responses::{
    BatchDeleted, ProductResponse, VariantBatchResponse, VariantDeletedResponse,
    VariantListResponse, VariantResponse,
};
use super::shape::{Products, Variants};
use super::variant_requests::VariantRequest;
use crate::auth::{AdminReader, AdminWriter};
use crate::catalog::queries::{relations, variants as queries};
use crate::catalog::variant_change::{self, VariantChange};
use crate::catalog::view::Variant;
use crate::catalog::view::load::{self, Below, Viewer};
use crate::catalog::{CatalogError, NewVariant, change};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::{self, ProductId, VariantId};
use crate::openapi::identified;

/// List a product's variants
#[utoipa::path(get, path = "/admin/products/{id}/variants", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), ListRequest<Variants>),
    responses((status = 200, description = "A page", body = VariantListResponse)))]
pub(in crate::catalog) async fn list_variants(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<ProductId>,
    list: ListRequest<Variants>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (rows, count) = db
        .read(move |tx| {
            change::find_product(tx, &id)?;
            page(tx, &queries::of_product_list(query, &id), &selection)
        })
        .await?;
    list.answer(&rows, count)
}

/// List the variants of all products
#[utoipa::path(get, path = "/admin/product-variants", tag = "Admin products", params(ListRequest<Variants>),
    responses((status = 200, description = "A page", body = VariantListResponse)))]
pub(in crate::catalog) async fn list_all_variants(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Variants>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (rows, count) = db.read(move |tx| page(tx, &queries::existing(query), &selection)).await?;
    list.answer(&rows, count)
}

/// Create a variant
#[utoipa::path(post, path = "/admin/products/{id}/variants", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), Fields<Products>),
    request_body = VariantRequest,
    responses((status = 200, description = "The product", body = ProductResponse),
              (status = 422, description = "A code is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn create_variant(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<ProductId>,
    fields: Fields<Products>,
    Json(request): Json<VariantRequest>,
) -> Result<Answer, HttpError> {
    let (_id, sent) = request.into_change()?;
    let new = sent.into_new()?;
    let selection = fields.selection.clone();
    let product = db
        .write(move |tx| {
            variant_change::create_variants(tx, &id, &[new])?;
            shown(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("product", &product)
}

/// Show a variant
#[utoipa::path(get, path = "/admin/products/{id}/variants/{variant_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant"), Fields<Variants>),
    responses((status = 200, description = "The variant", body = VariantResponse)))]
pub(in crate::catalog) async fn show_variant(
    State(db): State<Db>,
    _admin: AdminReader,
    Path((id, variant_id)): Path<(ProductId, VariantId)>,
    fields: Fields<Variants>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let variant = db
        .read(move |tx| {
            let mut found = all_shown(tx, &id, std::slice::from_ref(&variant_id), &selection)?;
            let missing = || CatalogError::missing("Product variant", &variant_id);
            found.pop().ok_or_else(missing)
        })
        .await?;
    fields.selection.answer("variant", &variant)
}

/// Change a variant
#[utoipa::path(post, path = "/admin/products/{id}/variants/{variant_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant"), Fields<Products>),
    request_body = VariantRequest,
    responses((status = 200, description = "The product", body = ProductResponse),
              (status = 422, description = "A code is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn update_variant(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path((id, variant_id)): Path<(ProductId, VariantId)>,
    fields: Fields<Products>,
    Json(request): Json<VariantRequest>,
) -> Result<Answer, HttpError> {
    let (_id, sent) = request.into_change()?;
    let selection = fields.selection.clone();
    let product = db
        .write(move |tx| {
            variant_change::update_variant(tx, &id, &variant_id, sent)?;
            shown(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("product", &product)
}

/// Delete a variant
#[utoipa::path(delete, path = "/admin/products/{id}/variants/{variant_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant"), Fields<Products>),
    responses((status = 200, description = "Deleted", body = VariantDeletedResponse)))]
pub(in crate::catalog) async fn delete_variant(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path((id, variant_id)): Path<(ProductId, VariantId)>,
    fields: Fields<Products>,
) -> Result<Answer, HttpError> {
    let (selection, deleted) = (fields.selection.clone(), variant_id.to_string());
    let product = db
        .write(move |tx| {
            variant_change::delete_variants(tx, &id, std::slice::from_ref(&variant_id))?;
            shown(tx, &id, &selection)
        })
        .await?;
    gone("variant", &deleted, fields.selection.value(&product)?)
}

/// That something below a product is gone, beside what is left of it.
pub(super) fn gone(object: &str, id: &str, parent: Value) -> Result<Answer, HttpError> {
    let members: Map<String, Value> = [
        ("id".to_owned(), id.into()),
        ("object".to_owned(), object.into()),
        ("deleted".to_owned(), true.into()),
        ("parent".to_owned(), parent),
    ]
    .into_iter()
    .collect();
    Answer::of(&members)
}

/// Variants to make, to change and to delete, all or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::catalog) struct VariantBatchRequest {
    /// Variants to make.
    #[serde(default)]
    create: Vec<VariantRequest>,
    /// Variants to change, each with its id.
    #[serde(default)]
    #[schema(schema_with = identified::<VariantRequest, VariantId>)]
    update: Vec<VariantRequest>,
    /// Variants to delete.
    #[serde(default)]
    delete: Vec<VariantId>,
}

/// Make, change and delete variants
///
/// All of it or nothing.
#[utoipa::path(post, path = "/admin/products/{id}/variants/batch", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), Fields<Variants>),
    request_body = VariantBatchRequest,
    responses((status = 200, description = "What was done", body = VariantBatchResponse),
              (status = 422, description = "A code is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn batch_variants(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<ProductId>,
    fields: Fields<Variants>,
    Json(request): Json<VariantBatchRequest>,
) -> Result<Answer, HttpError> {
    let VariantBatchRequest { create, update, delete } = request;
    let mut new = Vec::with_capacity(create.len());
    for sent in create {
        let (_id, change) = sent.into_change()?;
        new.push(change.into_new()?);
    }
    let mut changes = Vec::with_capacity(update.len());
    for sent in update {
        let (id, change) = sent.into_change()?;
        let missing =
            || HttpError::invalid_data("Invalid request: Field 'update[].id' is required");
        changes.push((id.ok_or_else(missing)?, change));
    }
    let deleted = BatchDeleted {
        ids: delete.iter().map(ToString::to_string).collect(),
        object: "variant",
        deleted: true,
    };
    let selection = fields.selection.clone();
    let batch = Batch { new, changes, gone: delete };
    let (created, updated) = db.write(move |tx| batch.run(tx, &id, &selection)).await?;
    let rows = |rows: &[Variant]| {
        rows.iter().map(|row| fields.selection.value(row)).collect::<Result<Value, _>>()
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

/// A batch of variants of one product.
#[derive(Debug)]
struct Batch {
    new: Vec<NewVariant>,
    changes: Vec<(VariantId, VariantChange)>,
    gone: Vec<VariantId>,
}

impl Batch {
    /// Does it, and reads what it has made and changed.
    fn run(
        self,
        tx: &Tx<'_>,
        product_id: &ProductId,
        selection: &Selection,
    ) -> Result<(Vec<Variant>, Vec<Variant>), CatalogError> {
        if !self.gone.is_empty() {
            variant_change::delete_variants(tx, product_id, &self.gone)?;
        }
        let mut updated = Vec::with_capacity(self.changes.len());
        for (id, change) in self.changes {
            variant_change::update_variant(tx, product_id, &id, change)?;
            updated.push(id);
        }
        let created = variant_change::create_variants(tx, product_id, &self.new)?;
        let shown = |wanted: &[VariantId]| all_shown(tx, product_id, wanted, selection);
        Ok((shown(&created)?, shown(&updated)?))
    }
}

/// Variants of a product with what is asked for, in the order of `wanted`.
fn all_shown(
    tx: &Tx<'_>,
    product_id: &ProductId,
    wanted: &[VariantId],
    selection: &Selection,
) -> Result<Vec<Variant>, CatalogError> {
    let product = change::find_product(tx, product_id)?;
    let mut found = queries::of_products(tx, &ids::list([product.id.as_str()]))?;
    found.retain(|variant| wanted.contains(&variant.id));
    found.sort_by_key(|variant| wanted.iter().position(|id| *id == variant.id));
    complete(tx, &mut found, selection)?;
    Ok(found)
}

fn page(
    tx: &Tx<'_>,
    query: &crate::database::listing::ListQuery,
    selection: &Selection,
) -> Result<(Vec<Variant>, u64), CatalogError> {
    let mut found = queries::page(tx, query)?;
    complete(tx, &mut found, selection)?;
    Ok((found, query.count(tx)?))
}

fn complete(tx: &Tx<'_>, found: &mut [Variant], selection: &Selection) -> Result<(), CatalogError> {
    let options = if selection.wants("options") {
        let product_ids = ids::list(found.iter().map(|variant| variant.product_id.as_str()));
        relations::options(tx, &product_ids)?
    } else {
        Vec::new()
    };
    let below = Below { selection, prefix: "", types: &BTreeMap::new() };
    load::attach_to_variants(tx, found, &options, &Viewer::Admin, below)
}
