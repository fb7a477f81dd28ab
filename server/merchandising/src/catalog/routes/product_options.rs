//! `/admin/product-options`: the options of all products by id. An option belongs to one product.

use utoipa_axum::router::OpenApiRouter;

use crate::catalog::CatalogError;
use crate::catalog::option_change::{self, OptionChange};
use crate::catalog::queries::relations;
use crate::catalog::view::{Product, ProductOption};
use crate::database::{Table, Tx};
use crate::http::{Selection, Text, request};
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
        .note("A value that a variant has stays.")
        .delete(delete)
        .note("Refused while a variant has a value of it.")
        .router()
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
    product_id: ProductId,
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
