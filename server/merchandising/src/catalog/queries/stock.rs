//! Statements that create the inventory items of variants and link them, for many variants at once.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{ProductId, VariantId};

/// Returns the first SKU, of a JSON array, that an inventory item has.
pub(crate) fn taken_sku(tx: &Tx<'_>, skus: &str) -> Result<Option<String>, Error> {
    tx.sql(
        "select sku from inventory_item
          where sku in (select value from json_each(:skus)) and deleted_at is null limit 1",
    )
    .first(named_params! { ":skus": skus }, |row| row.get(0))
}

/// Links items to variants, given as a JSON array of `[variant, item, pieces]`.
pub(crate) fn link_items(tx: &Tx<'_>, links: &str) -> Result<(), Error> {
    tx.sql(
        "insert into product_variant_inventory_item (variant_id, inventory_item_id, required_quantity)
         select value ->> 0, value ->> 1, value ->> 2 from json_each(:links)",
    )
    .run(named_params! { ":links": links })
}

/// Renames the inventory item that only this variant uses, if it still has the variant's previous SKU or title. A SKU
/// that another item has stays there.
pub(crate) fn rename_item(
    tx: &Tx<'_>,
    id: &VariantId,
    sku: [Option<&str>; 2],
    title: [&str; 2],
) -> Result<(), Error> {
    let ([sku_before, sku], [title_before, title]) = (sku, title);
    tx.sql(
        "update inventory_item
            set sku = case when sku is :sku_before
                            and not exists (select 1 from inventory_item other
                                             where other.sku = :sku and other.deleted_at is null)
                           then :sku else sku end,
                title = iif(title is :title_before, :title, title), updated_at = :now
          where id in (select inventory_item_id from product_variant_inventory_item where variant_id = :id)
            and deleted_at is null
            and (select count(*) from product_variant_inventory_item where variant_id = :id) = 1
            and not exists (select 1 from product_variant_inventory_item link
                              join product_variant v on v.id = link.variant_id
                             where link.inventory_item_id = inventory_item.id and v.id <> :id
                               and v.deleted_at is null)",
    )
    .run(named_params! {
        ":id": id, ":sku_before": sku_before, ":sku": sku, ":title_before": title_before,
        ":title": title, ":now": tx.now(),
    })
}

/// Updates the descriptions of the inventory items of a product's variants to its title, if they still
/// have the previous one.
pub(crate) fn describe_items(
    tx: &Tx<'_>,
    id: &ProductId,
    [before, title]: [&str; 2],
) -> Result<(), Error> {
    tx.sql(
        "update inventory_item set description = :title, updated_at = :now
          where id in (select link.inventory_item_id
                         from product_variant v
                         join product_variant_inventory_item link on link.variant_id = v.id
                        where v.product_id = :id and v.deleted_at is null)
            and description = :before and deleted_at is null",
    )
    .run(named_params! { ":id": id, ":before": before, ":title": title, ":now": tx.now() })
}

/// Soft-deletes the inventory items of variants, given as a JSON array of ids, that no other variant uses and that
/// have no reservations.
pub(crate) fn delete_items_of(tx: &Tx<'_>, variant_ids: &str) -> Result<(), Error> {
    tx.sql(
        "update inventory_item set deleted_at = :now, updated_at = :now
          where id in (select inventory_item_id from product_variant_inventory_item
                        where variant_id in (select value from json_each(:ids)))
            and deleted_at is null
            and not exists (select 1 from product_variant_inventory_item link
                              join product_variant v on v.id = link.variant_id
                             where link.inventory_item_id = inventory_item.id and v.deleted_at is null)
            and not exists (select 1 from reservation
                             where reservation.inventory_item_id = inventory_item.id and reservation.deleted_at is null)",
    )
    .run(named_params! { ":ids": variant_ids, ":now": tx.now() })
}
