//! Categories: `/store/product-categories` and `/admin/product-categories`.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::responses::{CategoryListResponse, CategoryResponse, DeletedResponse};
use super::shape::{Categories, StoreCategories};
use super::variant_requests::text;
use crate::auth::{AdminReader, AdminWriter, Shop};
use crate::catalog::CatalogError;
use crate::catalog::categories::{self, Around, CategoryChange};
use crate::catalog::queries::categories as queries;
use crate::catalog::view::Category;
use crate::database::listing::ListQuery;
use crate::database::{Db, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Patch, Path, Query, Selection, Text,
};
use crate::ids::{CategoryId, ProductId};
use crate::metadata::MetadataPatch;

/// How much of the tree is shown around a category.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::catalog) struct TreeQuery {
    /// All categories that it is in, each within the next, and not only the first.
    #[serde(default)]
    include_ancestors_tree: bool,
    /// All categories in it, and those in them, and not only the first level.
    #[serde(default)]
    include_descendants_tree: bool,
}

impl TreeQuery {
    fn of_list<R: Listed>(list: &ListRequest<R>) -> Result<Self, HttpError> {
        let flag = |name: &'static str| match list.extra(name)? {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => {
                let sentence = format!("Value for field '{name}' is not valid");
                Err(HttpError::invalid_data(format!("Invalid request: {sentence}"))
                    .with_details(name, sentence))
            }
        };
        Ok(Self {
            include_ancestors_tree: flag("include_ancestors_tree")?,
            include_descendants_tree: flag("include_descendants_tree")?,
        })
    }

    fn around(&self, selection: &Selection, for_shoppers: bool) -> Around {
        let (parent, children) =
            (selection.wants("parent_category"), selection.wants("category_children"));
        Around {
            parent,
            children,
            all_above: parent && self.include_ancestors_tree,
            all_below: children && self.include_descendants_tree,
            for_shoppers,
        }
    }
}

/// List product categories
///
/// Those that are active and not internal.
#[utoipa::path(get, path = "/store/product-categories", tag = "Store categories", params(ListRequest<StoreCategories>, TreeQuery),
    responses((status = 200, description = "A page", body = CategoryListResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn list_store_categories(
    State(db): State<Db>,
    _shop: Shop,
    list: ListRequest<StoreCategories>,
) -> Result<Answer, HttpError> {
    let around = TreeQuery::of_list(&list)?.around(&list.selection, true);
    let query = queries::visible(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query, around)).await?;
    list.answer(&rows, count)
}

/// Show a product category
#[utoipa::path(get, path = "/store/product-categories/{id}", tag = "Store categories",
    params(("id" = CategoryId, Path, description = "The category"), Fields<StoreCategories>, TreeQuery),
    responses((status = 200, description = "The category", body = CategoryResponse)),
    security(("publishable_key" = [])))]
pub(in crate::catalog) async fn show_store_category(
    State(db): State<Db>,
    _shop: Shop,
    Path(id): Path<CategoryId>,
    fields: Fields<StoreCategories>,
    Query(tree): Query<TreeQuery>,
) -> Result<Answer, HttpError> {
    let around = tree.around(&fields.selection, true);
    let category = db
        .read(move |tx| {
            let category = one(tx, &id, around)?;
            let is_seen = category.is_active && !category.is_internal;
            let missing = || CatalogError::missing("Product category", &id);
            if is_seen { Ok(category) } else { Err(missing()) }
        })
        .await?;
    fields.selection.answer("product_category", &category)
}

/// List product categories
#[utoipa::path(get, path = "/admin/product-categories", tag = "Admin categories", params(ListRequest<Categories>, TreeQuery),
    responses((status = 200, description = "A page", body = CategoryListResponse)))]
pub(in crate::catalog) async fn list_categories(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Categories>,
) -> Result<Answer, HttpError> {
    let around = TreeQuery::of_list(&list)?.around(&list.selection, false);
    let query = queries::existing(list.query.clone());
    let (rows, count) = db.read(move |tx| page(tx, &query, around)).await?;
    list.answer(&rows, count)
}

/// A new category.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Shirts", "is_active": true }))]
pub(in crate::catalog) struct CreateCategoryRequest {
    /// Its name.
    name: Text,
    /// Its name in addresses, which no other has; made from the name unless said.
    handle: Option<Text<200>>,
    /// What it holds.
    description: Option<Text<5000>>,
    /// Whether shoppers see it; false unless said.
    #[serde(default)]
    is_active: bool,
    /// Whether it is for the store's own use; false unless said.
    #[serde(default)]
    is_internal: bool,
    /// Its place among those of the same parent; the last unless said.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    rank: Option<u32>,
    /// The category it is in; none for the top.
    parent_category_id: Option<CategoryId>,
    /// Its id elsewhere.
    external_id: Option<Text>,
    /// The caller's own data.
    metadata: Option<MetadataPatch>,
}

/// What is to be set of a category.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "is_active": true, "rank": 0 }))]
pub(in crate::catalog) struct UpdateCategoryRequest {
    /// Its name.
    name: Option<Text>,
    /// Its name in addresses, which no other has.
    handle: Option<Text<200>>,
    /// What it holds.
    #[serde(default)]
    description: Patch<Text<5000>>,
    /// Whether shoppers see it.
    is_active: Option<bool>,
    /// Whether it is for the store's own use.
    is_internal: Option<bool>,
    /// Its place among those of the same parent; the others make room.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    rank: Option<u32>,
    /// The category it is in; null for the top.
    #[serde(default)]
    parent_category_id: Patch<CategoryId>,
    /// Its id elsewhere.
    #[serde(default)]
    external_id: Patch<Text>,
    /// The caller's own data: keys are merged, null removes one.
    #[serde(default)]
    metadata: Patch<MetadataPatch>,
}

/// Create a product category
#[utoipa::path(post, path = "/admin/product-categories", tag = "Admin categories", params(Fields<Categories>),
    request_body = CreateCategoryRequest,
    responses((status = 200, description = "The category", body = CategoryResponse),
              (status = 422, description = "The handle is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn create_category(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<Categories>,
    Json(request): Json<CreateCategoryRequest>,
) -> Result<Answer, HttpError> {
    let around = TreeQuery::default().around(&fields.selection, false);
    let name = request.name.into();
    let change = CategoryChange {
        name: None,
        handle: request.handle.map(String::from),
        description: request.description.map(String::from),
        is_active: Some(request.is_active),
        is_internal: Some(request.is_internal),
        rank: request.rank.map(i64::from),
        parent_category_id: Some(request.parent_category_id),
        external_id: Some(request.external_id.map(String::from)),
        metadata: request.metadata.unwrap_or_default(),
    };
    let category = db
        .write(move |tx| {
            let id = categories::create_category(tx, name, change)?;
            one(tx, &id, around)
        })
        .await?;
    fields.selection.answer("product_category", &category)
}

/// Show a product category
#[utoipa::path(get, path = "/admin/product-categories/{id}", tag = "Admin categories",
    params(("id" = CategoryId, Path, description = "The category"), Fields<Categories>, TreeQuery),
    responses((status = 200, description = "The category", body = CategoryResponse)))]
pub(in crate::catalog) async fn show_category(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<CategoryId>,
    fields: Fields<Categories>,
    Query(tree): Query<TreeQuery>,
) -> Result<Answer, HttpError> {
    let around = tree.around(&fields.selection, false);
    let category = db.read(move |tx| one(tx, &id, around)).await?;
    fields.selection.answer("product_category", &category)
}

/// Change a product category
#[utoipa::path(post, path = "/admin/product-categories/{id}", tag = "Admin categories",
    params(("id" = CategoryId, Path, description = "The category"), Fields<Categories>),
    request_body = UpdateCategoryRequest,
    responses((status = 200, description = "The category", body = CategoryResponse),
              (status = 422, description = "The handle is taken", body = crate::http::ErrorBody)))]
pub(in crate::catalog) async fn update_category(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CategoryId>,
    fields: Fields<Categories>,
    Json(request): Json<UpdateCategoryRequest>,
) -> Result<Answer, HttpError> {
    let around = TreeQuery::default().around(&fields.selection, false);
    let change = CategoryChange {
        name: request.name.map(String::from),
        handle: request.handle.map(String::from),
        description: text(request.description).map(Option::unwrap_or_default),
        is_active: request.is_active,
        is_internal: request.is_internal,
        rank: request.rank.map(i64::from),
        parent_category_id: request.parent_category_id.sent(),
        external_id: text(request.external_id),
        metadata: request.metadata.sent().flatten().unwrap_or_default(),
    };
    let category = db
        .write(move |tx| {
            categories::update_category(tx, &id, change)?;
            one(tx, &id, around)
        })
        .await?;
    fields.selection.answer("product_category", &category)
}

/// Delete a product category
///
/// Its products stay. Refused while there are categories in it.
#[utoipa::path(delete, path = "/admin/product-categories/{id}", tag = "Admin categories",
    params(("id" = CategoryId, Path, description = "The category")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::catalog) async fn delete_category(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CategoryId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| categories::delete_category(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("product_category", &deleted)))
}

/// Products to put in and to take out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "add": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }))]
pub(in crate::catalog) struct ProductLinksRequest {
    /// Products to put in.
    #[serde(default)]
    pub(super) add: Vec<ProductId>,
    /// Products to take out.
    #[serde(default)]
    pub(super) remove: Vec<ProductId>,
}

/// Change the products of a category
#[utoipa::path(post, path = "/admin/product-categories/{id}/products", tag = "Admin categories",
    params(("id" = CategoryId, Path, description = "The category"), Fields<Categories>),
    request_body = ProductLinksRequest,
    responses((status = 200, description = "The category", body = CategoryResponse)))]
pub(in crate::catalog) async fn change_category_products(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CategoryId>,
    fields: Fields<Categories>,
    Json(request): Json<ProductLinksRequest>,
) -> Result<Answer, HttpError> {
    let around = TreeQuery::default().around(&fields.selection, false);
    let category = db
        .write(move |tx| {
            categories::change_products(tx, &id, &request.add, &request.remove)?;
            one(tx, &id, around)
        })
        .await?;
    fields.selection.answer("product_category", &category)
}

fn page(
    tx: &Tx<'_>,
    query: &ListQuery,
    around: Around,
) -> Result<(Vec<Category>, u64), CatalogError> {
    let mut rows = queries::page(tx, query)?;
    categories::surround(tx, &mut rows, around)?;
    Ok((rows, query.count(tx)?))
}

fn one(tx: &Tx<'_>, id: &CategoryId, around: Around) -> Result<Category, CatalogError> {
    let mut category = categories::find_category(tx, id)?;
    categories::surround(tx, std::slice::from_mut(&mut category), around)?;
    Ok(category)
}
