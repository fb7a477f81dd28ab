//! Statements that insert, update and delete products with their parts: one per table, however many rows.

use rusqlite::named_params;
use serde_json::Value;

use crate::catalog::new::NewProduct;
use crate::database::{Error, Tx};
use crate::ids::{self, OptionId, OptionValueId, ProductId, VariantId};

pub(crate) fn insert_product(
    tx: &Tx<'_>,
    id: &ProductId,
    handle: &str,
    product: &NewProduct,
) -> Result<(), Error> {
    tx.sql(
        "insert into product (id, title, handle, subtitle, description, status, thumbnail, is_giftcard, discountable,
                              collection_id, type_id, shipping_profile_id, external_id, weight, length, height, width,
                              hs_code, origin_country, mid_code, material, metadata, created_at, updated_at)
         values (:id, :title, :handle, :subtitle, :description, :status, :thumbnail, :is_giftcard, :discountable,
                 :collection_id, :type_id,
                 coalesce(:shipping_profile_id,
                          (select id from shipping_profile
                            where type = 'default' and deleted_at is null and :is_giftcard = 0
                            order by created_at, id limit 1)),
                 :external_id, :weight, :length, :height, :width,
                 :hs_code, :origin_country, :mid_code, :material, :metadata, :now, :now)",
    )
    .run(named_params! {
        ":id": id, ":title": product.title, ":handle": handle, ":subtitle": product.subtitle,
        ":description": product.description, ":status": product.status, ":thumbnail": product.thumbnail,
        ":is_giftcard": product.is_giftcard, ":discountable": product.discountable,
        ":collection_id": product.collection_id, ":type_id": product.type_id,
        ":shipping_profile_id": product.shipping_profile_id, ":external_id": product.external_id,
        ":weight": product.measures.weight, ":length": product.measures.length,
        ":height": product.measures.height, ":width": product.measures.width,
        ":hs_code": product.customs.hs_code, ":origin_country": product.customs.origin_country,
        ":mid_code": product.customs.mid_code, ":material": product.customs.material,
        ":metadata": product.metadata, ":now": tx.now(),
    })
}

/// Inserts rows of a table, given as a JSON array of objects keyed by column.
pub(crate) fn insert(tx: &Tx<'_>, table: &str, rows: &Value) -> Result<(), Error> {
    let Some(first) = rows.get(0).and_then(Value::as_object) else { return Ok(()) };
    let columns: Vec<&str> = first.keys().map(String::as_str).collect();
    tx.insert_rows(table, &[], &columns, rows.to_string())
}

/// Inserts the option values of variants, given as a JSON array of `[variant, value]`.
pub(crate) fn insert_variant_options(tx: &Tx<'_>, pairs: &str) -> Result<(), Error> {
    tx.sql(
        "insert into product_variant_option (variant_id, option_value_id)
         select value ->> 0, value ->> 1 from json_each(:pairs)",
    )
    .run(named_params! { ":pairs": pairs })
}

/// Updates the timestamp of a product of which a part changed.
pub(crate) fn touch(tx: &Tx<'_>, id: &ProductId) -> Result<(), Error> {
    tx.sql("update product set updated_at = :now where id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

pub(crate) fn clear_images(tx: &Tx<'_>, id: &ProductId) -> Result<(), Error> {
    tx.sql("delete from product_image where product_id = :id").run(named_params! { ":id": id })
}

/// Soft-deletes rows of a table, given as a JSON array of ids.
pub(crate) fn soft_delete(tx: &Tx<'_>, table: &str, ids: &str) -> Result<(), Error> {
    tx.sql(&format!(
        "update {table} set deleted_at = :now, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null"
    ))
    .run(named_params! { ":ids": ids, ":now": tx.now() })
}

pub(crate) fn clear_values(tx: &Tx<'_>, ids: &str) -> Result<(), Error> {
    tx.sql(
        "delete from product_variant_option
         where variant_id in (select value from json_each(:ids))",
    )
    .run(named_params! { ":ids": ids })
}

pub(crate) fn has_items(tx: &Tx<'_>, id: &VariantId) -> Result<bool, Error> {
    tx.sql("select exists (select 1 from product_variant_inventory_item where variant_id = :id)")
        .one(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the option values that variants of a product have.
pub(crate) fn used_values(tx: &Tx<'_>, id: &ProductId) -> Result<Vec<OptionValueId>, Error> {
    tx.sql(
        "select distinct link.option_value_id
           from product_variant v
           join product_variant_option link on link.variant_id = v.id
          where v.product_id = :id and v.deleted_at is null",
    )
    .all(named_params! { ":id": id }, |row| row.get(0))
}

pub(crate) fn option(tx: &Tx<'_>, id: &OptionId, title: &str, rank: i64) -> Result<(), Error> {
    tx.sql(
        "update product_option set title = :title, rank = :rank, updated_at = :now where id = :id",
    )
    .run(named_params! { ":id": id, ":title": title, ":rank": rank, ":now": tx.now() })
}

/// Ranks the values of an option in the order of their texts.
pub(crate) fn rank_values(tx: &Tx<'_>, option: &OptionId, texts: &[String]) -> Result<(), Error> {
    tx.sql(
        "update product_option_value set rank = sent.key, updated_at = :now
           from json_each(:texts) sent
          where option_id = :option and product_option_value.value = sent.value and rank <> sent.key",
    )
    .run(named_params! { ":option": option, ":texts": ids::list(texts), ":now": tx.now() })
}

/// Deletes rows of a table, given as a JSON array of ids; options with their values.
pub(crate) fn delete(tx: &Tx<'_>, table: &str, ids: &str) -> Result<(), Error> {
    tx.sql(&format!("delete from {table} where id in (select value from json_each(:ids))"))
        .run(named_params! { ":ids": ids })
}
