//! The admin routes of a product's options: `/admin/products/{id}/options`.

use serde_json::{Value, json};

use super::products::ProductResponse;
use super::responses::PartDeletedResponse;
use super::variants::deleted_answer;
use crate::auth::{AdminReader, AdminWriter};
use crate::catalog::CatalogError;
use crate::catalog::new::MAX_OPTIONS;
use crate::catalog::option_change;
use crate::catalog::product_requests::OptionRequest;
use crate::catalog::queries::relations;
use crate::catalog::view::{Product, ProductOption};
use crate::database::{Table, Tx};
use crate::http::{Answer, Fields, HttpError, Json, One, OneRequest, Page};
use crate::ids::{self, OptionId, ProductId};
use crate::resource::View;

type ProductOptionResponse = One<ProductOption>;
type ProductOptionsResponse = Page<ProductOption>;

/// A request about an option of a product.
type OneOption<Caller, R> = OneRequest<Caller, (ProductId, OptionId), R>;

/// List a product's options
#[crate::http::operation(get, path = "/admin/products/{id}/options", tag = "Admin products",
    params(("id" = ProductId, Path, description = "The product"), Fields<ProductOption>),
    responses((status = 200, description = "All options", body = ProductOptionsResponse)))]
pub(crate) async fn list_options(
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
pub(crate) async fn show_option(
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
pub(crate) async fn update_option(
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
pub(crate) async fn delete_option(
    OneRequest { db, id: (id, option_id), fields, .. }: OneOption<AdminWriter, Product>,
) -> Result<Answer, HttpError> {
    let (selection, deleted) = (fields.selection.clone(), option_id.to_string());
    let product = db
        .write(move |tx| {
            option_change::delete_option(tx, &id, &option_id)?;
            Product::show(tx, &id, &selection)
        })
        .await?;
    deleted_answer("product_option", &deleted, &fields.selection.value(&product)?)
}

fn of_product(tx: &Tx<'_>, id: &ProductId) -> Result<Vec<ProductOption>, CatalogError> {
    Product::require::<CatalogError>(tx, id)?;
    Ok(relations::options(tx, &ids::list([&id]))?)
}
