//! Collections: `/store/collections` and `/admin/collections`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::categories::ProductLinksRequest;
use crate::auth::Shop;
use crate::catalog::create::References;
use crate::catalog::groupings::{self, NewCollection};
use crate::catalog::queries::groupings as queries;
use crate::catalog::view::Collection;
use crate::catalog::view::grouping::StoreCollection;
use crate::catalog::{CatalogError, handle};
use crate::database::{Db, Listable, Table, Tx};
use crate::http::{
    Answer, Fields, HttpError, ListRequest, One, OneRequest, Page, Patch, Text, request,
};
use crate::ids::{self, CollectionId};
use crate::metadata::MetadataPatch;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn store() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(list_store_collections))
        .routes(routes!(show_store_collection))
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

type CollectionResponse = One<Collection>;
type CollectionListResponse = Page<Collection>;

/// List collections
///
/// `products` are the first 20 of each that are published in a channel of the key, in the order of `/store/products`.
#[crate::http::operation(get, path = "/store/collections", tag = "Store collections", params(ListRequest<StoreCollection>),
    responses((status = 200, description = "A page", body = CollectionListResponse)),
    security(("publishable_key" = [])))]
async fn list_store_collections(
    State(db): State<Db>,
    shop: Shop,
    list: ListRequest<StoreCollection>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        let (mut rows, count) = <Collection as Listable>::page(tx, query)?;
        if selection.wants("products") {
            groupings::attach_collected(tx, &mut rows, &shop.sales_channel_ids)?;
        }
        Ok::<_, CatalogError>((rows, count))
    })
    .await
}

/// Show a collection
///
/// `products` are those of the list.
#[crate::http::operation(get, path = "/store/collections/{id}", tag = "Store collections",
    params(("id" = CollectionId, Path, description = "The collection"), Fields<StoreCollection>),
    responses((status = 200, description = "The collection", body = CollectionResponse)),
    security(("publishable_key" = [])))]
async fn show_store_collection(
    OneRequest { caller: shop, db, id, fields }: OneRequest<Shop, CollectionId, StoreCollection>,
) -> Result<Answer, HttpError> {
    fields
        .read(db, move |tx, selection| {
            let mut collection = Collection::require::<CatalogError>(tx, &id)?;
            if selection.wants("products") {
                let one = std::slice::from_mut(&mut collection);
                groupings::attach_collected(tx, one, &shop.sales_channel_ids)?;
            }
            Ok::<_, CatalogError>(collection)
        })
        .await
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
        crate::assign!(self => collection: title, external_id);
        collection.metadata.merge(self.metadata.apply(None))?;
        Ok(collection.put(tx)?)
    }
}

impl ProductLinksRequest {
    /// Adds products to a collection, which removes them from their previous one, and removes others from it.
    fn change_collection(self, tx: &Tx<'_>, id: &CollectionId) -> Result<(), CatalogError> {
        Collection::require::<CatalogError>(tx, id)?;
        References::require(tx, "product", &self.add)?;
        queries::collect(tx, id, &ids::list(self.add))?;
        Ok(queries::release(tx, id, &ids::list(self.remove))?)
    }
}
