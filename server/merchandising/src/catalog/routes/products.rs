//! The admin routes of products: `/admin/products`.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use crate::auth::{AdminReader, AdminWriter};
use crate::catalog::change;
use crate::catalog::new::NewProduct;
use crate::catalog::product_requests::{CreateProductRequest, OptionRequest, UpdateProductRequest};
use crate::catalog::queries::products;
use crate::catalog::variant_requests::VariantRequest;
use crate::catalog::view::Product;
use crate::catalog::view::load::{self, Viewer};
use crate::catalog::{CatalogError, ProductCounts, create_product, option_change, variant_change};
use crate::database::{Db, Table, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, Keyed, ListRequest, One, Page, PartDeleted, Selection,
    ToSchema, request,
};
use crate::ids::ProductId;
use crate::openapi::identified;
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;

/// Limit: products in one batch.
const MAX_BATCH: usize = 100;

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<Product, _>::at("/admin/products", "Admin products")
        .show()
        .update(UpdateProductRequest::update)
        .note("What is not sent stays; a list that is sent replaces the one that is there.")
        .taken("A handle or code is taken")
        .delete(|tx, id| change::delete_products(tx, std::slice::from_ref(id)))
        .note("With its variants. Orders keep what they copied from it.")
        .update_part("/variants", "create_variant", "Create a variant", VariantRequest::create)
        .taken("A code is taken")
        .update_part("/options", "create_option", "Create an option", OptionRequest::create)
        .note("Refused while the product has variants, for they would have no value of it.")
        .router()
        .routes(routes!(list_products, create_admin_product))
        .routes(routes!(batch_products))
}

impl View for Product {
    type Row = Self;
    type Error = CatalogError;

    fn attach(tx: &Tx<'_>, views: &mut [Self], selection: &Selection) -> Result<(), CatalogError> {
        load::attach(tx, views, selection, &Viewer::Admin)
    }
}

pub(super) type ProductResponse = One<Product>;
pub(super) type PartDeletedResponse = PartDeleted<Product>;
pub(super) type ProductListResponse = Page<Product>;

/// List products
#[crate::http::operation(get, path = "/admin/products", tag = "Admin products", params(ListRequest<Product>),
    responses((status = 200, description = "A page", body = ProductListResponse)))]
async fn list_products(
    State(db): State<Db>,
    State(counts): State<ProductCounts>,
    _admin: AdminReader,
    list: ListRequest<Product>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        let query = products::existing(query);
        let mut rows = products::page(tx, &query)?;
        load::attach(tx, &mut rows, selection, &Viewer::Admin)?;
        Ok::<_, CatalogError>((rows, counts.count(tx, &query)?))
    })
    .await
}

/// Create a product
///
/// Creates its options, variants and prices too. A variant with managed stock and no inventory item gets its own, which
/// has no level yet.
#[crate::http::operation(post, path = "/admin/products", tag = "Admin products", params(Fields<Product>),
    request_body = CreateProductRequest,
    responses((status = 200, description = "The product", body = ProductResponse),
              (status = 422, description = "A handle or code is taken", body = crate::http::ErrorBody)))]
async fn create_admin_product(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Product>,
    Json(request): Json<CreateProductRequest>,
) -> Result<Answer, HttpError> {
    let new = request.into_new()?;
    fields
        .write(db, move |tx, selection| {
            let id = create_product(tx, &new)?;
            Product::show(tx, &id, selection)
        })
        .await
}

impl UpdateProductRequest {
    fn update(self, tx: &Tx<'_>, id: &ProductId) -> Result<(), CatalogError> {
        self.check_prices()?;
        change::update_product(tx, id, self)
    }
}

impl VariantRequest {
    fn create(self, tx: &Tx<'_>, id: &ProductId) -> Result<(), CatalogError> {
        variant_change::create_variants(tx, id, &[self.into_new()?]).map(drop)
    }
}

impl OptionRequest {
    fn create(self, tx: &Tx<'_>, id: &ProductId) -> Result<(), CatalogError> {
        option_change::add_option(tx, id, self.into_change())
    }
}

/// Products to create, to change and to delete, all or none.
#[request]
struct ProductBatchRequest {
    #[serde(default)]
    create: Vec<CreateProductRequest>,
    /// Products to change, each with its id.
    #[serde(default)]
    #[schema(schema_with = identified::<UpdateProductRequest, ProductId>)]
    update: Vec<UpdateProductRequest>,
    #[serde(default)]
    delete: Vec<ProductId>,
}

/// The result of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchResponse<T: ToSchema> {
    created: Vec<T>,
    updated: Vec<T>,
    deleted: BatchDeleted,
}

/// The resources that a batch deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "ids": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"], "object": "product", "deleted": true }))]
pub(super) struct BatchDeleted {
    ids: Vec<String>,
    /// The kind of resource.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

impl BatchDeleted {
    pub(super) fn new<R: Keyed<Id: ToString>>(ids: &[R::Id]) -> Self {
        let ids = ids.iter().map(ToString::to_string).collect();
        Self { ids, object: R::KEY, deleted: true }
    }
}

/// Create, change and delete products
///
/// All or none; at most 100 products.
#[crate::http::operation(post, path = "/admin/products/batch", tag = "Admin products", params(Fields<Product>),
    request_body = ProductBatchRequest,
    responses((status = 200, description = "The result", body = BatchResponse<Product>),
              (status = 422, description = "A handle or code is taken", body = crate::http::ErrorBody)))]
async fn batch_products(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Product>,
    Json(request): Json<ProductBatchRequest>,
) -> Result<Answer, HttpError> {
    let ProductBatchRequest { create, update, delete } = request;
    let total = create.len().saturating_add(update.len()).saturating_add(delete.len());
    if total > MAX_BATCH {
        return Err(CatalogError::too_many("products", MAX_BATCH).into());
    }
    let new: Vec<NewProduct> =
        create.into_iter().map(CreateProductRequest::into_new).collect::<Result<_, _>>()?;
    let mut changes = Vec::with_capacity(update.len());
    for sent in update {
        sent.check_prices()?;
        let missing = || HttpError::field_required("update[].id");
        changes.push((sent.id.clone().ok_or_else(missing)?, sent));
    }
    let deleted = BatchDeleted::new::<Product>(&delete);
    let selection = fields.selection.clone();
    let written = db.write(move |tx| {
        if !delete.is_empty() {
            change::delete_products(tx, &delete)?;
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
        Ok::<_, CatalogError>((
            load_all(tx, &created, &selection)?,
            load_all(tx, &updated, &selection)?,
        ))
    });
    let (created, updated) = written.await?;
    batch_answer(&fields.selection, &created, &updated, &deleted)
}

/// Returns the response of a batch, each resource with the selected fields.
pub(super) fn batch_answer<R: Serialize>(
    selection: &Selection,
    created: &[R],
    updated: &[R],
    deleted: &BatchDeleted,
) -> Result<Answer, HttpError> {
    let rows =
        |rows: &[R]| rows.iter().map(|row| selection.value(row)).collect::<Result<Value, _>>();
    let (created, updated) = (rows(created)?, rows(updated)?);
    Answer::of(&json!({ "created": created, "updated": updated, "deleted": deleted }))
}

fn load_all(
    tx: &Tx<'_>,
    product_ids: &[ProductId],
    selection: &Selection,
) -> Result<Vec<Product>, CatalogError> {
    let mut found = Product::find_all(tx, product_ids)?;
    found.sort_by_key(|product| product_ids.iter().position(|id| *id == product.id));
    load::attach(tx, &mut found, selection, &Viewer::Admin)?;
    Ok(found)
}
