//! Creates, updates and deletes collections, tags and types.

use super::queries::TAGS;
use super::queries::groupings as queries;
use super::view::{Category, Collection, ProductType, Tag};
use super::{CatalogError, handle};
use crate::database::{Table, Tx};
use crate::ids::{self, ById, CollectionId, ProductTypeId, SalesChannelId, TagId};
use crate::metadata::MetadataPatch;

#[derive(Debug, Clone, Default)]
pub struct NewCollection {
    pub title: String,
    /// The handle, which must be unique; none to derive one from the title.
    pub handle: Option<String>,
    /// The identifier in an external system.
    pub external_id: Option<String>,
    pub metadata: MetadataPatch,
}

/// Creates a collection; without a handle it gets a unique one derived from its title.
///
/// # Errors
/// A handle that is taken or invalid.
pub fn create_collection(tx: &Tx<'_>, new: NewCollection) -> Result<CollectionId, CatalogError> {
    let handle = handle::choose(tx, &handle::COLLECTION, new.handle.as_deref(), &new.title, None)?;
    let row = Collection {
        id: CollectionId::new(),
        title: new.title,
        handle,
        external_id: new.external_id,
        metadata: new.metadata.create()?,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
        products: None,
    };
    row.put(tx)?;
    Ok(row.id)
}

/// Creates a tag.
///
/// # Errors
/// A name that is taken.
pub fn create_tag(
    tx: &Tx<'_>,
    value: String,
    metadata: MetadataPatch,
) -> Result<TagId, CatalogError> {
    let (id, metadata, now) = (TagId::new(), metadata.create()?, tx.now());
    let tag = Tag { id, value, metadata, created_at: now, updated_at: now, deleted_at: None };
    put(tx, &tag, &tag.value)?;
    Ok(tag.id)
}

pub(crate) fn create_type(
    tx: &Tx<'_>,
    value: String,
    metadata: MetadataPatch,
) -> Result<ProductTypeId, CatalogError> {
    let (id, metadata, now) = (ProductTypeId::new(), metadata.create()?, tx.now());
    let of =
        ProductType { id, value, metadata, created_at: now, updated_at: now, deleted_at: None };
    put(tx, &of, &of.value)?;
    Ok(of.id)
}

/// Writes a tag or a type. The name is the only other unique column, so a duplicate means that the name is taken.
pub(super) fn put<T: Table>(tx: &Tx<'_>, row: &T, value: &str) -> Result<(), CatalogError> {
    row.put(tx).map_err(|error| error.or_taken(|| CatalogError::taken(T::TITLE, "value", value)))
}

/// Soft-deletes a collection; its products then have none.
pub(crate) fn delete_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<(), CatalogError> {
    Collection::remove::<CatalogError>(tx, id)?;
    Ok(queries::clear(tx, "collection_id", id.as_str())?)
}

/// Soft-deletes a tag and removes it from all products.
pub(crate) fn delete_tag(tx: &Tx<'_>, id: &TagId) -> Result<(), CatalogError> {
    Tag::remove::<CatalogError>(tx, id)?;
    Ok(TAGS.reversed().clear(tx, id)?)
}

/// Soft-deletes a type and removes it from all products.
pub(crate) fn delete_type(tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), CatalogError> {
    ProductType::remove::<CatalogError>(tx, id)?;
    Ok(queries::clear(tx, "type_id", id.as_str())?)
}

/// Loads the first products of collections that are visible in these channels.
pub(super) fn attach_collected(
    tx: &Tx<'_>,
    collections: &mut [Collection],
    channels: &[SalesChannelId],
) -> Result<(), CatalogError> {
    let own = ids::list(collections.iter().map(|collection| &collection.id));
    let found = queries::products_of_collections(tx, &own, &ids::list(channels))?;
    let mut found = ById::grouped(found);
    for collection in collections {
        collection.products = Some(found.take(&collection.id));
    }
    Ok(())
}

/// Loads the first products of categories that are visible in these channels.
pub(super) fn attach_categorized(
    tx: &Tx<'_>,
    categories: &mut [Category],
    channels: &[SalesChannelId],
) -> Result<(), CatalogError> {
    let own = ids::list(categories.iter().map(|category| &category.id));
    let found = queries::products_of_categories(tx, &own, &ids::list(channels))?;
    let mut found = ById::grouped(found);
    for category in categories {
        category.products = Some(found.take(&category.id));
    }
    Ok(())
}
