//! Categories: `/store/product-categories` and `/admin/product-categories`.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;

use super::invalid;
use crate::auth::{AdminReader, Shop};
use crate::catalog::categories::{self, NewCategory, TreeScope, UpdateCategoryRequest};
use crate::catalog::create::References;
use crate::catalog::queries::{CATEGORIES, categories as queries};
use crate::catalog::view::Category;
use crate::catalog::view::grouping::StoreCategory;
use crate::catalog::{CatalogError, groupings};
use crate::database::listing::ListQuery;
use crate::database::{Db, Listable, Table, Tx};
use crate::http::{
    Answer, Fields, HttpError, ListRequest, Listed, One, OneRequest, Page, Query, Resource as _,
    Selection, Shape, Text, request,
};
use crate::ids::{CategoryId, ProductId};
use crate::metadata::MetadataPatch;
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;

pub(super) fn store() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(list_store_categories))
        .routes(routes!(show_store_category))
}

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<Category, _>::at("/admin/product-categories", "Admin categories")
        .create(CreateCategoryRequest::create)
        .taken("The handle is taken")
        .update(UpdateCategoryRequest::update)
        .taken("The handle is taken")
        .delete(categories::delete_category)
        .note("Its products stay. Refused while there are categories in it.")
        .update_part(
            "/products",
            "change_category_products",
            "Change the products of a category",
            ProductLinksRequest::change_category,
        )
        .router()
        .routes(routes!(list_categories))
        .routes(routes!(show_category))
}

impl View for Category {
    type Row = Self;
    type Error = CatalogError;

    fn attach(tx: &Tx<'_>, views: &mut [Self], selection: &Selection) -> Result<(), CatalogError> {
        categories::attach_tree(tx, views, TreeQuery::default().scope(selection, false))
    }
}

type CategoryResponse = One<Category>;
type CategoryListResponse = Page<Category>;

/// The parts of the tree to include with a category.
#[derive(Debug, Default, Deserialize, crate::http::IntoParams)]
#[into_params(parameter_in = Query)]
struct TreeQuery {
    /// Whether to include all ancestors, nested, instead of the parent only.
    #[serde(default)]
    include_ancestors_tree: bool,
    /// Whether to include all descendants, nested, instead of the children only.
    #[serde(default)]
    include_descendants_tree: bool,
}

impl TreeQuery {
    fn of_list<R: Listed>(list: &ListRequest<R>) -> Result<Self, HttpError> {
        let flag = |name: &'static str| match list.extra(name)? {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(invalid(name)),
        };
        Ok(Self {
            include_ancestors_tree: flag("include_ancestors_tree")?,
            include_descendants_tree: flag("include_descendants_tree")?,
        })
    }

    /// Adds the whole tree on each side that is requested and selected.
    fn widen(
        &self,
        shape: &'static Shape,
        mut selection: Selection,
    ) -> Result<Selection, HttpError> {
        for (is_whole, side) in self.sides() {
            if is_whole && selection.wants(side) {
                selection = selection.with(shape, &format!("{side}.{side}"))?;
            }
        }
        Ok(selection)
    }

    fn scope(&self, selection: &Selection, for_shoppers: bool) -> TreeScope {
        let [above, below] = self.sides().map(|(is_whole, side)| {
            match (selection.wants(side), selection.wants(&format!("{side}.{side}"))) {
                (false, _) => 0,
                (true, _) if is_whole => categories::MAX_DEPTH,
                (true, true) => 2,
                (true, false) => 1,
            }
        });
        TreeScope { above, below, for_shoppers }
    }

    /// Returns both sides of a category in the tree, and whether the whole tree on that side is
    /// requested.
    const fn sides(&self) -> [(bool, &'static str); 2] {
        [
            (self.include_ancestors_tree, "parent_category"),
            (self.include_descendants_tree, "category_children"),
        ]
    }
}

/// List product categories
///
/// Only active categories that are not internal. `products` are the first 20 of each that are published in a channel of
/// the key, in the order of `/store/products`.
#[crate::http::operation(get, path = "/store/product-categories", tag = "Store categories", params(ListRequest<StoreCategory>, TreeQuery),
    responses((status = 200, description = "A page", body = CategoryListResponse)))]
async fn list_store_categories(
    State(db): State<Db>,
    shop: Shop,
    mut list: ListRequest<StoreCategory>,
) -> Result<Answer, HttpError> {
    let tree = TreeQuery::of_list(&list)?;
    list.selection = tree.widen(StoreCategory::SHAPE, list.selection)?;
    list.read(db, move |tx, query, selection| {
        let scope = tree.scope(selection, true);
        let (mut rows, count) = page(tx, queries::visible(query), scope)?;
        if selection.wants("products") {
            groupings::attach_categorized(tx, &mut rows, &shop.sales_channel_ids)?;
        }
        Ok::<_, CatalogError>((rows, count))
    })
    .await
}

/// Show a product category
///
/// `products` are those of the list.
#[crate::http::operation(get, path = "/store/product-categories/{id}", tag = "Store categories",
    params(("id" = CategoryId, Path, description = "The category"), Fields<StoreCategory>, TreeQuery),
    responses((status = 200, description = "The category", body = CategoryResponse)))]
async fn show_store_category(
    OneRequest { caller: shop, db, id, mut fields }: OneRequest<Shop, CategoryId, StoreCategory>,
    Query(tree): Query<TreeQuery>,
) -> Result<Answer, HttpError> {
    fields.selection = tree.widen(StoreCategory::SHAPE, fields.selection)?;
    fields
        .read(db, move |tx, selection| {
            let mut category = one(tx, &id, tree.scope(selection, true))?;
            if !category.is_active || category.is_internal {
                return Err(CatalogError::missing("Product category", &id));
            }
            if selection.wants("products") {
                let own = std::slice::from_mut(&mut category);
                groupings::attach_categorized(tx, own, &shop.sales_channel_ids)?;
            }
            Ok(category)
        })
        .await
}

/// List product categories
#[crate::http::operation(get, path = "/admin/product-categories", tag = "Admin categories", params(ListRequest<Category>, TreeQuery),
    responses((status = 200, description = "A page", body = CategoryListResponse)))]
async fn list_categories(
    State(db): State<Db>,
    _admin: AdminReader,
    mut list: ListRequest<Category>,
) -> Result<Answer, HttpError> {
    let tree = TreeQuery::of_list(&list)?;
    list.selection = tree.widen(Category::SHAPE, list.selection)?;
    list.read(db, move |tx, query, selection| page(tx, query, tree.scope(selection, false))).await
}

/// A new category.
#[request]
#[schema(example = json!({ "name": "Shirts", "is_active": true }))]
struct CreateCategoryRequest {
    name: Text,
    /// The unique name in URLs; defaults to one derived from the name.
    handle: Option<Text<200>>,
    description: Option<Text<5000>>,
    /// Whether shoppers see it; defaults to false.
    #[serde(default)]
    is_active: bool,
    /// Whether it is for internal use; defaults to false.
    #[serde(default)]
    is_internal: bool,
    /// The position among the children of the same parent; defaults to the last.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    rank: Option<u32>,
    /// The parent category; none for the top level.
    parent_category_id: Option<CategoryId>,
    /// The identifier in an external system.
    external_id: Option<Text>,
    metadata: Option<MetadataPatch>,
}

impl CreateCategoryRequest {
    fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<CategoryId, CatalogError> {
        let mut new = NewCategory {
            name: self.name.into(),
            is_active: self.is_active,
            is_internal: self.is_internal,
            rank: self.rank.map(i64::from),
            ..NewCategory::default()
        };
        crate::assign!(self => new: handle, description, parent_category_id, external_id, metadata);
        categories::create_category(tx, new)
    }
}

/// Show a product category
#[crate::http::operation(get, path = "/admin/product-categories/{id}", tag = "Admin categories",
    params(("id" = CategoryId, Path, description = "The category"), Fields<Category>, TreeQuery),
    responses((status = 200, description = "The category", body = CategoryResponse)))]
async fn show_category(
    OneRequest { db, id, mut fields, .. }: OneRequest<AdminReader, CategoryId, Category>,
    Query(tree): Query<TreeQuery>,
) -> Result<Answer, HttpError> {
    fields.selection = tree.widen(Category::SHAPE, fields.selection)?;
    fields.read(db, move |tx, selection| one(tx, &id, tree.scope(selection, false))).await
}

/// Products to add and to remove.
#[request]
#[schema(example = json!({ "add": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }))]
pub(super) struct ProductLinksRequest {
    #[serde(default)]
    pub(super) add: Vec<ProductId>,
    #[serde(default)]
    pub(super) remove: Vec<ProductId>,
}

impl ProductLinksRequest {
    fn change_category(self, tx: &Tx<'_>, id: &CategoryId) -> Result<(), CatalogError> {
        Category::require::<CatalogError>(tx, id)?;
        References::require(tx, "product", &self.add)?;
        CATEGORIES.add(tx, self.add, [id])?;
        Ok(CATEGORIES.remove(tx, self.remove, [id])?)
    }
}

fn page(
    tx: &Tx<'_>,
    query: ListQuery,
    scope: TreeScope,
) -> Result<(Vec<Category>, u64), CatalogError> {
    let (mut rows, count) = <Category as Listable>::page(tx, query)?;
    categories::attach_tree(tx, &mut rows, scope)?;
    Ok((rows, count))
}

fn one(tx: &Tx<'_>, id: &CategoryId, scope: TreeScope) -> Result<Category, CatalogError> {
    let mut category = Category::require::<CatalogError>(tx, id)?;
    categories::attach_tree(tx, std::slice::from_mut(&mut category), scope)?;
    Ok(category)
}
