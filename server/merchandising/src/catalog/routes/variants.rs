//! The admin routes of variants: below `/admin/products/{id}`, and `/admin/product-variants`.

use axum::extract::State;

use super::products::{
    BatchDeleted, BatchResponse, PartDeletedResponse, ProductResponse, batch_answer,
};
use crate::auth::{AdminReader, AdminWriter};
use crate::catalog::queries::{relations, variants as queries};
use crate::catalog::variant_change;
use crate::catalog::variant_requests::VariantRequest;
use crate::catalog::view::load::{self, VariantFields, Viewer};
use crate::catalog::view::{Product, Variant};
use crate::catalog::{CatalogError, NewVariant};
use crate::database::{Db, Table, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, One, OneRequest, Page, Path, Selection, request,
};
use crate::ids::{self, ById, ProductId, VariantId};
use crate::openapi::identified;
use crate::resource::View;

type VariantResponse = One<Variant>;
type VariantListResponse = Page<Variant>;

/// A request about a variant of a product.
type OneVariant<Caller, R> = OneRequest<Caller, (ProductId, VariantId), R>;

/// List a product's variants
#[crate::http::operation(get, path = "/admin/products/{id}/variants", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), ListRequest<Variant>),
    responses((status = 200, description = "A page", body = VariantListResponse)))]
pub(crate) async fn list_variants(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<ProductId>,
    list: ListRequest<Variant>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        Product::require::<CatalogError>(tx, &id)?;
        page(tx, &queries::of_product_list(query, &id), selection)
    })
    .await
}

/// List the variants of all products
#[crate::http::operation(get, path = "/admin/product-variants", tag = "Admin products", params(ListRequest<Variant>),
    responses((status = 200, description = "A page", body = VariantListResponse)))]
pub(crate) async fn list_all_variants(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Variant>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| page(tx, &queries::existing(query), selection)).await
}

/// Show a variant
#[crate::http::operation(get, path = "/admin/products/{id}/variants/{variant_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant"), Fields<Variant>),
    responses((status = 200, description = "The variant", body = VariantResponse)))]
pub(crate) async fn show_variant(
    OneRequest { db, id: (id, variant_id), fields, .. }: OneVariant<AdminReader, Variant>,
) -> Result<Answer, HttpError> {
    fields
        .read(db, move |tx, selection| {
            let mut found = load_all(tx, &id, std::slice::from_ref(&variant_id), selection)?;
            let missing = || CatalogError::missing("Product variant", &variant_id);
            found.pop().ok_or_else(missing)
        })
        .await
}

/// Change a variant
#[crate::http::operation(post, path = "/admin/products/{id}/variants/{variant_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant"), Fields<Product>),
    request_body = VariantRequest,
    responses((status = 200, description = "The product", body = ProductResponse),
              (status = 422, description = "A code is taken", body = crate::http::ErrorBody)))]
pub(crate) async fn update_variant(
    OneRequest { db, id: (id, variant_id), fields, .. }: OneVariant<AdminWriter, Product>,
    Json(request): Json<VariantRequest>,
) -> Result<Answer, HttpError> {
    request.check_prices()?;
    fields
        .write(db, move |tx, selection| {
            variant_change::update_variants(tx, &id, vec![(variant_id, request)])?;
            Product::show(tx, &id, selection)
        })
        .await
}

/// Delete a variant
#[crate::http::operation(delete, path = "/admin/products/{id}/variants/{variant_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("variant_id" = VariantId, Path, description = "The variant"), Fields<Product>),
    responses((status = 200, description = "Deleted", body = PartDeletedResponse)))]
pub(crate) async fn delete_variant(
    OneRequest { db, id: (id, variant_id), fields, .. }: OneVariant<AdminWriter, Product>,
) -> Result<Answer, HttpError> {
    fields
        .delete_part(db, "variant", move |tx, selection| {
            variant_change::delete_variants(tx, &id, std::slice::from_ref(&variant_id))?;
            Ok::<_, CatalogError>((variant_id, Product::show(tx, &id, selection)?))
        })
        .await
}

/// Variants to create, to change and to delete, all or none.
#[request]
pub(crate) struct VariantBatchRequest {
    #[serde(default)]
    create: Vec<VariantRequest>,
    /// Variants to change, each with its id.
    #[serde(default)]
    #[schema(schema_with = identified::<VariantRequest, VariantId>)]
    update: Vec<VariantRequest>,
    #[serde(default)]
    delete: Vec<VariantId>,
}

/// Create, change and delete variants
///
/// All or none.
#[crate::http::operation(post, path = "/admin/products/{id}/variants/batch", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), Fields<Variant>),
    request_body = VariantBatchRequest,
    responses((status = 200, description = "The result", body = BatchResponse<Variant>),
              (status = 422, description = "A code is taken", body = crate::http::ErrorBody)))]
pub(crate) async fn batch_variants(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, ProductId, Variant>,
    Json(request): Json<VariantBatchRequest>,
) -> Result<Answer, HttpError> {
    let VariantBatchRequest { create, update, delete } = request;
    let new: Vec<NewVariant> =
        create.into_iter().map(VariantRequest::into_new).collect::<Result<_, _>>()?;
    let mut changes = Vec::with_capacity(update.len());
    for sent in update {
        sent.check_prices()?;
        let missing = || HttpError::field_required("update[].id");
        changes.push((sent.id.clone().ok_or_else(missing)?, sent));
    }
    let deleted = BatchDeleted::new::<Variant>(&delete);
    let selection = fields.selection.clone();
    let written = db.write(move |tx| {
        if !delete.is_empty() {
            variant_change::delete_variants(tx, &id, &delete)?;
        }
        let updated: Vec<VariantId> = changes.iter().map(|(id, _)| id.clone()).collect();
        if !changes.is_empty() {
            variant_change::update_variants(tx, &id, changes)?;
        }
        let created = variant_change::create_variants(tx, &id, &new)?;
        let load = |variant_ids: &[VariantId]| load_all(tx, &id, variant_ids, &selection);
        Ok::<_, CatalogError>((load(&created)?, load(&updated)?))
    });
    let (created, updated) = written.await?;
    batch_answer(&fields.selection, &created, &updated, &deleted)
}

/// Loads variants of a product with the selected fields, in the order of `variant_ids`.
fn load_all(
    tx: &Tx<'_>,
    product_id: &ProductId,
    variant_ids: &[VariantId],
    selection: &Selection,
) -> Result<Vec<Variant>, CatalogError> {
    let product = Product::require::<CatalogError>(tx, product_id)?;
    let mut found = queries::of_products(tx, &ids::list([&product.id]))?;
    found.retain(|variant| variant_ids.contains(&variant.id));
    found.sort_by_key(|variant| variant_ids.iter().position(|id| *id == variant.id));
    complete(tx, &mut found, selection)?;
    Ok(found)
}

fn page(
    tx: &Tx<'_>,
    query: &crate::database::listing::ListQuery,
    selection: &Selection,
) -> Result<(Vec<Variant>, u64), CatalogError> {
    let (mut found, count) = queries::page(tx, query)?;
    complete(tx, &mut found, selection)?;
    Ok((found, count))
}

fn complete(tx: &Tx<'_>, found: &mut [Variant], selection: &Selection) -> Result<(), CatalogError> {
    let options = if selection.wants("options") {
        let product_ids = ids::list(found.iter().map(|variant| variant.product_id.as_str()));
        relations::options(tx, &product_ids)?
    } else {
        Vec::new()
    };
    let variant_fields = VariantFields { selection, prefix: "", types: &ById::default() };
    load::attach_to_variants(tx, found, &options, &Viewer::Admin, variant_fields)
}
