//! The admin routes of a product's options: `/admin/products/{id}/options`, and `/admin/product-options` by id. An
//! option belongs to one product.

use quotient_foundation::routes;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use super::products::{PartDeletedResponse, ProductResponse};
use crate::auth::{AdminReader, AdminWriter};
use crate::catalog::CatalogError;
use crate::catalog::new::MAX_OPTIONS;
use crate::catalog::option_change::{self, OptionChange};
use crate::catalog::product_requests::OptionRequest;
use crate::catalog::queries::relations;
use crate::catalog::view::{Product, ProductOption};
use crate::database::{Table, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, One, OneRequest, Page, Selection, Text, request,
};
use crate::ids::{self, OptionId, ProductId};
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<ProductOption, _>::at("/admin/product-options", "Admin products")
        .list()
        .create(CreateProductOptionRequest::create)
        .note("Refused while the product has variants, for they would have no value of it.")
        .show()
        .update(UpdateProductOptionRequest::update)
        .note("A value that a variant has cannot be left out.")
        .delete(delete)
        .note("Refused while a variant has a value of it.")
        .router()
        .routes(routes!(list_options))
        .routes(routes!(show_option, update_option, delete_option))
}

impl View for ProductOption {
    type Row = Self;
    type Error = CatalogError;

    fn attach(tx: &Tx<'_>, views: &mut [Self], _selection: &Selection) -> Result<(), CatalogError> {
        let ids = ids::list(views.iter().map(|option| option.id.as_str()));
        for option in relations::options_by_ids(tx, &ids)? {
            for view in views.iter_mut().filter(|view| view.id == option.id) {
                view.values.clone_from(&option.values);
            }
        }
        Ok(())
    }
}

/// An option to create.
#[request]
#[schema(example = json!({
    "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "title": "Size", "values": ["S", "M"],
}))]
struct CreateProductOptionRequest {
    /// The product that it belongs to; it must not have variants yet.
    #[schema(required, nullable = false)]
    product_id: Option<ProductId>,
    title: Text,
    #[schema(max_items = 500)]
    values: Vec<Text>,
}

/// The fields of an option to change; absent fields stay.
#[request]
#[schema(example = json!({ "values": ["S", "M", "L"] }))]
struct UpdateProductOptionRequest {
    title: Option<Text>,
    /// All values in their order.
    #[schema(max_items = 500)]
    values: Option<Vec<Text>>,
}

impl CreateProductOptionRequest {
    fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<OptionId, CatalogError> {
        let Self { product_id, title, values } = self;
        let product_id = product_id.ok_or_else(CatalogError::option_without_product)?;
        let title = String::from(title);
        let values = Some(values.into_iter().map(String::from).collect());
        let new = OptionChange { id: None, title: Some(title.clone()), values };
        Product::require::<CatalogError>(tx, &product_id)?;
        option_change::add_option(tx, &product_id, new)?;
        let mut options = relations::options(tx, &ids::list([&product_id]))?.into_iter();
        let made = options.find(|option| *option.title == *title);
        made.map(|option| option.id).ok_or_else(|| CatalogError::unknown_option(&title))
    }
}

impl UpdateProductOptionRequest {
    fn update(self, tx: &Tx<'_>, id: &OptionId) -> Result<(), CatalogError> {
        let values = self.values.map(|all| all.into_iter().map(String::from).collect());
        let change = OptionChange { id: None, title: self.title.map(String::from), values };
        let option = ProductOption::require::<CatalogError>(tx, id)?;
        option_change::update_option(tx, &option.product_id, id, change)
    }
}

fn delete(tx: &Tx<'_>, id: &OptionId) -> Result<(), CatalogError> {
    let option = ProductOption::require::<CatalogError>(tx, id)?;
    option_change::delete_option(tx, &option.product_id, id)
}

type ProductOptionResponse = One<ProductOption>;
type ProductOptionsResponse = Page<ProductOption>;

/// A request about an option of a product.
type OneOption<Caller, R> = OneRequest<Caller, (ProductId, OptionId), R>;

/// List a product's options
#[crate::http::operation(get, path = "/admin/products/{id}/options", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), Fields<ProductOption>),
    responses((status = 200, description = "All options", body = ProductOptionsResponse)))]
async fn list_options(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, ProductId, ProductOption>,
) -> Result<Answer, HttpError> {
    let options = db.read(move |tx| of_product(tx, &id)).await?;
    let rows: Value =
        options.iter().map(|option| fields.selection.value(option)).collect::<Result<_, _>>()?;
    let count = options.len();
    Answer::of(
        &json!({ "product_options": rows, "count": count, "offset": 0, "limit": MAX_OPTIONS }),
    )
}

/// Show an option
#[crate::http::operation(get, path = "/admin/products/{id}/options/{option_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("option_id" = OptionId, Path, description = "The option"), Fields<ProductOption>),
    responses((status = 200, description = "The option", body = ProductOptionResponse)))]
async fn show_option(
    OneRequest { db, id: (id, option_id), fields, .. }: OneOption<AdminReader, ProductOption>,
) -> Result<Answer, HttpError> {
    fields
        .read(db, move |tx, _| {
            let found = of_product(tx, &id)?.into_iter().find(|option| option.id == option_id);
            let what = "Product option";
            found.ok_or_else(|| CatalogError::missing(what, &option_id))
        })
        .await
}

/// Change an option
#[crate::http::operation(post, path = "/admin/products/{id}/options/{option_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("option_id" = OptionId, Path, description = "The option"), Fields<Product>),
    request_body = OptionRequest,
    responses((status = 200, description = "The product", body = ProductResponse)))]
async fn update_option(
    OneRequest { db, id: (id, option_id), fields, .. }: OneOption<AdminWriter, Product>,
    Json(request): Json<OptionRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            option_change::update_option(tx, &id, &option_id, request.into_change())?;
            Product::show(tx, &id, selection)
        })
        .await
}

/// Delete an option
///
/// Rejected while a variant has a value of it.
#[crate::http::operation(delete, path = "/admin/products/{id}/options/{option_id}", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"),
           ("option_id" = OptionId, Path, description = "The option"), Fields<Product>),
    responses((status = 200, description = "Deleted", body = PartDeletedResponse)))]
async fn delete_option(
    OneRequest { db, id: (id, option_id), fields, .. }: OneOption<AdminWriter, Product>,
) -> Result<Answer, HttpError> {
    fields
        .delete_part(db, "product_option", move |tx, selection| {
            option_change::delete_option(tx, &id, &option_id)?;
            Ok::<_, CatalogError>((option_id, Product::show(tx, &id, selection)?))
        })
        .await
}

fn of_product(tx: &Tx<'_>, id: &ProductId) -> Result<Vec<ProductOption>, CatalogError> {
    Product::require::<CatalogError>(tx, id)?;
    Ok(relations::options(tx, &ids::list([&id]))?)
}
