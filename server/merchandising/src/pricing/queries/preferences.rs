//! Price preferences.

use rusqlite::{Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::PricePreferenceId;
use crate::pricing::preference::PricePreference;

/// What price preferences can be asked for.
pub(in crate::pricing) static PREFERENCES: Listing = Listing {
    plural: "price_preferences",
    table: "price_preference f",
    id: "f.id",
    columns: &[
        Column::new("id", "f.id", Kind::Id),
        Column::filter("attribute", "f.attribute", Kind::Word(&["currency_code", "region_id"])),
        Column::filter("value", "f.value", Kind::Text),
        Column::new("created_at", "f.created_at", Kind::Time),
        Column::new("updated_at", "f.updated_at", Kind::Time),
    ],
    search: &["f.attribute", "f.value"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

const COLUMNS: &str = "f.id, f.attribute, f.value, f.is_tax_inclusive, f.created_at, f.updated_at";

/// The preferences of the page.
pub(in crate::pricing) fn page(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<Vec<PricePreference>, Error> {
    Ok(query.page(tx, COLUMNS, read)?)
}

/// A preference.
pub(in crate::pricing) fn find(
    tx: &Tx<'_>,
    id: &PricePreferenceId,
) -> Result<Option<PricePreference>, Error> {
    let sql = format!("select {COLUMNS} from price_preference f where f.id = :id");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! { ":id": id })?;
    Ok(rows.next()?.map(read).transpose()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<PricePreference> {
    Ok(PricePreference {
        id: row.get(0)?,
        attribute: row.get(1)?,
        value: row.get(2)?,
        is_tax_inclusive: row.get(3)?,
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
        deleted_at: None,
    })
}

/// Adds a preference.
pub(in crate::pricing) fn insert(tx: &Tx<'_>, row: &PricePreference) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into price_preference (id, attribute, value, is_tax_inclusive, created_at, updated_at)
         values (:id, :attribute, :value, :is_tax_inclusive, :now, :now)",
    )?
    .execute(named_params! {
        ":id": row.id, ":attribute": row.attribute, ":value": row.value,
        ":is_tax_inclusive": row.is_tax_inclusive, ":now": tx.now(),
    })?;
    Ok(())
}

/// Writes a preference.
pub(in crate::pricing) fn update(
    tx: &Tx<'_>,
    id: &PricePreferenceId,
    is_tax_inclusive: bool,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update price_preference set is_tax_inclusive = :is_tax_inclusive, updated_at = :now where id = :id",
    )?
    .execute(named_params! { ":id": id, ":is_tax_inclusive": is_tax_inclusive, ":now": tx.now() })?;
    Ok(())
}

/// Removes a preference.
pub(in crate::pricing) fn delete(tx: &Tx<'_>, id: &PricePreferenceId) -> Result<(), Error> {
    tx.prepare_cached("delete from price_preference where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Whether a variant is there, of this product.
pub(in crate::pricing) fn variant_exists(
    tx: &Tx<'_>,
    product_id: &str,
    variant_id: &str,
) -> Result<bool, Error> {
    Ok(tx
        .prepare_cached(
            "select exists (select 1 from product_variant v join product p on p.id = v.product_id
                             where v.id = :variant_id and p.id = :product_id
                               and v.deleted_at is null and p.deleted_at is null)",
        )?
        .query_row(
            named_params! { ":variant_id": variant_id, ":product_id": product_id },
            |row| row.get(0),
        )?)
}
