//! Statements on variants with their products, for lines of carts and orders.

use rusqlite::{Row, named_params};

use crate::catalog::Sellable;
use crate::database::{Error, Tx};
use crate::ids::{self, ProductId, VariantId};

/// The columns of a variant with its product, and their tables.
macro_rules! sellables_where {
    ($condition:literal, $order:literal) => {
        concat!(
            "select v.id, v.title, v.sku, v.barcode, v.price_set_id, v.manage_inventory, v.allow_backorder,
                    coalesce(v.thumbnail, p.thumbnail), p.id, p.title, p.subtitle, p.description, p.handle, p.status,
                    p.is_giftcard, p.discountable, p.type_id, type.value, p.collection_id, collection.title,
                    p.shipping_profile_id,
                    p.is_giftcard = 0 and (p.shipping_profile_id is not null or exists (
                      select 1 from product_variant_inventory_item link
                        join inventory_item item on item.id = link.inventory_item_id
                       where link.variant_id = v.id and item.requires_shipping = 1)),
                    (select group_concat(product_category_id) from product_category_product where product_id = p.id),
                    (select group_concat(product_tag_id) from product_tag_product where product_id = p.id),
                    (select group_concat(sales_channel_id) from product_sales_channel where product_id = p.id)
               from product_variant v
               join product p on p.id = v.product_id
               left join product_type type on type.id = p.type_id
               left join product_collection collection on collection.id = p.collection_id
              where ", $condition, " and v.deleted_at is null and p.deleted_at is null order by ", $order
        )
    };
}

/// Returns the variants that exist.
pub(crate) fn find(tx: &Tx<'_>, ids: &[VariantId]) -> Result<Vec<Sellable>, Error> {
    let ids = ids::list(ids);
    tx.sql(sellables_where!("v.id in (select value from json_each(:ids))", "v.id"))
        .all(named_params! { ":ids": ids }, read)
}

/// Returns the variants of a product in their order.
pub(crate) fn of_product(tx: &Tx<'_>, product_id: &ProductId) -> Result<Vec<Sellable>, Error> {
    tx.sql(sellables_where!("v.product_id = :product_id", "v.variant_rank, v.id"))
        .all(named_params! { ":product_id": product_id }, read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Sellable> {
    Ok(Sellable {
        variant_id: row.get(0)?,
        variant_title: row.get(1)?,
        sku: row.get(2)?,
        barcode: row.get(3)?,
        price_set_id: row.get(4)?,
        manage_inventory: row.get(5)?,
        allow_backorder: row.get(6)?,
        thumbnail: row.get(7)?,
        product_id: row.get(8)?,
        product_title: row.get(9)?,
        product_subtitle: row.get(10)?,
        product_description: row.get(11)?,
        product_handle: row.get(12)?,
        status: row.get(13)?,
        is_giftcard: row.get(14)?,
        discountable: row.get(15)?,
        type_id: row.get(16)?,
        type_value: row.get(17)?,
        collection_id: row.get(18)?,
        collection_title: row.get(19)?,
        shipping_profile_id: row.get(20)?,
        requires_shipping: row.get(21)?,
        category_ids: ids_in(row, 22)?,
        tag_ids: ids_in(row, 23)?,
        sales_channel_ids: ids_in(row, 24)?,
    })
}

/// Splits a column of comma-separated ids.
fn ids_in<T: std::str::FromStr>(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<T>> {
    let joined: Option<String> = row.get(column)?;
    // Stored ids are valid, so none is dropped here.
    Ok(joined.unwrap_or_default().split(',').filter_map(|id| id.parse().ok()).collect())
}
