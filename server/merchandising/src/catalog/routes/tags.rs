//! Tags and types: `/store/product-tags`, `/store/product-types` and the same under `/admin`.

use utoipa_axum::router::OpenApiRouter;

use crate::catalog::view::{ProductType, Tag};
use crate::catalog::{CatalogError, groupings};
use crate::database::{Table, Tx};
use crate::http::{Patch, Text, request};
use crate::ids::{ProductTypeId, TagId};
use crate::metadata::MetadataPatch;
use crate::resource::{AdminRoutes, StoreRoutes};
use crate::state::AppState;

pub(super) fn store() -> OpenApiRouter<AppState> {
    StoreRoutes::<Tag, _>::at("/store/product-tags", "Store products").list().show().router().merge(
        StoreRoutes::<ProductType, _>::at("/store/product-types", "Store products")
            .list()
            .show()
            .router(),
    )
}

pub(super) fn admin() -> OpenApiRouter<AppState> {
    let tags = AdminRoutes::<Tag, _>::at("/admin/product-tags", "Admin products")
        .list()
        .create(CreateValueRequest::create_tag)
        .taken("The name is taken")
        .show()
        .update(UpdateValueRequest::update_tag)
        .taken("The name is taken")
        .delete(groupings::delete_tag)
        .note("No product has it any more.");
    let types = AdminRoutes::<ProductType, _>::at("/admin/product-types", "Admin products")
        .list()
        .create(CreateValueRequest::create_type)
        .taken("The name is taken")
        .show()
        .update(UpdateValueRequest::update_type)
        .taken("The name is taken")
        .delete(groupings::delete_type)
        .note("No product has it any more.");
    tags.router().merge(types.router())
}

/// A new tag or type.
#[request]
#[schema(example = json!({ "value": "organic" }))]
struct CreateValueRequest {
    /// The unique name.
    value: Text,
    metadata: Option<MetadataPatch>,
}

impl CreateValueRequest {
    fn create_tag(self, tx: &Tx<'_>, _by: &str) -> Result<TagId, CatalogError> {
        groupings::create_tag(tx, self.value.into(), self.metadata.unwrap_or_default())
    }

    fn create_type(self, tx: &Tx<'_>, _by: &str) -> Result<ProductTypeId, CatalogError> {
        groupings::create_type(tx, self.value.into(), self.metadata.unwrap_or_default())
    }
}

/// The fields of a tag or type to change.
#[request]
#[schema(example = json!({ "value": "organic" }))]
struct UpdateValueRequest {
    /// The unique name.
    value: Option<Text>,
    /// Keys to merge; null removes a key.
    metadata: Patch<MetadataPatch>,
}

impl UpdateValueRequest {
    fn update_tag(self, tx: &Tx<'_>, id: &TagId) -> Result<(), CatalogError> {
        let mut tag = Tag::require::<CatalogError>(tx, id)?;
        crate::assign!(self => tag: value);
        tag.metadata.merge(self.metadata.apply(None))?;
        groupings::put(tx, &tag, &tag.value)
    }

    fn update_type(self, tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), CatalogError> {
        let mut product_type = ProductType::require::<CatalogError>(tx, id)?;
        crate::assign!(self => product_type: value);
        product_type.metadata.merge(self.metadata.apply(None))?;
        groupings::put(tx, &product_type, &product_type.value)
    }
}
