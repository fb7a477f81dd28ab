//! Variants: reading them.

use rusqlite::types::Value;
use rusqlite::{Row, named_params};

use crate::catalog::view::Variant;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{OptionValueId, ProductId, VariantId};

const COLUMNS: &str = "v.id, v.title, v.sku, v.barcode, v.ean, v.upc, v.allow_backorder, v.manage_inventory,
    v.hs_code, v.origin_country, v.mid_code, v.material, v.weight, v.length, v.height, v.width, v.metadata,
    v.variant_rank, v.thumbnail, v.product_id, v.created_at, v.updated_at, v.price_set_id";

/// What the variants of a product, or of all, can be asked for.
pub(in crate::catalog) static VARIANTS: Listing = Listing {
    plural: "variants",
    table: "product_variant v",
    id: "v.id",
    columns: &[
        Column::new("id", "v.id", Kind::Id),
        Column::new("title", "v.title", Kind::Text),
        Column::new("sku", "v.sku", Kind::Text),
        Column::filter("barcode", "v.barcode", Kind::Text),
        Column::filter("ean", "v.ean", Kind::Text),
        Column::filter("upc", "v.upc", Kind::Text),
        Column::filter("product_id", "v.product_id", Kind::Id),
        Column::filter("manage_inventory", "v.manage_inventory", Kind::Boolean),
        Column::filter("allow_backorder", "v.allow_backorder", Kind::Boolean),
        Column::new("variant_rank", "v.variant_rank", Kind::Integer),
        Column::new("created_at", "v.created_at", Kind::Time),
        Column::new("updated_at", "v.updated_at", Kind::Time),
    ],
    search: &["v.title", "v.sku", "v.barcode", "v.ean", "v.upc"],
    default_limit: 20,
    default_order: "variant_rank",
    extra: &[],
};

/// A list of what is there, of products that are there.
pub(in crate::catalog) fn existing(query: ListQuery) -> ListQuery {
    query.narrow(
        "v.deleted_at is null
         and exists (select 1 from product p where p.id = v.product_id and p.deleted_at is null)",
        [],
    )
}

/// The variants of the page.
pub(in crate::catalog) fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<Vec<Variant>, Error> {
    Ok(query.page(tx, COLUMNS, read)?)
}

/// The variants of products, given as a JSON array of ids, by rank.
pub(in crate::catalog) fn of_products(
    tx: &Tx<'_>,
    product_ids: &str,
) -> Result<Vec<Variant>, Error> {
    let sql = format!(
        "select {COLUMNS} from product_variant v
          where v.product_id in (select value from json_each(:ids)) and v.deleted_at is null
          order by v.product_id, v.variant_rank, v.id"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(named_params! { ":ids": product_ids }, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What each of the variants, given as a JSON array of ids, is of the options, by the rank of the option.
pub(in crate::catalog) fn values(
    tx: &Tx<'_>,
    variant_ids: &str,
) -> Result<Vec<(VariantId, OptionValueId)>, Error> {
    let mut statement = tx.prepare_cached(
        "select link.variant_id, link.option_value_id
           from product_variant_option link
           join product_option_value value on value.id = link.option_value_id
           join product_option option on option.id = value.option_id
          where link.variant_id in (select value from json_each(:ids))
          order by link.variant_id, option.rank, option.id",
    )?;
    let rows = statement
        .query_map(named_params! { ":ids": variant_ids }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Variant> {
    Ok(Variant {
        id: row.get(0)?,
        title: row.get(1)?,
        sku: row.get(2)?,
        barcode: row.get(3)?,
        ean: row.get(4)?,
        upc: row.get(5)?,
        allow_backorder: row.get(6)?,
        manage_inventory: row.get(7)?,
        hs_code: row.get(8)?,
        origin_country: row.get(9)?,
        mid_code: row.get(10)?,
        material: row.get(11)?,
        weight: row.get(12)?,
        length: row.get(13)?,
        height: row.get(14)?,
        width: row.get(15)?,
        metadata: row.get(16)?,
        variant_rank: row.get(17)?,
        thumbnail: row.get(18)?,
        product_id: row.get(19)?,
        created_at: row.get(20)?,
        updated_at: row.get(21)?,
        deleted_at: None,
        price_set_id: row.get(22)?,
        options: Vec::new(),
        prices: Vec::new(),
        calculated_price: None,
        inventory_quantity: None,
        unit_cost: None,
    })
}

/// A list of the variants of one product.
pub(in crate::catalog) fn of_product_list(query: ListQuery, product_id: &ProductId) -> ListQuery {
    let product_id = Value::Text(product_id.to_string());
    query.narrow("v.deleted_at is null and v.product_id = ?", [product_id])
}
