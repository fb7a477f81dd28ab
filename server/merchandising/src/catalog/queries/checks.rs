//! Statements that check references and uniqueness before a write.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{SalesChannelId, VariantId};

/// Returns the kind and the id of the first reference, of a JSON array of `[kind, id]`, that does not exist.
pub(crate) fn missing_reference(
    tx: &Tx<'_>,
    references: &str,
) -> Result<Option<(String, String)>, Error> {
    tx.sql(
        "select sent.value ->> 0, sent.value ->> 1
           from json_each(:references) sent
          where not case sent.value ->> 0
            when 'collection' then exists (select 1 from product_collection where id = sent.value ->> 1 and deleted_at is null)
            when 'type' then exists (select 1 from product_type where id = sent.value ->> 1 and deleted_at is null)
            when 'shipping profile' then exists (select 1 from shipping_profile where id = sent.value ->> 1 and deleted_at is null)
            when 'tag' then exists (select 1 from product_tag where id = sent.value ->> 1 and deleted_at is null)
            when 'category' then exists (select 1 from product_category where id = sent.value ->> 1 and deleted_at is null)
            when 'sales channel' then exists (select 1 from sales_channel where id = sent.value ->> 1 and deleted_at is null)
            when 'product' then exists (select 1 from product where id = sent.value ->> 1 and deleted_at is null)
            else false end
          limit 1",
    )
    .first(named_params! { ":references": references }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the handles in a table that are `handle` or start with it and a hyphen.
pub(crate) fn handles_like(tx: &Tx<'_>, table: &str, handle: &str) -> Result<Vec<String>, Error> {
    let after = format!("{handle}-\u{10ffff}");
    tx.sql(&format!(
        "select handle from {table}
          where handle >= :handle and handle < :after and deleted_at is null
            and (handle = :handle or substr(handle, length(:handle) + 1, 1) = '-')
          limit 10000"
    ))
    .all(named_params! { ":handle": handle, ":after": after }, |row| row.get(0))
}

/// Returns the field and the code of the first code, of a JSON array of `[field, code]`, that a variant other than
/// `except` has.
pub(crate) fn taken_code(
    tx: &Tx<'_>,
    codes: &str,
    except: Option<&VariantId>,
) -> Result<Option<(String, String)>, Error> {
    tx.sql(
        "select sent.value ->> 0, sent.value ->> 1
           from json_each(:codes) sent
          where case sent.value ->> 0
            when 'sku' then exists (select 1 from product_variant where sku = sent.value ->> 1 and deleted_at is null and id is not :except)
            when 'barcode' then exists (select 1 from product_variant where barcode = sent.value ->> 1 and deleted_at is null and id is not :except)
            when 'ean' then exists (select 1 from product_variant where ean = sent.value ->> 1 and deleted_at is null and id is not :except)
            when 'upc' then exists (select 1 from product_variant where upc = sent.value ->> 1 and deleted_at is null and id is not :except)
            else false end
          limit 1",
    )
    .first(named_params! { ":codes": codes, ":except": except }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

pub(crate) fn channels(tx: &Tx<'_>) -> Result<Vec<SalesChannelId>, Error> {
    tx.sql("select id from sales_channel where deleted_at is null limit 1000")
        .all([], |row| row.get(0))
}
