//! Collections: `/store/collections` and `/admin/collections`.

use utoipa_axum::router::OpenApiRouter;

use super::categories::ProductLinksRequest;
use crate::catalog::groupings::{self, NewCollection};
use crate::catalog::view::Collection;
use crate::catalog::{CatalogError, handle};
use crate::database::{Table, Tx};
use crate::http::{AssignTo, Patch, Text, request};
use crate::ids::CollectionId;
use crate::metadata::MetadataPatch;
use crate::resource::{AdminRoutes, StoreRoutes};
use crate::state::AppState;

pub(super) fn store() -> OpenApiRouter<AppState> {
    StoreRoutes::<Collection, _>::at("/store/collections", "Store collections")
        .list()
        .show()
        .router()
}

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<Collection, _>::at("/admin/collections", "Admin collections")
        .list()
        .create(CreateCollectionRequest::create)
        .taken("The handle is taken")
        .show()
        .update(UpdateCollectionRequest::update)
        .taken("The handle is taken")
        .delete(groupings::delete_collection)
        .note("Its products stay and are in none.")
        .update_part(
            "/products",
            "change_collection_products",
            "Change the products of a collection",
            ProductLinksRequest::change_collection,
        )
        .router()
}

/// A new collection.
#[request]
#[schema(example = json!({ "title": "Summer" }))]
struct CreateCollectionRequest {
    title: Text,
    /// The unique name in URLs; defaults to one derived from the title.
    handle: Option<Text<200>>,
    /// The identifier in an external system.
    external_id: Option<Text>,
    metadata: Option<MetadataPatch>,
}

impl CreateCollectionRequest {
    fn create(self, tx: &Tx<'_>, _by: &str) -> Result<CollectionId, CatalogError> {
        let new = NewCollection {
            title: self.title.into(),
            handle: self.handle.map(String::from),
            external_id: self.external_id.map(String::from),
            metadata: self.metadata.unwrap_or_default(),
        };
        groupings::create_collection(tx, new)
    }
}

/// The fields of a collection to change.
#[request]
#[schema(example = json!({ "title": "Summer" }))]
struct UpdateCollectionRequest {
    title: Option<Text>,
    /// The unique name in URLs.
    handle: Option<Text<200>>,
    /// The identifier in an external system.
    external_id: Patch<Text>,
    /// Keys to merge; null removes a key.
    metadata: Patch<MetadataPatch>,
}

impl UpdateCollectionRequest {
    fn update(self, tx: &Tx<'_>, id: &CollectionId) -> Result<(), CatalogError> {
        let mut collection = Collection::require::<CatalogError>(tx, id)?;
        if let Some(sent) = self.handle {
            let own = Some(collection.handle.as_str());
            collection.handle = handle::choose(
                tx,
                &handle::COLLECTION,
                Some(sent.as_str()),
                &collection.title,
                own,
            )?;
        }
        self.title.assign_to(&mut collection.title);
        self.external_id.assign_to(&mut collection.external_id);
        collection.metadata.merge(self.metadata.apply(None))?;
        Ok(collection.put(tx)?)
    }
}

impl ProductLinksRequest {
    fn change_collection(self, tx: &Tx<'_>, id: &CollectionId) -> Result<(), CatalogError> {
        groupings::change_collected(tx, id, &self.add, &self.remove)
    }
}
