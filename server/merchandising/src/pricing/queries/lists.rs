//! Price lists.

use rusqlite::{Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{PriceListId, PriceSetId, VariantId};
use crate::pricing::list::PriceListRow;

/// What price lists can be asked for.
pub(in crate::pricing) static PRICE_LISTS: Listing = Listing {
    plural: "price_lists",
    table: "price_list l",
    id: "l.id",
    columns: &[
        Column::new("id", "l.id", Kind::Id),
        Column::new("title", "l.title", Kind::Text),
        Column::new("status", "l.status", Kind::Word(&["draft", "active"])),
        Column::new("type", "l.type", Kind::Word(&["sale", "override"])),
        Column::new("starts_at", "l.starts_at", Kind::Time),
        Column::new("ends_at", "l.ends_at", Kind::Time),
        Column::new("created_at", "l.created_at", Kind::Time),
        Column::new("updated_at", "l.updated_at", Kind::Time),
    ],
    search: &["l.title", "l.description"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

const COLUMNS: &str =
    "l.id, l.title, l.description, l.status, l.type, l.starts_at, l.ends_at, l.metadata,
    l.created_at, l.updated_at";

/// A list of what is there.
pub(in crate::pricing) fn existing(query: ListQuery) -> ListQuery {
    query.narrow("l.deleted_at is null", [])
}

/// The price lists of the page.
pub(in crate::pricing) fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<Vec<PriceListRow>, Error> {
    Ok(query.page(tx, COLUMNS, read)?)
}

/// A price list that is there.
pub(in crate::pricing) fn find(
    tx: &Tx<'_>,
    id: &PriceListId,
) -> Result<Option<PriceListRow>, Error> {
    let sql =
        format!("select {COLUMNS} from price_list l where l.id = :id and l.deleted_at is null");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! { ":id": id })?;
    Ok(rows.next()?.map(read).transpose()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<PriceListRow> {
    Ok(PriceListRow {
        id: row.get(0)?,
        title: row.get(1)?,
        description: row.get(2)?,
        status: row.get(3)?,
        kind: row.get(4)?,
        starts_at: row.get(5)?,
        ends_at: row.get(6)?,
        metadata: row.get(7)?,
        created_at: row.get(8)?,
        updated_at: row.get(9)?,
    })
}

/// Adds a price list, or writes the one of this id.
pub(in crate::pricing) fn put(tx: &Tx<'_>, row: &PriceListRow) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into price_list (id, title, description, status, type, starts_at, ends_at, metadata, created_at, updated_at)
         values (:id, :title, :description, :status, :type, :starts_at, :ends_at, :metadata, :now, :now)
             on conflict (id) do update
            set title = excluded.title, description = excluded.description, status = excluded.status,
                type = excluded.type, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
                metadata = excluded.metadata, updated_at = excluded.updated_at",
    )?
    .execute(named_params! {
        ":id": row.id, ":title": row.title, ":description": row.description, ":status": row.status,
        ":type": row.kind, ":starts_at": row.starts_at, ":ends_at": row.ends_at,
        ":metadata": row.metadata, ":now": tx.now(),
    })?;
    Ok(())
}

/// Deletes a price list softly.
pub(in crate::pricing) fn delete(tx: &Tx<'_>, id: &PriceListId) -> Result<(), Error> {
    tx.prepare_cached("update price_list set deleted_at = :now, updated_at = :now where id = :id")?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// Takes the rules of a price list away.
pub(in crate::pricing) fn clear_rules(tx: &Tx<'_>, id: &PriceListId) -> Result<(), Error> {
    tx.prepare_cached("delete from price_list_rule where price_list_id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Adds rules to a price list, given as a JSON array of `[attribute, values]`.
pub(in crate::pricing) fn add_rules(
    tx: &Tx<'_>,
    id: &PriceListId,
    rules: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into price_list_rule (price_list_id, attribute, values_json)
         select :id, value ->> 0, value ->> 1 from json_each(:rules)",
    )?
    .execute(named_params! { ":id": id, ":rules": rules })?;
    Ok(())
}

/// The price sets of variants that are there, given as a JSON array of ids.
pub(in crate::pricing) fn price_sets(
    tx: &Tx<'_>,
    variant_ids: &str,
) -> Result<Vec<(VariantId, PriceSetId)>, Error> {
    let mut statement = tx.prepare_cached(
        "select id, price_set_id from product_variant
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )?;
    let rows = statement
        .query_map(named_params! { ":ids": variant_ids }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The variants that price sets, given as a JSON array of ids, are of.
pub(in crate::pricing) fn variants_of(
    tx: &Tx<'_>,
    price_set_ids: &str,
) -> Result<Vec<(PriceSetId, VariantId)>, Error> {
    let mut statement = tx.prepare_cached(
        "select price_set_id, id from product_variant
          where price_set_id in (select value from json_each(:ids))",
    )?;
    let rows = statement
        .query_map(named_params! { ":ids": price_set_ids }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// How many of the prices, given as a JSON array of ids, are in a list.
pub(in crate::pricing) fn count_prices(
    tx: &Tx<'_>,
    id: &PriceListId,
    price_ids: &str,
) -> Result<usize, Error> {
    let count: i64 = tx
        .prepare_cached(
            "select count(*) from price
              where price_list_id = :id and id in (select value from json_each(:ids))",
        )?
        .query_row(named_params! { ":id": id, ":ids": price_ids }, |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Removes prices of a list, given as a JSON array of ids.
pub(in crate::pricing) fn delete_prices(
    tx: &Tx<'_>,
    id: &PriceListId,
    price_ids: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "delete from price where price_list_id = :id and id in (select value from json_each(:ids))",
    )?
    .execute(named_params! { ":id": id, ":ids": price_ids })?;
    Ok(())
}
