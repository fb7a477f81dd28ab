//! Creates, updates and deletes collections, tags and types.

use super::queries::TAGS;
use super::queries::groupings as queries;
use super::view::{Category, Collection, ProductType, Tag};
use super::{CatalogError, handle};
use crate::clock::Timestamp;
use crate::database::{Table, Tx};
use crate::http::AssignTo as _;
use crate::ids::{self, ById, CollectionId, ProductTypeId, SalesChannelId, TagId};
use crate::metadata::{Metadata, MetadataPatch};

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

/// A grouping that is a unique name with metadata.
pub trait Named: Table<Id: Clone> {
    fn new(value: String, metadata: Metadata, now: Timestamp) -> Self;

    /// Returns its name and its metadata.
    fn parts(&mut self) -> (&mut String, &mut Metadata);
}

macro_rules! named {
    ($($row:ty),+) => {$(
        impl Named for $row {
            fn new(value: String, metadata: Metadata, now: Timestamp) -> Self {
                let id = <Self as Table>::Id::new();
                Self { id, value, metadata, created_at: now, updated_at: now, deleted_at: None }
            }

            fn parts(&mut self) -> (&mut String, &mut Metadata) {
                (&mut self.value, &mut self.metadata)
            }
        }
    )+};
}

named!(Tag, ProductType);

/// Creates a tag or a type.
///
/// # Errors
/// A name that is taken.
pub fn create_named<T: Named>(
    tx: &Tx<'_>,
    value: String,
    metadata: MetadataPatch,
) -> Result<T::Id, CatalogError> {
    let mut row = T::new(value, metadata.create()?, tx.now());
    put(tx, &mut row)?;
    Ok(row.key().clone())
}

/// Changes a tag or a type; a field that is `None` stays.
pub(super) fn change_named<T: Named>(
    tx: &Tx<'_>,
    id: &T::Id,
    value: Option<String>,
    patch: Option<MetadataPatch>,
) -> Result<(), CatalogError> {
    let mut row = T::require::<CatalogError>(tx, id)?;
    let (own_value, metadata) = row.parts();
    value.assign_to(own_value);
    metadata.merge(patch)?;
    put(tx, &mut row)
}

/// Writes a tag or a type. The name is the only other unique column, so a duplicate means that the name is taken.
fn put<T: Named>(tx: &Tx<'_>, row: &mut T) -> Result<(), CatalogError> {
    let taken = |value: &str| CatalogError::taken(T::TITLE, "value", value);
    row.put(tx).map_err(|error| error.or_taken(|| taken(row.parts().0)))
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
