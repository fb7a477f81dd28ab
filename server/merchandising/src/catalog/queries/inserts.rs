//! Inserts products with their parts: one statement per table, however many rows.

use rusqlite::named_params;

use crate::catalog::new::NewProduct;
use crate::database::{Error, Tx};
use crate::ids::ProductId;

pub(crate) fn product(
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

/// Inserts options, given as a JSON array of `[id, title, rank]`.
pub(crate) fn options(tx: &Tx<'_>, product_id: &ProductId, options: &str) -> Result<(), Error> {
    tx.sql(
        "insert into product_option (id, product_id, title, rank, created_at, updated_at)
         select value ->> 0, :product_id, value ->> 1, value ->> 2, :now, :now from json_each(:options)",
    )
    .run(named_params! { ":product_id": product_id, ":options": options, ":now": tx.now() })
}

/// Inserts option values, given as a JSON array of `[id, option, value, rank]`.
pub(crate) fn option_values(tx: &Tx<'_>, values: &str) -> Result<(), Error> {
    tx.sql(
        "insert into product_option_value (id, option_id, value, rank, created_at, updated_at)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3, :now, :now from json_each(:values)",
    )
    .run(named_params! { ":values": values, ":now": tx.now() })
}

/// Inserts variants, given as a JSON array of objects keyed by column.
pub(crate) fn variants(tx: &Tx<'_>, product_id: &ProductId, variants: &str) -> Result<(), Error> {
    let columns = [
        "id",
        "title",
        "sku",
        "barcode",
        "ean",
        "upc",
        "allow_backorder",
        "manage_inventory",
        "variant_rank",
        "thumbnail",
        "price_set_id",
        "weight",
        "length",
        "height",
        "width",
        "hs_code",
        "origin_country",
        "mid_code",
        "material",
        "metadata",
    ];
    let product = named_params! { ":product_id": product_id };
    tx.insert_rows("product_variant", product, &columns, variants)
}

/// Inserts the option values of variants, given as a JSON array of `[variant, value]`.
pub(crate) fn variant_options(tx: &Tx<'_>, pairs: &str) -> Result<(), Error> {
    tx.sql(
        "insert into product_variant_option (variant_id, option_value_id)
         select value ->> 0, value ->> 1 from json_each(:pairs)",
    )
    .run(named_params! { ":pairs": pairs })
}

/// Inserts images, given as a JSON array of `[id, url, rank]`.
pub(crate) fn images(tx: &Tx<'_>, product_id: &ProductId, images: &str) -> Result<(), Error> {
    tx.sql(
        "insert into product_image (id, product_id, url, rank, created_at, updated_at)
         select value ->> 0, :product_id, value ->> 1, value ->> 2, :now, :now from json_each(:images)",
    )
    .run(named_params! { ":product_id": product_id, ":images": images, ":now": tx.now() })
}
