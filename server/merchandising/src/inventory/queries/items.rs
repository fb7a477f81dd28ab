//! The SQL of inventory items.

use rusqlite::{OptionalExtension, Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, InventoryItemId};
use crate::inventory::InventoryItem;

/// What the list of inventory items can be asked for.
pub(in crate::inventory) static ITEMS: Listing = Listing {
    plural: "inventory_items",
    table: "inventory_item i",
    id: "i.id",
    columns: &[
        Column::new("id", "i.id", Kind::Id),
        Column::new("sku", "i.sku", Kind::Text),
        Column::new("title", "i.title", Kind::Text),
        Column::filter("requires_shipping", "i.requires_shipping", Kind::Boolean),
        Column::filter("origin_country", "i.origin_country", Kind::Text),
        Column::filter("hs_code", "i.hs_code", Kind::Text),
        Column::filter("material", "i.material", Kind::Text),
        Column::filter(
            "location_id",
            "i.id in (select inventory_item_id from inventory_level where location_id in ({}))",
            Kind::Link,
        ),
        Column::filter(
            "variant_id",
            "i.id in (select inventory_item_id from product_variant_inventory_item where variant_id in ({}))",
            Kind::Link,
        ),
        Column::new("created_at", "i.created_at", Kind::Time),
        Column::new("updated_at", "i.updated_at", Kind::Time),
    ],
    search: &["i.sku", "i.title", "i.description"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

/// What [`read`] reads.
const COLUMNS: &str = "i.id, i.sku, i.title, i.description, i.thumbnail, i.requires_shipping, i.weight, i.length, \
     i.height, i.width, i.hs_code, i.origin_country, i.mid_code, i.material, i.metadata, i.created_at, i.updated_at";

/// A page of the list, and how many there are.
pub(in crate::inventory) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<InventoryItem>, u64), Error> {
    let query = query.narrow("i.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// The items of these ids, also deleted ones.
pub(in crate::inventory) fn by_ids(
    tx: &Tx<'_>,
    items: &[InventoryItemId],
) -> Result<Vec<InventoryItem>, Error> {
    let rows = tx
        .prepare_cached(
            "select i.id, i.sku, i.title, i.description, i.thumbnail, i.requires_shipping, i.weight,
                    i.length, i.height, i.width, i.hs_code, i.origin_country, i.mid_code, i.material,
                    i.metadata, i.created_at, i.updated_at
               from inventory_item i
              where i.id in (select value from json_each(:items))",
        )?
        .query_map(
            named_params! { ":items": ids::list(items.iter().map(InventoryItemId::as_str)) },
            read,
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

fn read(row: &Row<'_>) -> rusqlite::Result<InventoryItem> {
    Ok(InventoryItem {
        id: row.get(0)?,
        sku: row.get(1)?,
        title: row.get(2)?,
        description: row.get(3)?,
        thumbnail: row.get(4)?,
        requires_shipping: row.get(5)?,
        weight: row.get(6)?,
        length: row.get(7)?,
        height: row.get(8)?,
        width: row.get(9)?,
        hs_code: row.get(10)?,
        origin_country: row.get(11)?,
        mid_code: row.get(12)?,
        material: row.get(13)?,
        metadata: row.get(14)?,
        created_at: row.get(15)?,
        updated_at: row.get(16)?,
    })
}

pub(in crate::inventory) fn insert(tx: &Tx<'_>, item: &InventoryItem) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into inventory_item
           (id, sku, title, description, thumbnail, requires_shipping, weight, length, height, width,
            hs_code, origin_country, mid_code, material, metadata, created_at, updated_at)
         values
           (:id, :sku, :title, :description, :thumbnail, :requires_shipping, :weight, :length, :height, :width,
            :hs_code, :origin_country, :mid_code, :material, :metadata, :created_at, :updated_at)",
    )?
    .execute(named_params! {
        ":id": item.id, ":sku": item.sku, ":title": item.title, ":description": item.description,
        ":thumbnail": item.thumbnail, ":requires_shipping": item.requires_shipping,
        ":weight": item.weight, ":length": item.length, ":height": item.height, ":width": item.width,
        ":hs_code": item.hs_code, ":origin_country": item.origin_country, ":mid_code": item.mid_code,
        ":material": item.material, ":metadata": item.metadata, ":created_at": item.created_at,
        ":updated_at": item.updated_at,
    })?;
    Ok(())
}

pub(in crate::inventory) fn update(tx: &Tx<'_>, item: &InventoryItem) -> Result<(), Error> {
    tx.prepare_cached(
        "update inventory_item
            set sku = :sku, title = :title, description = :description, thumbnail = :thumbnail,
                requires_shipping = :requires_shipping, weight = :weight, length = :length,
                height = :height, width = :width, hs_code = :hs_code, origin_country = :origin_country,
                mid_code = :mid_code, material = :material, metadata = :metadata, updated_at = :updated_at
          where id = :id",
    )?
    .execute(named_params! {
        ":id": item.id, ":sku": item.sku, ":title": item.title, ":description": item.description,
        ":thumbnail": item.thumbnail, ":requires_shipping": item.requires_shipping,
        ":weight": item.weight, ":length": item.length, ":height": item.height, ":width": item.width,
        ":hs_code": item.hs_code, ":origin_country": item.origin_country, ":mid_code": item.mid_code,
        ":material": item.material, ":metadata": item.metadata, ":updated_at": item.updated_at,
    })?;
    Ok(())
}

pub(in crate::inventory) fn delete(tx: &Tx<'_>, id: &InventoryItemId) -> Result<(), Error> {
    tx.prepare_cached(
        "update inventory_item set deleted_at = :now, updated_at = :now
          where id = :id and deleted_at is null",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

pub(in crate::inventory) fn find(
    tx: &Tx<'_>,
    id: &InventoryItemId,
) -> Result<Option<InventoryItem>, Error> {
    let item = tx
        .prepare_cached(
            "select i.id, i.sku, i.title, i.description, i.thumbnail, i.requires_shipping, i.weight,
                    i.length, i.height, i.width, i.hs_code, i.origin_country, i.mid_code, i.material,
                    i.metadata, i.created_at, i.updated_at
               from inventory_item i
              where i.id = :id and i.deleted_at is null",
        )?
        .query_row(named_params! { ":id": id }, read)
        .optional()?;
    Ok(item)
}

/// Takes an item out of every variant.
pub(in crate::inventory) fn unlink_all(tx: &Tx<'_>, item: &InventoryItemId) -> Result<(), Error> {
    tx.prepare_cached(
        "delete from product_variant_inventory_item where inventory_item_id = :item",
    )?
    .execute(named_params! { ":item": item })?;
    Ok(())
}
