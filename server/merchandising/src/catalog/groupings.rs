//! Collections, tags and types: made, changed and deleted.

use super::create::{References, taken};
use super::queries::groupings as queries;
use super::view::{Collection, ProductType, Tag};
use super::{CatalogError, handle};
use crate::database::{self, Tx};
use crate::ids::{self, CollectionId, ProductId, ProductTypeId, TagId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::sent::Sent;

/// What is to be set of a collection; what is none stays.
#[derive(Debug, Clone, Default)]
pub struct CollectionChange {
    /// Its title.
    pub title: Option<String>,
    /// Its handle, which must be free.
    pub handle: Option<String>,
    /// Its id elsewhere.
    pub external_id: Sent<String>,
    /// Merged into the caller's own data.
    pub metadata: MetadataPatch,
}

/// Makes a collection; without a handle it gets a free one made from its title.
///
/// # Errors
/// A handle that is taken or none.
pub fn create_collection(
    tx: &Tx<'_>,
    title: String,
    change: CollectionChange,
) -> Result<CollectionId, CatalogError> {
    let handle = if let Some(sent) = change.handle {
        free_handle(tx, sent, None)?
    } else {
        let suggested = handle::suggest(&title, "collection");
        handle::free(&suggested, &queries::handles_like(tx, &suggested)?)
    };
    let id = CollectionId::new();
    let row = Collection {
        id: id.clone(),
        title,
        handle,
        external_id: change.external_id.flatten(),
        metadata: change.metadata.create()?,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    queries::put_collection(tx, &row)?;
    Ok(id)
}

/// Changes a collection.
///
/// # Errors
/// Those of [`create_collection`], and a collection that is not there.
pub(crate) fn update_collection(
    tx: &Tx<'_>,
    id: &CollectionId,
    change: CollectionChange,
) -> Result<(), CatalogError> {
    let mut row = find_collection(tx, id)?;
    if let Some(sent) = change.handle {
        row.handle = free_handle(tx, sent, Some(&row.handle))?;
    }
    row.title = change.title.unwrap_or(row.title);
    row.external_id = change.external_id.unwrap_or(row.external_id);
    row.metadata = change.metadata.merge(&row.metadata)?;
    Ok(queries::put_collection(tx, &row)?)
}

fn free_handle(tx: &Tx<'_>, sent: String, own: Option<&str>) -> Result<String, CatalogError> {
    if !handle::is_sound(&sent) {
        return Err(CatalogError::BadHandle { handle: sent });
    }
    if own != Some(&sent) && queries::handles_like(tx, &sent)?.contains(&sent) {
        return Err(taken("Product collection", "handle", &sent));
    }
    Ok(sent)
}

/// Puts products into a collection, out of the one they were in, and takes others out of it.
///
/// # Errors
/// A product that is not there.
pub(crate) fn change_collected(
    tx: &Tx<'_>,
    id: &CollectionId,
    add: &[ProductId],
    remove: &[ProductId],
) -> Result<(), CatalogError> {
    find_collection(tx, id)?;
    let mut references = References::default();
    references.add("product", add);
    references.check(tx)?;
    queries::collect(tx, id, &ids::list(add.iter().map(ProductId::as_str)))?;
    Ok(queries::release(tx, id, &ids::list(remove.iter().map(ProductId::as_str)))?)
}

/// A collection that is there.
///
/// # Errors
/// [`CatalogError::Missing`].
pub(crate) fn find_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<Collection, CatalogError> {
    queries::collection(tx, id)?.ok_or_else(|| missing("Product collection", id.as_str()))
}

/// Makes a tag.
///
/// # Errors
/// A name that is taken.
pub fn create_tag(tx: &Tx<'_>, value: &str, metadata: &Metadata) -> Result<TagId, CatalogError> {
    let id = TagId::new();
    put(queries::put_tag(tx, &id, value, metadata), "Product tag", value)?;
    Ok(id)
}

/// Changes a tag.
///
/// # Errors
/// A name that is taken, or a tag that is not there.
pub(crate) fn update_tag(
    tx: &Tx<'_>,
    id: &TagId,
    value: Option<String>,
    metadata: MetadataPatch,
) -> Result<(), CatalogError> {
    let before = find_tag(tx, id)?;
    let value = value.unwrap_or(before.value);
    let metadata = metadata.merge(&before.metadata)?;
    put(queries::put_tag(tx, id, &value, &metadata), "Product tag", &value)
}

/// A tag that is there.
///
/// # Errors
/// [`CatalogError::Missing`].
pub(crate) fn find_tag(tx: &Tx<'_>, id: &TagId) -> Result<Tag, CatalogError> {
    queries::tag(tx, id)?.ok_or_else(|| missing("Product tag", id.as_str()))
}

/// Makes a type.
///
/// # Errors
/// A name that is taken.
pub(crate) fn create_type(
    tx: &Tx<'_>,
    value: &str,
    metadata: &Metadata,
) -> Result<ProductTypeId, CatalogError> {
    let id = ProductTypeId::new();
    put(queries::put_type(tx, &id, value, metadata), "Product type", value)?;
    Ok(id)
}

/// Changes a type.
///
/// # Errors
/// A name that is taken, or a type that is not there.
pub(crate) fn update_type(
    tx: &Tx<'_>,
    id: &ProductTypeId,
    value: Option<String>,
    metadata: MetadataPatch,
) -> Result<(), CatalogError> {
    let before = find_type(tx, id)?;
    let value = value.unwrap_or(before.value);
    let metadata = metadata.merge(&before.metadata)?;
    put(queries::put_type(tx, id, &value, &metadata), "Product type", &value)
}

/// A type that is there.
///
/// # Errors
/// [`CatalogError::Missing`].
pub(crate) fn find_type(tx: &Tx<'_>, id: &ProductTypeId) -> Result<ProductType, CatalogError> {
    queries::product_type(tx, id)?.ok_or_else(|| missing("Product type", id.as_str()))
}

fn missing(what: &'static str, id: &str) -> CatalogError {
    CatalogError::Missing { what, id: id.to_owned() }
}

/// A name is the only key of its kind, so what is a duplicate is the name.
fn put(
    outcome: Result<(), database::Error>,
    what: &'static str,
    value: &str,
) -> Result<(), CatalogError> {
    match outcome {
        Err(database::Error::Duplicate(_)) => Err(taken(what, "value", value)),
        outcome => Ok(outcome?),
    }
}

/// Deletes a collection softly; its products are in none.
///
/// # Errors
/// A collection that is not there.
pub(crate) fn delete_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<(), CatalogError> {
    find_collection(tx, id)?;
    Ok(queries::delete_collection(tx, id)?)
}

/// Deletes a tag softly; no product has it any more.
///
/// # Errors
/// A tag that is not there.
pub(crate) fn delete_tag(tx: &Tx<'_>, id: &TagId) -> Result<(), CatalogError> {
    find_tag(tx, id)?;
    Ok(queries::delete_tag(tx, id)?)
}

/// Deletes a type softly; no product is of it any more.
///
/// # Errors
/// A type that is not there.
pub(crate) fn delete_type(tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), CatalogError> {
    find_type(tx, id)?;
    Ok(queries::delete_type(tx, id)?)
}
