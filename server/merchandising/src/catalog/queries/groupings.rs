//! Collections, tags and types.

use rusqlite::{Row, named_params};

use crate::catalog::view::{Collection, ProductType, Tag};
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{CollectionId, ProductTypeId, TagId};
use crate::metadata::Metadata;

/// What collections can be asked for.
pub(in crate::catalog) static COLLECTIONS: Listing = Listing {
    plural: "collections",
    table: "product_collection g",
    id: "g.id",
    columns: &[
        Column::new("id", "g.id", Kind::Id),
        Column::new("title", "g.title", Kind::Text),
        Column::new("handle", "g.handle", Kind::Text),
        Column::filter("external_id", "g.external_id", Kind::Id),
        Column::new("created_at", "g.created_at", Kind::Time),
        Column::new("updated_at", "g.updated_at", Kind::Time),
    ],
    search: &["g.title", "g.handle"],
    default_limit: 10,
    default_order: "-created_at",
    extra: &[],
};

const VALUE_COLUMNS: &[Column] = &[
    Column::new("id", "g.id", Kind::Id),
    Column::new("value", "g.value", Kind::Text),
    Column::new("created_at", "g.created_at", Kind::Time),
    Column::new("updated_at", "g.updated_at", Kind::Time),
];

/// What tags can be asked for.
pub(in crate::catalog) static TAGS: Listing = Listing {
    plural: "product_tags",
    table: "product_tag g",
    id: "g.id",
    columns: VALUE_COLUMNS,
    search: &["g.value"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

/// What types can be asked for.
pub(in crate::catalog) static TYPES: Listing = Listing {
    plural: "product_types",
    table: "product_type g",
    id: "g.id",
    columns: VALUE_COLUMNS,
    search: &["g.value"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

const COLLECTION: &str =
    "g.id, g.title, g.handle, g.external_id, g.metadata, g.created_at, g.updated_at";
const VALUE: &str = "g.id, g.value, g.metadata, g.created_at, g.updated_at";

/// A list of what is there.
pub(in crate::catalog) fn existing(query: ListQuery) -> ListQuery {
    query.narrow("g.deleted_at is null", [])
}

/// The collections of the page.
pub(in crate::catalog) fn collections(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<Vec<Collection>, Error> {
    Ok(query.page(tx, COLLECTION, read_collection)?)
}

/// The tags of the page.
pub(in crate::catalog) fn tags(tx: &Tx<'_>, query: &ListQuery) -> Result<Vec<Tag>, Error> {
    Ok(query.page(tx, VALUE, read_tag)?)
}

/// The types of the page.
pub(in crate::catalog) fn types(tx: &Tx<'_>, query: &ListQuery) -> Result<Vec<ProductType>, Error> {
    Ok(query.page(tx, VALUE, read_type)?)
}

/// A collection that is there.
pub(in crate::catalog) fn collection(
    tx: &Tx<'_>,
    id: &CollectionId,
) -> Result<Option<Collection>, Error> {
    let sql = format!(
        "select {COLLECTION} from product_collection g where g.id = :id and g.deleted_at is null"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! { ":id": id })?;
    Ok(rows.next()?.map(read_collection).transpose()?)
}

/// A tag that is there.
pub(in crate::catalog) fn tag(tx: &Tx<'_>, id: &TagId) -> Result<Option<Tag>, Error> {
    let sql =
        format!("select {VALUE} from product_tag g where g.id = :id and g.deleted_at is null");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! { ":id": id })?;
    Ok(rows.next()?.map(read_tag).transpose()?)
}

/// A type that is there.
pub(in crate::catalog) fn product_type(
    tx: &Tx<'_>,
    id: &ProductTypeId,
) -> Result<Option<ProductType>, Error> {
    let sql =
        format!("select {VALUE} from product_type g where g.id = :id and g.deleted_at is null");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! { ":id": id })?;
    Ok(rows.next()?.map(read_type).transpose()?)
}

fn read_collection(row: &Row<'_>) -> rusqlite::Result<Collection> {
    Ok(Collection {
        id: row.get(0)?,
        title: row.get(1)?,
        handle: row.get(2)?,
        external_id: row.get(3)?,
        metadata: row.get(4)?,
        created_at: row.get(5)?,
        updated_at: row.get(6)?,
        deleted_at: None,
    })
}

fn read_tag(row: &Row<'_>) -> rusqlite::Result<Tag> {
    Ok(Tag {
        id: row.get(0)?,
        value: row.get(1)?,
        metadata: row.get(2)?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
        deleted_at: None,
    })
}

fn read_type(row: &Row<'_>) -> rusqlite::Result<ProductType> {
    Ok(ProductType {
        id: row.get(0)?,
        value: row.get(1)?,
        metadata: row.get(2)?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
        deleted_at: None,
    })
}

/// The handles of collections that are `handle` or begin with it and a hyphen.
pub(in crate::catalog) fn handles_like(tx: &Tx<'_>, handle: &str) -> Result<Vec<String>, Error> {
    let mut statement = tx.prepare_cached(
        "select handle from product_collection
          where handle >= :handle and handle < :after and deleted_at is null limit 10000",
    )?;
    let after = format!("{handle}-\u{10ffff}");
    let rows = statement
        .query_map(named_params! { ":handle": handle, ":after": after }, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds a collection, or writes the one of this id.
pub(in crate::catalog) fn put_collection(tx: &Tx<'_>, row: &Collection) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into product_collection (id, title, handle, external_id, metadata, created_at, updated_at)
         values (:id, :title, :handle, :external_id, :metadata, :now, :now)
             on conflict (id) do update
            set title = excluded.title, handle = excluded.handle, external_id = excluded.external_id,
                metadata = excluded.metadata, updated_at = excluded.updated_at",
    )?
    .execute(named_params! {
        ":id": row.id, ":title": row.title, ":handle": row.handle, ":external_id": row.external_id,
        ":metadata": row.metadata, ":now": tx.now(),
    })?;
    Ok(())
}

/// Adds a tag, or writes the one of this id.
pub(in crate::catalog) fn put_tag(
    tx: &Tx<'_>,
    id: &TagId,
    value: &str,
    metadata: &Metadata,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into product_tag (id, value, metadata, created_at, updated_at)
         values (:id, :value, :metadata, :now, :now)
             on conflict (id) do update
            set value = excluded.value, metadata = excluded.metadata, updated_at = excluded.updated_at",
    )?
    .execute(named_params! { ":id": id, ":value": value, ":metadata": metadata, ":now": tx.now() })?;
    Ok(())
}

/// Adds a type, or writes the one of this id.
pub(in crate::catalog) fn put_type(
    tx: &Tx<'_>,
    id: &ProductTypeId,
    value: &str,
    metadata: &Metadata,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into product_type (id, value, metadata, created_at, updated_at)
         values (:id, :value, :metadata, :now, :now)
             on conflict (id) do update
            set value = excluded.value, metadata = excluded.metadata, updated_at = excluded.updated_at",
    )?
    .execute(named_params! { ":id": id, ":value": value, ":metadata": metadata, ":now": tx.now() })?;
    Ok(())
}

/// Deletes a collection softly; its products are in none.
pub(in crate::catalog) fn delete_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<(), Error> {
    tx.prepare_cached(
        "update product set collection_id = null, updated_at = :now where collection_id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    tx.prepare_cached(
        "update product_collection set deleted_at = :now, updated_at = :now where id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// Deletes a tag softly; no product has it any more.
pub(in crate::catalog) fn delete_tag(tx: &Tx<'_>, id: &TagId) -> Result<(), Error> {
    tx.prepare_cached("delete from product_tag_product where product_tag_id = :id")?
        .execute(named_params! { ":id": id })?;
    tx.prepare_cached(
        "update product_tag set deleted_at = :now, updated_at = :now where id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// Deletes a type softly; no product is of it any more.
pub(in crate::catalog) fn delete_type(tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), Error> {
    tx.prepare_cached("update product set type_id = null, updated_at = :now where type_id = :id")?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    tx.prepare_cached(
        "update product_type set deleted_at = :now, updated_at = :now where id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// Puts products, given as a JSON array of ids, into a collection.
pub(in crate::catalog) fn collect(
    tx: &Tx<'_>,
    id: &CollectionId,
    product_ids: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update product set collection_id = :id, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )?
    .execute(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })?;
    Ok(())
}

/// Takes products, given as a JSON array of ids, out of a collection.
pub(in crate::catalog) fn release(
    tx: &Tx<'_>,
    id: &CollectionId,
    product_ids: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update product set collection_id = null, updated_at = :now
          where id in (select value from json_each(:ids)) and collection_id = :id",
    )?
    .execute(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })?;
    Ok(())
}
