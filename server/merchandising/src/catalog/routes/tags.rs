//! Tags and types: `/store/product-tags`, `/store/product-types` and the same under `/admin`.

use utoipa_axum::router::OpenApiRouter;

use crate::catalog::CatalogError;
use crate::catalog::groupings::{self, Named};
use crate::catalog::view::{ProductType, Tag};
use crate::database::Tx;
use crate::http::{Patch, Text, request};
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
        .create(CreateValueRequest::create::<Tag>)
        .taken("The name is taken")
        .show()
        .update(UpdateValueRequest::update::<Tag>)
        .taken("The name is taken")
        .delete(groupings::delete_tag)
        .note("No product has it any more.");
    let types = AdminRoutes::<ProductType, _>::at("/admin/product-types", "Admin products")
        .list()
        .create(CreateValueRequest::create::<ProductType>)
        .taken("The name is taken")
        .show()
        .update(UpdateValueRequest::update::<ProductType>)
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
    fn create<T: Named>(self, tx: &Tx<'_>, _by: &str) -> Result<T::Id, CatalogError> {
        groupings::create_named::<T>(tx, self.value.into(), self.metadata.unwrap_or_default())
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
    fn update<T: Named>(self, tx: &Tx<'_>, id: &T::Id) -> Result<(), CatalogError> {
        let (value, metadata) = (self.value.map(String::from), self.metadata.apply(None));
        groupings::change_named::<T>(tx, id, value, metadata)
    }
}
