//! Options of all products, found by themselves.

use rusqlite::named_params;

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{OptionId, ProductId};

/// What options can be asked for.
pub(in crate::catalog) static OPTIONS: Listing = Listing {
    plural: "product_options",
    table: "product_option o join product p on p.id = o.product_id and p.deleted_at is null",
    id: "o.id",
    columns: &[
        Column::new("id", "o.id", Kind::Id),
        Column::new("title", "o.title", Kind::Text),
        Column::filter("product_id", "o.product_id", Kind::Id),
        Column::new("created_at", "o.created_at", Kind::Time),
        Column::new("updated_at", "o.updated_at", Kind::Time),
    ],
    search: &["o.title"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

/// The ids of the options of a page, in its order, and how many options there are.
pub(in crate::catalog) fn page(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<OptionId>, u64), Error> {
    Ok((query.page(tx, "o.id", |row| row.get(0))?, query.count(tx)?))
}

/// The product of an option, if both are there.
pub(in crate::catalog) fn product_of(
    tx: &Tx<'_>,
    id: &OptionId,
) -> Result<Option<ProductId>, Error> {
    let mut statement = tx.prepare_cached(
        "select p.id from product_option o join product p on p.id = o.product_id and p.deleted_at is null
          where o.id = :id",
    )?;
    let mut rows = statement.query_map(named_params! { ":id": id }, |row| row.get(0))?;
    Ok(rows.next().transpose()?)
}

/// The option of a product that has a title.
pub(in crate::catalog) fn titled(
    tx: &Tx<'_>,
    product: &ProductId,
    title: &str,
) -> Result<Option<OptionId>, Error> {
    let mut statement = tx.prepare_cached(
        "select id from product_option where product_id = :product and title = :title",
    )?;
    let params = named_params! { ":product": product, ":title": title };
    let mut rows = statement.query_map(params, |row| row.get(0))?;
    Ok(rows.next().transpose()?)
}
