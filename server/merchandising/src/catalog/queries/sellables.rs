//! Statements on variants with their products, for lines of carts and orders.

use rusqlite::named_params;

use crate::catalog::Sellable;
use crate::database::{Error, FromRow as _, Tx};
use crate::ids::{self, ProductId, VariantId};

/// The columns of a variant with its product, and their tables.
macro_rules! sellables_where {
    ($condition:literal, $order:literal) => {
        concat!(
            "select v.id as variant_id, v.title as variant_title, v.sku, v.barcode, v.price_set_id, v.manage_inventory,
                    v.allow_backorder, coalesce(v.thumbnail, p.thumbnail) as thumbnail,
                    p.thumbnail as product_thumbnail, p.id as product_id,
                    p.title as product_title, p.subtitle as product_subtitle, p.description as product_description,
                    p.handle as product_handle, p.status, p.is_giftcard, p.discountable, p.type_id,
                    type.value as type_value, p.collection_id, collection.title as collection_title,
                    p.shipping_profile_id,
                    p.is_giftcard = 0 and (p.shipping_profile_id is not null or exists (
                      select 1 from product_variant_inventory_item link
                        join inventory_item item on item.id = link.inventory_item_id
                       where link.variant_id = v.id and item.requires_shipping = 1)) as requires_shipping,
                    (select json_group_array(product_category_id) from product_category_product
                      where product_id = p.id) as category_ids,
                    (select json_group_array(product_tag_id) from product_tag_product
                      where product_id = p.id) as tag_ids,
                    (select json_group_array(sales_channel_id) from product_sales_channel
                      where product_id = p.id) as sales_channel_ids
              from product_variant v
               join product p on p.id = v.product_id
               left join product_type type on type.id = p.type_id
               left join product_collection collection on collection.id = p.collection_id
              where ", $condition, " and v.deleted_at is null and p.deleted_at is null order by ", $order
        )
    };
}

pub(crate) fn find(tx: &Tx<'_>, ids: &[VariantId]) -> Result<Vec<Sellable>, Error> {
    let ids = ids::list(ids);
    tx.sql(sellables_where!("v.id in (select value from json_each(:ids))", "v.id"))
        .all(named_params! { ":ids": ids }, Sellable::from_row)
}

/// Returns the variants of a product in their order.
pub(crate) fn of_product(tx: &Tx<'_>, product_id: &ProductId) -> Result<Vec<Sellable>, Error> {
    tx.sql(sellables_where!("v.product_id = :product_id", "v.variant_rank, v.id"))
        .all(named_params! { ":product_id": product_id }, Sellable::from_row)
}
